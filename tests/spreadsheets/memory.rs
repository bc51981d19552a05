//! Memory does not depend on the number of rows.

use crate::harness::{directory, run};
use std::{
    fs::{self, File},
    io::{BufWriter, Write},
};

/// Pairs of formats that are converted one after the other. Objects repeat the names of their members, which makes JSON
/// the longest format.
const PAIRS: [(&str, &str); 5] = [
    ("csv", "xlsx"),
    ("xlsx", "csv"),
    ("csv", "ods"),
    ("ods", "json"),
    ("json", "tsv"),
];

/// Numbers of rows. A few thousand fill all buffers once; with so many more, ten bytes for each would be visible.
const FEW: u32 = 10_000;
const MANY: u32 = 400_000;

/// Largest difference of two peaks, in bytes.
const DIFFERENCE: u64 = 4 << 20;

#[test]
fn many_rows_take_no_more_memory_than_a_few() {
    let (few, _) = peaks(FEW);
    let (many, last) = peaks(MANY);
    for ((few, many), (from, to)) in few.iter().zip(&many).zip(PAIRS) {
        println!("{from} to {to}: {few} and {many} bytes");
        assert!(*few > 0);
        assert!(*many < few + DIFFERENCE, "{from} to {to}: {few}, {many}");
    }
    assert_eq!(last, "399999\tname 399999\t406.5\t2020-01-20");
}

/// Converts a sheet with this many rows by all pairs. Returns the peak memory of each child, in bytes, and the last line
/// of the last result.
fn peaks(rows: u32) -> (Vec<u64>, String) {
    let at = directory(&format!("rows-{rows}"));
    let mut file = BufWriter::new(File::create(at.join("a.csv")).unwrap());
    for row in 0..rows {
        writeln!(
            file,
            "{row},name {row},{}.5,2020-01-{:02}",
            row % 977,
            row % 28 + 1
        )
        .unwrap();
    }
    file.into_inner().unwrap();
    let peaks = PAIRS.map(|(from, to)| {
        let output = at.join("a").with_extension(to);
        let ran = run(&at.join("a").with_extension(from), &output);
        assert!(ran.success, "{from} to {to}: {}", ran.said);
        ran.peak
    });
    let last = fs::read_to_string(at.join("a.tsv")).unwrap();
    assert_eq!(last.lines().count(), rows as usize);
    fs::remove_dir_all(at).unwrap();
    let last = last.lines().last().unwrap_or_default().to_owned();
    (peaks.into(), last)
}
