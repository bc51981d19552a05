//! Memory does not depend on the number of rows.

use crate::harness::{directory, run};
use std::{
    fs::{self, File},
    io::{BufWriter, Write},
};

/// Limit on the peak memory of a child, in bytes.
const PEAK: u64 = 32 << 20;

/// So many rows that a few bytes for each would be visible.
const ROWS: u32 = 400_000;

#[test]
fn many_rows_take_no_more_memory_than_a_few() {
    let at = directory("many-rows");
    let source = at.join("a.csv");
    let mut file = BufWriter::new(File::create(&source).unwrap());
    for row in 0..ROWS {
        writeln!(
            file,
            "{row},name {row},{}.5,2020-01-{:02}",
            row % 977,
            row % 28 + 1
        )
        .unwrap();
    }
    file.into_inner().unwrap();
    // Objects repeat the names of their members, which makes JSON the longest format.
    for (from, to) in [
        ("csv", "xlsx"),
        ("xlsx", "csv"),
        ("csv", "ods"),
        ("ods", "json"),
        ("json", "tsv"),
    ] {
        let output = at.join("a").with_extension(to);
        let ran = run(&at.join("a").with_extension(from), &output);
        assert!(ran.success, "{from} to {to}: {}", ran.said);
        assert!(
            ran.peak > 0 && ran.peak < PEAK,
            "{from} to {to}: {} bytes",
            ran.peak
        );
        println!(
            "{from} to {to}: {:.1} MiB",
            ran.peak as f64 / f64::from(1 << 20)
        );
    }
    let back = fs::read_to_string(at.join("a.tsv")).unwrap();
    assert_eq!(back.lines().count(), ROWS as usize);
    assert_eq!(
        back.lines().last(),
        Some("399999\tname 399999\t406.5\t2020-01-20")
    );
    fs::remove_dir_all(at).unwrap();
}
