//! Converts mail: each message becomes an HTML page, which is then converted to the target.

use super::{CONVERTERS, archives::Registry};
use crate::{
    document,
    job::{Converter, OptionSpec, Pair},
    mail,
};
use std::sync::LazyLock;

/// Converts mail by way of a page of HTML. `Registry` finds the converters of the page and of the attachments.
pub(super) static MAILS: Converter = Converter {
    name: "mail",
    formats: mail::formats,
    pairs,
    recognise: mail::recognise,
    convert: |job, input, output| mail::convert(job, input, output, &Registry),
};

/// Returns the conversions of mail: to the targets of an HTML page, with the options for attachments. The targets of
/// the converters for comics and spreadsheets are left out.
fn pairs() -> Vec<Pair> {
    static TARGETS: LazyLock<Vec<(Pair, Vec<&'static OptionSpec>)>> = LazyLock::new(|| {
        let others = CONVERTERS.iter().filter(|other| {
            !["mail", "archive", "comic", "drawn", "spreadsheet"].contains(&other.name)
        });
        let pairs = others.flat_map(|other| (other.pairs)());
        let of_pages = pairs.filter(|pair| pair.from == document::html_format());
        of_pages
            .map(|pair| {
                let mut options = pair.options.to_vec();
                options.push(&mail::ATTACHMENTS);
                #[cfg(feature = "ocr")]
                if pair.to.name == "pdf" {
                    options.extend(crate::scan::ATTACHMENT_OPTIONS);
                }
                (pair, options)
            })
            .collect()
    });
    let formats = mail::formats();
    formats
        .into_iter()
        .flat_map(|from| {
            let targets: &'static Vec<(Pair, Vec<&OptionSpec>)> = &TARGETS;
            targets.iter().map(move |(pair, options)| Pair {
                from,
                options,
                ..*pair
            })
        })
        .collect()
}
