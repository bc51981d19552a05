//! Archives: each file in them is converted by all the other converters.

use super::{CONVERTERS, find, identify};
use crate::{
    archive,
    error::Result,
    format::Format,
    job::{Converter, Input, OptionSpec, Pair},
};
#[cfg(feature = "pdf")]
use crate::{
    document,
    pdf::edit::options::{MERGE, SKIP_BAD},
};
use std::sync::LazyLock;

/// Converts each file of an archive by all the other converters.
pub(super) static ARCHIVES: Converter = Converter {
    name: "archive",
    formats: || vec![&archive::ZIP],
    pairs: of_archives,
    recognise: archive::recognise,
    convert: |job, input, output| archive::convert(job, input, output, &Others),
};

/// All pairs of the other converters.
fn plain_pairs() -> impl Iterator<Item = Pair> {
    let others = CONVERTERS
        .iter()
        .filter(|other| other.name != ARCHIVES.name);
    others.flat_map(|other| (other.pairs)())
}

/// An archive can become whatever any file can. Its options are those of all files that can become the same.
fn of_archives() -> Vec<Pair> {
    static TARGETS: LazyLock<Vec<(Pair, Vec<&'static OptionSpec>)>> = LazyLock::new(|| {
        let mut targets: Vec<(Pair, Vec<&OptionSpec>)> = Vec::new();
        for pair in plain_pairs() {
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
        #[cfg(feature = "pdf")]
        for (pair, options) in &mut targets {
            if pair.to == document::pdf() {
                options.extend([
                    &MERGE,
                    &SKIP_BAD,
                    &archive::site::INDEX,
                    &archive::site::HEADER,
                    &archive::site::FOOTER,
                ]);
            }
        }
        targets
    });
    let of_archive = |(pair, options): &'static (Pair, Vec<_>)| Pair {
        from: &archive::ZIP,
        options,
        ..*pair
    };
    TARGETS.iter().map(of_archive).collect()
}

/// The registry as the converter of archives sees it.
pub(super) struct Others;

impl archive::Others for Others {
    fn identify(&self, input: &mut dyn Input, extension: Option<&str>) -> Result<&'static Format> {
        identify(input, extension)
    }

    fn find(&self, from: &Format, to: &Format) -> Option<(Pair, &'static Converter)> {
        find(from, to).map(|route| (route.pair, route.converter))
    }
}
