//! Converters for archives. One converts each file in an archive with the other converters; the other packs pictures
//! and pages as a comic.

use super::{CONVERTERS, find, identify};
use crate::{
    archive, document,
    error::Result,
    format::{Category, Format},
    job::{Converter, Input, OptionSpec, Pair},
};
#[cfg(feature = "pdf")]
use convertd_pdf::edit::options::{ATTACH, MERGE, SKIP_BAD};
use std::sync::LazyLock;

/// Converts each file of an archive with the other converters.
pub(super) static ARCHIVES: Converter = Converter {
    name: "archive",
    formats: || archive::formats().collect(),
    pairs: of_archives,
    recognise: archive::recognise,
    convert: |job, input, output| archive::convert(job, input, output, &Registry),
};

/// Makes comics from pictures, and from formats whose pages can all become pictures.
pub(super) static COMICS: Converter = Converter {
    name: "comic",
    formats: Vec::new,
    pairs: of_comics,
    recognise: |_, _, _| None,
    convert: |job, input, output| archive::convert_to_comic(job, input, output, &Registry),
};

/// Text about the option `quality` for conversions to comics, and for those of comics to EPUB.
const COMIC_QUALITY: &str = "pages that are jpg, png, gif, webp, avif or jxl stay as they are; others become jpg, on which quality has the effect that it has on any jpg";

/// Pairs to comics: from pictures, and from formats that can become pictures of all their pages. The options are those
/// of the conversion to JPEG, except the choice of a page.
fn of_comics() -> Vec<Pair> {
    static PAIRS: LazyLock<Vec<(Pair, Vec<&'static OptionSpec>)>> = LazyLock::new(|| {
        let others = CONVERTERS
            .iter()
            .filter(|other| !["mail", "archive", "comic"].contains(&other.name));
        let pairs = others.flat_map(|other| (other.pairs)());
        let of_pages = pairs.filter(|pair| {
            let is_picture = pair.from.category == Category::Image;
            pair.to.name == "jpg" && (is_picture || archive::gives_all_pages(pair))
        });
        // A comic has all pages of a file, so the choice of one page is left out.
        of_pages
            .map(|pair| {
                let options = pair.options.iter().copied();
                let options = options.filter(|spec| spec.name != archive::PAGE);
                (pair, options.collect())
            })
            .collect()
    });
    // The pairs borrow their lists of options for the life of the program, so the lists are in a static.
    let pairs: &'static Vec<(Pair, Vec<&OptionSpec>)> = &PAIRS;
    pairs
        .iter()
        .map(|(pair, options)| Pair {
            to: archive::comic_format(),
            quality: COMIC_QUALITY,
            options,
            ..*pair
        })
        .collect()
}

/// All pairs of all converters except [`ARCHIVES`].
fn plain_pairs() -> impl Iterator<Item = Pair> {
    let others = CONVERTERS
        .iter()
        .filter(|other| other.name != ARCHIVES.name);
    others.flat_map(|other| (other.pairs)())
}

/// A target format with one of its pairs, and the fields of all conversions to it.
type Target = (Pair, Vec<&'static OptionSpec>);

/// Returns the distinct targets of `pairs`. Of several options with the same name, a target gets the first.
fn targets(pairs: impl Iterator<Item = Pair>) -> Vec<Target> {
    let mut targets: Vec<Target> = Vec::new();
    for pair in pairs {
        let known = targets.iter_mut().find(|(known, _)| known.to == pair.to);
        match known {
            None => targets.push((pair, pair.options.to_vec())),
            Some((_, options)) => {
                for &spec in pair.options {
                    if options.iter().all(|known| known.name != spec.name) {
                        options.push(spec);
                    }
                }
            }
        }
    }
    targets
}

/// Pairs of archives: an archive can be converted to every target of any file, with the options of all conversions to
/// that target. A comic has fewer targets.
fn of_archives() -> Vec<Pair> {
    static TARGETS: LazyLock<Vec<Target>> = LazyLock::new(|| {
        let pairs: Vec<Pair> = plain_pairs().collect();
        let mut targets = targets(pairs.iter().copied());
        // A page, a Markdown text or a drawing may be packed with the files that it names (`document::names_others`).
        // Targets that can show those files get the option that names the page among the files.
        let with_others: Vec<&Format> = pairs
            .iter()
            .filter(|pair| document::names_others(pair.from))
            .filter(|pair| match pair.to.category {
                Category::Image | Category::Document | Category::Presentation => true,
                Category::Audio | Category::Spreadsheet | Category::Mail | Category::Archive => {
                    false
                }
            })
            .map(|pair| pair.to)
            .collect();
        for (pair, options) in &mut targets {
            if with_others.contains(&pair.to) {
                options.push(&archive::site::INDEX);
            }
            if pair.to == document::pdf() {
                options.extend([&archive::site::HEADER, &archive::site::FOOTER]);
                #[cfg(feature = "pdf")]
                options.extend([&MERGE, &SKIP_BAD, &ATTACH]);
            }
        }
        targets
    });
    // A comic becomes pictures, or one book that contains them: an EPUB, a PDF or another comic.
    static COMIC_TARGETS: LazyLock<Vec<Target>> = LazyLock::new(|| {
        let pairs: Vec<Pair> = plain_pairs().collect();
        let of_pictures = pairs.iter().copied().filter(|pair| {
            let is_picture = pair.from.category == Category::Image;
            let is_document = archive::BOOKS.contains(&pair.to.name);
            is_picture && (pair.to.category == Category::Image || is_document)
        });
        let mut targets = targets(of_pictures);
        let book = pairs.iter().find(|pair| pair.to.name == archive::BOOKS[0]);
        targets.extend(book.map(|pair| {
            let quality = COMIC_QUALITY;
            (Pair { quality, ..*pair }, Vec::new())
        }));
        targets
    });
    let formats = archive::formats();
    let pairs = formats.flat_map(|from| {
        let targets: &'static Vec<Target> = match archive::is_comic(from) {
            true => &COMIC_TARGETS,
            false => &TARGETS,
        };
        targets.iter().map(move |(pair, options)| Pair {
            from,
            options,
            ..*pair
        })
    });
    pairs.collect()
}

/// The registry as the converters of archives, comics and mail see it.
pub(super) struct Registry;

impl archive::Converters for Registry {
    fn identify(&self, input: &mut dyn Input, extension: Option<&str>) -> Result<&'static Format> {
        identify(input, extension)
    }

    fn find(&self, from: &Format, to: &Format) -> Option<(Pair, &'static Converter)> {
        find(from, to).map(|route| (route.pair, route.converter))
    }
}
