//! Code that the tests of PDF share: fixtures, conversion, and poppler's results. Contains no test.

// The tests of documents also start the program and measure its child. These tests use only a part of that code.
#![allow(dead_code, unused_imports)]

use std::{fs, path::Path};

#[path = "../documents/harness.rs"]
mod documents;

pub(crate) use documents::{Ran, convert, convert_with, directory, has, is_linear, output_of, run};

/// A file of `tests/data/pdf`.
pub(crate) fn fixture(name: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pdf");
    fs::read(root.join(name)).unwrap_or_else(|err| panic!("{name}: {err}"))
}

/// Every fixture with its name, and a PDF that this program made.
pub(crate) fn all() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pdf");
    let names = fs::read_dir(root).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".pdf")).collect();
    names.sort();
    assert!(names.len() >= 5, "the fixtures are missing");
    let mut files: Vec<_> = names
        .into_iter()
        .map(|name| (name.clone(), fixture(&name)))
        .collect();
    let report = documents::data("report.md");
    let own = convert("report.md", &report, "pdf").unwrap();
    files.push(("own.pdf".to_owned(), own));
    files
}

/// A picture with three bytes per pixel.
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: Vec<u8>,
}

impl Picture {
    /// Reads a binary PPM (P6).
    pub(crate) fn of(ppm: &[u8]) -> Self {
        let mut fields = Vec::new();
        let mut at = 0;
        while fields.len() < 4 {
            let end = at + ppm[at..].iter().position(u8::is_ascii_whitespace).unwrap();
            fields.push(std::str::from_utf8(&ppm[at..end]).unwrap());
            at = end + 1;
        }
        assert_eq!((fields[0], fields[3]), ("P6", "255"));
        Self {
            width: fields[1].parse().unwrap(),
            height: fields[2].parse().unwrap(),
            pixels: ppm[at..].to_vec(),
        }
    }

    /// Colour of a pixel.
    pub(crate) fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        let at = 3 * (y * self.width + x);
        self.pixels[at..at + 3].try_into().unwrap()
    }

    /// The mean difference of samples, as a share of the largest possible difference. The sizes may differ by a pixel.
    #[track_caller]
    pub(crate) fn difference(&self, other: &Self) -> f64 {
        let sizes = ((self.width, self.height), (other.width, other.height));
        assert!(
            self.width.abs_diff(other.width) <= 1 && self.height.abs_diff(other.height) <= 1,
            "{sizes:?}"
        );
        let (width, height) = (self.width.min(other.width), self.height.min(other.height));
        let mut sum = 0u64;
        for y in 0..height {
            let row =
                |picture: &Self| picture.pixels[3 * y * picture.width..][..3 * width].to_vec();
            let pairs = row(self).into_iter().zip(row(other));
            sum += pairs.map(|(a, b)| u64::from(a.abs_diff(b))).sum::<u64>();
        }
        sum as f64 / (255 * 3 * width * height) as f64
    }
}

/// The length of the longest common subsequence of words, divided by the mean number of words in the texts.
pub(crate) fn words_in_order(ours: &str, theirs: &str) -> f64 {
    let ours: Vec<&str> = ours.split_whitespace().collect();
    let theirs: Vec<&str> = theirs.split_whitespace().collect();
    let mut lengths = vec![0usize; theirs.len() + 1];
    for word in &ours {
        let mut diagonal = 0;
        for (at, other) in theirs.iter().enumerate() {
            let above = lengths[at + 1];
            lengths[at + 1] = if word == other {
                diagonal + 1
            } else {
                above.max(lengths[at])
            };
            diagonal = above;
        }
    }
    2.0 * lengths[theirs.len()] as f64 / (ours.len() + theirs.len()).max(1) as f64
}
