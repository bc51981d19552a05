//! Colour names of DrawingML (ECMA-376 part 1, 20.1.10.47): those of CSS, some of them abbreviated.

use convertd_tree::{Colour, colours};

/// Returns the colour with a name such as `red` or `dkBlue`.
pub fn preset(name: &str) -> Option<[u8; 3]> {
    let name = name.to_ascii_lowercase();
    // Abbreviations at the beginning of names.
    let whole = [("dk", "dark"), ("lt", "light"), ("med", "medium")];
    let longer = whole.iter().find_map(|(short, long)| {
        let rest = name.strip_prefix(short)?;
        colours::named(&format!("{long}{rest}"))
    });
    let Colour(red, green, blue) = longer.or_else(|| colours::named(&name))?;
    Some([red, green, blue])
}

/// Parses six hexadecimal digits, with or without a number sign.
pub fn hexadecimal(digits: &str) -> Option<[u8; 3]> {
    let digits = digits.trim().trim_start_matches('#');
    if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some([red, green, blue])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_be_abbreviated() {
        #[track_caller]
        fn check(name: &str, expected: Option<[u8; 3]>) {
            assert_eq!(preset(name), expected, "{name}");
        }
        check("red", Some([255, 0, 0]));
        check("dkBlue", Some([0, 0, 0x8b]));
        check("ltGrey", Some([0xd3; 3]));
        check("medOrchid", Some([0xba, 0x55, 0xd3]));
        check("reddish", None);
    }
}
