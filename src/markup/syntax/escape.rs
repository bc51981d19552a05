//! Escapes text for HTML. The result is well-formed XML, too.

use crate::coding::escape;

/// Escapes text between tags.
pub fn text(text: &str, out: &mut String) {
    escape(text, out);
}

/// Escapes the value of an attribute in double quotes.
pub fn attribute(value: &str, out: &mut String) {
    escape(value, out);
}

fn escape(text: &str, out: &mut String) {
    escape::replace(text, out, |c| match c {
        // XML cannot represent control characters other than tab, line feed and carriage return, so they become U+FFFD.
        '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' => Some("\u{fffd}"),
        c => escape::markup(c),
    });
}

/// Escapes a URL for an attribute in double quotes. Characters that are not allowed in URLs are percent-encoded;
/// existing percent-encoding is kept.
pub fn href(address: &str, out: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for byte in address.bytes() {
        match byte {
            b'&' => out.push_str("&amp;"),
            b'\'' => out.push_str("&#x27;"),
            _ if byte.is_ascii_alphanumeric() || b"-_.+!*(),%#@?=;:/$~".contains(&byte) => {
                out.push(char::from(byte));
            }
            _ => {
                out.push('%');
                out.push(char::from(HEX[usize::from(byte >> 4)]));
                out.push(char::from(HEX[usize::from(byte & 15)]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(write: impl FnOnce(&mut String)) -> String {
        let mut out = String::new();
        write(&mut out);
        out
    }

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(
            with(|out| text("a<b> & \"c\" \u{1}'é'", out)),
            "a&lt;b&gt; &amp; &quot;c&quot; \u{fffd}'é'"
        );
        assert_eq!(
            with(|out| href("/ü?a=%20&b='[x]\"", out)),
            "/%C3%BC?a=%20&amp;b=&#x27;%5Bx%5D%22"
        );
    }
}
