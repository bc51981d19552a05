//! A PDF, examined by other programs: qpdf and poppler.

use crate::harness::{Directory, has, output};
use image::RgbImage;
use std::fs;

/// Returns whether the programs that examine a PDF are installed.
pub(crate) fn can_examine() -> bool {
    ["qpdf", "pdfimages", "pdftoppm", "pdftotext", "pdfinfo"]
        .iter()
        .all(|program| has(program))
}

/// A PDF in a file. qpdf has found no error in it.
pub(crate) struct Pdf {
    directory: Directory,
    path: String,
}

impl Pdf {
    #[track_caller]
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let directory = Directory::new();
        let path = directory.file("a.pdf", bytes);
        let report = output("qpdf", &["--check", &path]);
        assert!(
            report.contains("No syntax or stream encoding errors"),
            "{report}"
        );
        Self { directory, path }
    }

    pub(crate) fn pages(&self) -> usize {
        output("qpdf", &["--show-npages", &self.path])
            .trim()
            .parse()
            .unwrap()
    }

    /// The pictures in the PDF, each with the columns of `pdfimages -list`.
    pub(crate) fn pictures(&self) -> Vec<Vec<String>> {
        let list = output("pdfimages", &["-list", &self.path]);
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
        list.lines().skip(2).map(words).collect()
    }

    /// The size of a page in points.
    pub(crate) fn size(&self, page: usize) -> (f64, f64) {
        let page = page.to_string();
        let info = output("pdfinfo", &["-f", &page, "-l", &page, &self.path]);
        let line = info.lines().find(|line| line.contains("size:")).unwrap();
        let mut numbers = line
            .split_whitespace()
            .filter_map(|word| word.parse::<f64>().ok());
        // The first number in the line is the number of the page.
        numbers.next();
        (numbers.next().unwrap(), numbers.next().unwrap())
    }

    /// A page as poppler draws it, at this resolution in dots per inch.
    pub(crate) fn seen(&self, dots: u32) -> RgbImage {
        let place = self.directory.path("seen");
        let dots = dots.to_string();
        output(
            "pdftoppm",
            &["-r", &dots, "-png", "-singlefile", &self.path, &place],
        );
        image::open(format!("{place}.png")).unwrap().into_rgb8()
    }

    /// The words of all pages, as poppler extracts them.
    pub(crate) fn words(&self) -> String {
        let text = output("pdftotext", &[&self.path, "-"]);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The title of the file.
    pub(crate) fn title(&self) -> Option<String> {
        let info = output("pdfinfo", &[&self.path]);
        let line = info.lines().find_map(|line| line.strip_prefix("Title:"))?;
        Some(line.trim().to_owned())
    }

    /// The first picture in the form in which the PDF stores it.
    pub(crate) fn stored(&self, flag: &str, extension: &str) -> Vec<u8> {
        let place = self.directory.path("stored");
        output("pdfimages", &[flag, &self.path, &place]);
        fs::read(format!("{place}-000.{extension}")).unwrap()
    }
}

/// The mean difference of the samples of two pictures of the same size.
#[track_caller]
pub(crate) fn difference(one: &RgbImage, other: &RgbImage) -> f64 {
    assert_eq!(one.dimensions(), other.dimensions());
    let sum: u64 = one
        .as_raw()
        .iter()
        .zip(other.as_raw())
        .map(|(one, other)| u64::from(one.abs_diff(*other)))
        .sum();
    sum as f64 / one.as_raw().len() as f64
}
