//! Telling a drawing by its beginning. Parses nothing.

/// A file whose root element is `svg`, as far as its beginning tells.
pub(crate) fn is_svg(head: &[u8]) -> bool {
    let head = String::from_utf8_lossy(head);
    let head = head.trim_start_matches('\u{feff}').trim_start();
    let Some(root) = head.find("<svg").or_else(|| head.find(":svg")) else {
        return false;
    };
    let before = &head[..root];
    // Nothing but declarations and comments may stand before the root.
    before.is_empty() || before.starts_with("<?xml") || before.starts_with("<!")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_are_recognised_by_their_root() {
        #[track_caller]
        fn check(head: &str, expected: bool) {
            assert_eq!(is_svg(head.as_bytes()), expected);
        }
        check("<svg xmlns='http://www.w3.org/2000/svg'/>", true);
        check("\u{feff}<?xml version='1.0'?>\n<!-- a --><svg>", true);
        check("<!DOCTYPE svg><svg:svg>", true);
        check("<html><svg>", false);
        check("A text about <svg>", false);
    }
}
