//! Recognises content that would run a program when a result is opened or clicked. Results never contain such
//! content.

use crate::losses::Loss;

/// Loss of links that would run a script.
pub static LINKS: Loss = Loss {
    one: "A link that would run a script was left out; its text was kept.",
    many: "{} links that would run scripts were left out; their texts were kept.",
};

/// Loss of scripts within a page.
pub static SCRIPTS: Loss = Loss {
    one: "A script was left out.",
    many: "{} scripts were left out.",
};

/// Beginnings of addresses that run a script, or that contain a page which may run one.
const SCHEMES: [&str; 4] = [
    "javascript:",
    "vbscript:",
    "data:text/html",
    "data:application/xhtml",
];

/// Returns whether an address runs a program. Browsers skip controls and spaces before an address, and line breaks and
/// tabs within it (URL Standard, 4.4).
pub fn is_script(address: &str) -> bool {
    let seen = address
        .trim_start_matches(|c: char| c.is_control() || c == ' ')
        .chars()
        .filter(|c| !matches!(c, '\t' | '\n' | '\r'));
    let longest = SCHEMES.iter().map(|scheme| scheme.len()).max();
    let head: String = seen.take(longest.unwrap_or(0)).collect();
    let head = head.to_ascii_lowercase();
    SCHEMES.iter().any(|scheme| head.starts_with(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_urls_are_recognised_as_in_browsers() {
        #[track_caller]
        fn check(address: &str, expected: bool) {
            assert_eq!(is_script(address), expected, "{address}");
        }
        check("javascript:alert(1)", true);
        check("\u{1} JaVaScRiPt:x", true);
        check("java\nscr\tipt:x", true);
        check("vbscript:x", true);
        check("data:text/html,<script>", true);
        check("data:image/png;base64,", false);
        check("http://javascript:8080/", false);
        check("javascript", false);
        check("#javascript:", false);
        check("", false);
    }
}
