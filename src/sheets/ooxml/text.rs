//! Escapes for characters that XML cannot represent, such as `_x000D_` for a carriage return (ECMA-376 part 1,
//! 22.4.2.4), together with those that XML itself requires.

use crate::coding::escape::replace;
use std::borrow::Cow;

/// Decodes the escapes in a text.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    if memchr::memmem::find(text.as_bytes(), b"_x").is_none() {
        return Cow::Borrowed(text);
    }
    let mut units: Vec<u16> = Vec::new();
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("_x") {
        let Some(unit) = unit(&rest[at..]) else {
            flush(&mut units, &mut out);
            out.push_str(&rest[..at + 2]);
            rest = &rest[at + 2..];
            continue;
        };
        if at > 0 {
            flush(&mut units, &mut out);
            out.push_str(&rest[..at]);
        }
        // A character outside of the Basic Multilingual Plane is a surrogate pair, and therefore two escapes.
        units.push(unit);
        rest = &rest[at + 7..];
    }
    flush(&mut units, &mut out);
    out.push_str(rest);
    Cow::Owned(out)
}

/// Appends the code units of adjacent escapes. They are decoded together, because two may be a surrogate pair.
fn flush(units: &mut Vec<u16>, out: &mut String) {
    out.push_str(&String::from_utf16_lossy(units));
    units.clear();
}

/// Code unit of an escape at the beginning of a text.
fn unit(text: &str) -> Option<u16> {
    let digits = text.as_bytes().get(..7)?;
    let hex = digits[2..6].iter().all(u8::is_ascii_hexdigit);
    let is_escape = digits.starts_with(b"_x") && hex && digits[6] == b'_';
    is_escape.then(|| u16::from_str_radix(&text[2..6], 16).ok())?
}

/// Appends text to XML, with escapes for characters that XML cannot represent. A text that looks like an escape is
/// escaped, too.
pub(crate) fn escape(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    let mut done = 0;
    for (at, byte) in bytes.iter().enumerate() {
        let instead: &[u8] = match byte {
            b'&' => b"&amp;",
            b'<' => b"&lt;",
            b'>' => b"&gt;",
            b'_' if text.get(at..).and_then(unit).is_some() => b"_x005F_",
            b'\t' | b'\n' => continue,
            0..0x20 => {
                out.extend(&bytes[done..at]);
                out.extend(format!("_x{byte:04X}_").as_bytes());
                done = at + 1;
                continue;
            }
            // U+FFFE and U+FFFF are not permitted in XML.
            0xbe | 0xbf if bytes[..at].ends_with(b"\xef\xbf") => {
                out.extend(&bytes[done..at - 2]);
                out.extend(format!("_xFF{:02X}_", byte + 0x40).as_bytes());
                done = at + 1;
                continue;
            }
            _ => continue,
        };
        out.extend(&bytes[done..at]);
        out.extend(instead);
        done = at + 1;
    }
    out.extend(&bytes[done..]);
}

/// Escapes a text for an attribute in double quotes, or for text between tags. Line ends and tabs become character
/// references, because parsers turn them into spaces in attributes.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = Vec::new();
    escape(text, &mut out);
    let (text, mut out) = (String::from_utf8_lossy(&out), String::new());
    replace(&text, &mut out, |c| match c {
        '"' => Some("&quot;"),
        '\n' => Some("&#10;"),
        '\t' => Some("&#9;"),
        _ => None,
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_xml_forbids_survive_a_round_trip() {
        #[track_caller]
        fn check(text: &str, xml: &str) {
            let mut out = Vec::new();
            escape(text, &mut out);
            let out = String::from_utf8(out).unwrap();
            assert_eq!(out, xml);
            let plain = out
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&");
            assert_eq!(unescape(&plain), text);
        }
        check("a\r\nb", "a_x000D_\nb");
        check("_x000D_", "_x005F_x000D_");
        check("_x00g0_ _x", "_x00g0_ _x");
        check("a5_08675_01", "a5_08675_01");
        check("<a & b>", "&lt;a &amp; b&gt;");
        check("\0ä\u{1f}日", "_x0000_ä_x001F_日");
        check("\u{fffe}a\u{ffff}", "_xFFFE_a_xFFFF_");
        check("ﾾ\u{ff3e}", "ﾾ\u{ff3e}");
        assert_eq!(unescape("_xD83D__xDE00_!"), "😀!");
        assert_eq!(unescape("_xD83D_"), "\u{fffd}");
        assert_eq!(escaped("a\n\"\t\r<"), "a&#10;&quot;&#9;_x000D_&lt;");
    }
}
