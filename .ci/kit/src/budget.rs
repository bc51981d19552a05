//! Checks that the program is no larger than the manual says. The manual's figures are the first ones in two rows that
//! `make bench` prints: `| binary, stripped | 21.4 MiB |` and `| memory when idle | 4.2 MiB; … |`. A chapter without
//! these rows fails the check.

use crate::{
    Result,
    common::{self, Service},
};
use std::{fs, path::Path};

/// Factor by which the binary may exceed the figure in the manual.
const MARGIN: f64 = 1.02;

/// Tolerance for rounding, in MiB: half of the last digit that `make bench` prints.
const ROUNDING: f64 = 0.05;

/// Compares the program at `CONVERTD_BIN` with the manual.
pub(crate) fn check() -> Result<()> {
    let chapter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/service/manual/figures.md");
    let figures = fs::read_to_string(&chapter)
        .map_err(|err| format!("cannot read {}: {err}", chapter.display()))?;
    let size = size().map_err(|err| err.to_string())?;
    let idle = idle().map_err(|err| err.to_string())?;
    compare(&figures, size, idle)
}

/// Compares sizes in MiB with the figures in the chapter.
fn compare(figures: &str, size: f64, idle: f64) -> Result<()> {
    let mut larger = Vec::new();
    for (row, now, most) in [
        (
            "binary, stripped",
            size,
            figure(figures, "binary, stripped")? * MARGIN,
        ),
        (
            "memory when idle",
            idle,
            figure(figures, "memory when idle")?,
        ),
    ] {
        println!("{row}: {now:.2} MiB, at most {most:.2} MiB");
        if now > most + ROUNDING {
            larger.push(row);
        }
    }
    match larger.as_slice() {
        [] => Ok(()),
        rows => Err(format!(
            "more than the manual says: {}. Make the program smaller, or update src/service/manual/figures.md and give the reason in the commit message",
            rows.join(" and ")
        )),
    }
}

/// The first figure in a row of a table, in MiB.
fn figure(figures: &str, row: &str) -> Result<f64> {
    let start = format!("| {row} | ");
    let mut rows = figures.lines().filter_map(|line| line.strip_prefix(&start));
    let cells = rows.next().ok_or_else(|| {
        format!("the chapter on figures has no row \"{row}\"; `make bench` prints it")
    })?;
    let (number, rest) = cells.split_once(' ').unwrap_or((cells, ""));
    match (number.parse(), rest.starts_with("MiB")) {
        (Ok(number), true) => Ok(number),
        _ => Err(format!(
            "the row \"{row}\" does not begin with a number of MiB"
        )),
    }
}

fn size() -> common::Result<f64> {
    Ok(mebibytes(fs::metadata(common::binary()?)?.len()))
}

/// The memory of an idle service after its first answer, without its children, in MiB.
fn idle() -> common::Result<f64> {
    let service = Service::start(&[])?;
    common::expect(
        service.get_path("/api/v1/health")?.status == 200,
        "the service does not serve",
    )?;
    let process = service.process().ok_or("the service is not our own")?;
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let mut lines = status
        .lines()
        .filter_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes: u64 = lines
        .next()
        .and_then(|rest| rest.split_whitespace().next())
        .ok_or("no VmRSS")?
        .parse()?;
    Ok(mebibytes(kibibytes << 10))
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_the_first_of_its_row() {
        let readme = "| what | convertd |\n|---|---|\n| a | 4.2 MiB; 9.9 MiB with children | – |\n| b | much |\n";
        assert_eq!(figure(readme, "a"), Ok(4.2));
        assert!(figure(readme, "b").unwrap_err().contains("MiB"));
        assert!(figure(readme, "c").unwrap_err().contains("no row"));
    }

    #[test]
    fn growth_beyond_the_manual_is_named() {
        let figures = "| binary, stripped | 20.0 MiB |\n| memory when idle | 4.2 MiB |\n";
        assert_eq!(compare(figures, 20.3, 4.2), Ok(()));
        let larger = |size, idle| compare(figures, size, idle).unwrap_err();
        assert!(larger(20.6, 4.2).contains("says: binary, stripped."));
        assert!(larger(20.0, 4.4).contains("says: memory when idle."));
        assert!(larger(21.0, 5.0).contains("binary, stripped and memory when idle"));
    }
}
