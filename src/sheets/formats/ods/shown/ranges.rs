//! Ranges of cells in the notation of OpenDocument. Looks at no cells.

use crate::{cells::span, shown::book::Range};

/// Parses the first 256 ranges of a list, such as `$Sheet1.$A$1:.$C$9`, separated by spaces. Ignores the names of
/// sheets, and leaves out whole rows and columns.
pub(super) fn ranges(text: &str) -> Vec<Range> {
    let mut quoted = false;
    let parts = text.split(|c: char| {
        quoted ^= c == '\'';
        c == ' ' && !quoted
    });
    parts
        .take(256)
        .filter_map(|part| {
            let plain: Vec<&str> = part
                .split(':')
                .map(|end| end.rsplit_once('.').map_or(end, |(_, place)| place))
                .collect();
            let (rows, columns) = span(&plain.join(":"))?;
            let (rows, columns) = (rows?, columns?);
            Some(Range {
                first: (rows.0, columns.0),
                last: (rows.1, columns.1),
            })
        })
        .collect()
}
