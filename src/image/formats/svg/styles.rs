//! Style sheets of a drawing: the parser tries every selector on every element. Applies none.

use resvg::usvg::roxmltree::Document;

/// Most pairs of a selector and an element: two seconds' work.
const MAX_PAIRS: usize = 20_000_000;

/// Whether trying all selectors takes too long.
pub(crate) fn are_too_many(document: &Document<'_>) -> bool {
    let (mut elements, mut selectors) = (0usize, 0usize);
    for node in document.descendants().filter(|node| node.is_element()) {
        elements += 1;
        if node.tag_name().name() == "style" {
            let text = node.text().unwrap_or_default();
            // Each rule has one selector more than there are commas before it; those in values count, too.
            selectors += memchr::memchr2_iter(b'{', b',', text.as_bytes()).count();
        }
    }
    elements.saturating_mul(selectors) > MAX_PAIRS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_weighed_with_elements() {
        #[track_caller]
        fn check(rules: usize, elements: usize, expected: bool) {
            let rules = "g rect > .a { fill: red }".repeat(rules);
            let elements = "<rect class='b'/>".repeat(elements);
            let text = format!("<svg><style>{rules}</style>{elements}</svg>");
            let document = Document::parse(&text).unwrap();
            assert_eq!(are_too_many(&document), expected);
        }
        check(500, 20_000, false);
        check(6_000, 12_000, true);
    }
}
