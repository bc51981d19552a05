//! File names that clients send and receive. They are text for people, and never used as paths.

/// The maximum length of a name in bytes.
const MAX: usize = 255;

/// The name of a file that was sent without one.
pub(super) const NAMELESS: &str = "upload";

/// Makes a name from a client harmless: keeps its last component, removes control characters, marks that change the
/// direction of writing, and white space at both ends, and cuts it to 255 bytes. Returns [`NAMELESS`] if nothing, `.`
/// or `..` is left.
pub(super) fn sanitise(sent: &str) -> String {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut name: String = last
        .chars()
        .filter(|&c| !c.is_control() && !is_direction_mark(c))
        .collect();
    if name.len() > MAX {
        // A long name is cut before its extension, because the extension is more useful than the end of the stem. An
        // extension of more than 16 bytes is cut like the rest.
        let extension = name
            .rsplit_once('.')
            .map(|(_, extension)| format!(".{extension}"))
            .filter(|e| e.len() <= 16);
        let extension = extension.unwrap_or_default();
        name.truncate(name.floor_char_boundary(MAX - extension.len()));
        name.push_str(&extension);
    }
    let name = name.trim();
    if name.is_empty() || name == "." || name == ".." {
        NAMELESS.into()
    } else {
        name.to_owned()
    }
}

/// Returns whether a character can make a name look like a different one (Unicode, "Bidirectional formatting
/// characters").
pub(crate) fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The name of a result: the name of the original with another extension, at most 255 bytes.
pub(super) fn of_result(original: &str, extension: &str) -> String {
    let stem = match original.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => original,
    };
    let stem = &stem[..stem.floor_char_boundary(MAX - 1 - extension.len())];
    format!("{stem}.{extension}")
}

/// The value of `Content-Disposition` (RFC 6266) for a download, with `filename*` (RFC 8187) if the name contains a
/// quotation mark, a backslash, a percent sign, or a character that is not printable ASCII.
pub(super) fn attachment(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| {
            if c == ' ' || (c.is_ascii_graphic() && !"\"\\%".contains(c)) {
                c
            } else {
                '_'
            }
        })
        .collect();
    if plain == name {
        return format!("attachment; filename=\"{plain}\"");
    }
    let mut encoded = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte) {
            encoded.push(byte as char);
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_harmless() {
        #[track_caller]
        fn check(sent: &str, kept: &str) {
            assert_eq!(sanitise(sent), kept);
        }
        check("photo.png", "photo.png");
        check("../../etc/passwd", "passwd");
        check("C:\\Users\\me\\a.jpg", "a.jpg");
        check("a\0b\r\n.png", "ab.png");
        check("\u{202e}gnp.exe", "gnp.exe");
        check("", "upload");
        check("..", "upload");
        check("dir/", "upload");
        check("  ", "upload");
        check("ünïcode ✓.png", "ünïcode ✓.png");
    }

    #[test]
    fn long_names_keep_their_extension() {
        let name = sanitise(&format!("{}.jpeg", "é".repeat(5000)));
        assert!(
            name.len() <= MAX && name.ends_with(".jpeg"),
            "{} bytes",
            name.len()
        );
        assert!(sanitise(&"a".repeat(5000)).len() == MAX);
        assert!(of_result(&name, "webp").len() <= MAX);
    }

    #[test]
    fn results_are_named_after_their_originals() {
        assert_eq!(of_result("a.b.png", "jpg"), "a.b.jpg");
        assert_eq!(of_result("noext", "jpg"), "noext.jpg");
        assert_eq!(of_result(".hidden", "jpg"), ".hidden.jpg");
    }

    #[test]
    fn dispositions_are_ascii() {
        assert_eq!(attachment("a b.jpg"), "attachment; filename=\"a b.jpg\"");
        assert_eq!(
            attachment("ü\".jpg"),
            "attachment; filename=\"__.jpg\"; filename*=UTF-8''%C3%BC%22.jpg"
        );
    }
}
