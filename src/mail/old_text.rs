//! Old text formats: `text/enriched` (RFC 1896), and uuencoded files within a text (POSIX.1). Writes neither format.

use super::html::escape;

/// Valid length of a file name, in bytes.
const NAME: std::ops::Range<usize> = 1..256;

/// A uuencoded file found in a text.
pub(super) struct Within {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

/// Converts enriched text (RFC 1896) to HTML. Fonts and colours are left out.
pub(super) fn enriched(text: &str) -> String {
    let mut page = String::new();
    let text = text.replace("\r\n", "\n");
    let mut rest = text.as_str();
    let mut open: Vec<&'static str> = Vec::new();
    // Whether lines are filled (outside of `<nofill>`), and whether this text is a parameter of a command, which is not
    // shown.
    let (mut is_filled, mut is_parameter) = (true, false);
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("<<") {
            page.push_str("&lt;");
            rest = after;
        } else if c == '<' {
            let Some((command, after)) = rest[1..].split_once('>') else {
                escape(rest, &mut page);
                break;
            };
            rest = after;
            let (is_end, name) = match command.strip_prefix('/') {
                Some(name) => (true, name.to_ascii_lowercase()),
                None => (false, command.to_ascii_lowercase()),
            };
            let tag = match &*name {
                "bold" => "b",
                "italic" => "i",
                "underline" => "u",
                "fixed" => "code",
                "excerpt" => "blockquote",
                "nofill" => {
                    is_filled = is_end;
                    continue;
                }
                "param" => {
                    is_parameter = !is_end;
                    continue;
                }
                _ => continue,
            };
            if !is_end {
                // An end tag is written only if it is properly nested; elements that are still open are closed at the
                // end of the text.
                open.push(tag);
                page.extend(["<", tag, ">"]);
            } else if open.last() == Some(&tag) {
                open.pop();
                page.extend(["</", tag, ">"]);
            }
        } else if c == '\n' {
            // In filled text, one line break is a space, and each further line break becomes a `<br>`. At most 100
            // are written.
            let count = rest.len() - rest.trim_start_matches('\n').len();
            match (is_filled, count) {
                (true, 1) => page.push(' '),
                (true, count) => page.push_str(&"<br>".repeat(count.min(100) - 1)),
                (false, count) => page.push_str(&"<br>".repeat(count.min(100))),
            }
            rest = &rest[count..];
        } else {
            let end = rest.find(['<', '\n']).unwrap_or(rest.len());
            if !is_parameter {
                escape(&rest[..end], &mut page);
            }
            rest = &rest[end..];
        }
    }
    for tag in open.iter().rev() {
        page.extend(["</", *tag, ">"]);
    }
    page
}

/// Extracts the uuencoded files from a text. Returns the remaining text and the files.
pub(super) fn files(text: String) -> (String, Vec<Within>) {
    if !text.contains("begin ") {
        return (text, Vec::new());
    }
    let (mut out, mut files) = (String::new(), Vec::new());
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        let Some(name) = name(line) else {
            out.push_str(line);
            continue;
        };
        let mut after = lines.clone();
        match decoded(&mut after) {
            Some(bytes) => {
                files.push(Within {
                    name: name.to_owned(),
                    bytes,
                });
                lines = after;
            }
            None => out.push_str(line),
        }
    }
    (out, files)
}

/// Returns the file name in a line that begins a uuencoded file: `begin`, a file mode in octal, and the name.
fn name(line: &str) -> Option<&str> {
    let (mode, name) = line.strip_prefix("begin ")?.split_once(' ')?;
    let is_mode =
        (3..=4).contains(&mode.len()) && mode.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
    let name = name.trim();
    (is_mode && NAME.contains(&name.len())).then_some(name)
}

/// Decodes the lines up to `end`. `None` if a line is not uuencoded, or if no line is `end`; then the text is not a
/// uuencoded file.
///
/// Each line begins with its length in bytes; four characters of 6 bits follow for each three bytes. A character is its
/// value plus 32, and a grave accent also stands for zero.
fn decoded<'t>(lines: &mut impl Iterator<Item = &'t str>) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for line in lines {
        let line = line.trim_end_matches(['\r', '\n']).as_bytes();
        if line == b"end" {
            return Some(bytes);
        }
        let Some((first, letters)) = line.split_first() else {
            continue;
        };
        let value = |byte: &u8| match byte {
            b' '..=b'`' => Some((byte - b' ') & 63),
            _ => None,
        };
        let length = usize::from(value(first)?);
        let values: Option<Vec<u8>> = letters.iter().map(value).collect();
        let mut own = Vec::new();
        for group in values?.chunks(4) {
            // Spaces at the end of a line are often cut off, so missing characters count as 0.
            let at = |nth: usize| group.get(nth).copied().unwrap_or(0);
            own.extend([
                at(0) << 2 | at(1) >> 4,
                at(1) << 4 | at(2) >> 2,
                at(2) << 6 | at(3),
            ]);
        }
        own.resize(length, 0);
        bytes.extend(own);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enriched_text_becomes_a_page() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            assert_eq!(enriched(text), expected, "{text}");
        }
        check("<bold>a</bold> 1 << 2\nb\n\nc", "<b>a</b> 1 &lt; 2 b<br>c");
        check("<color><param>red</param>x</color><italic>y", "x<i>y</i>");
        check("<nofill>a\nb</nofill>\nc & <unknown>d", "a<br>b c &amp; d");
        check("</bold>x<", "x&lt;");
    }

    #[test]
    fn uuencoded_files_are_extracted() {
        let text = "before\nbegin 644 cat.txt\n#0V%T\n`\nend\nafter\n";
        let (rest, found) = files(text.to_owned());
        assert_eq!(rest, "before\nafter\n");
        assert_eq!(
            (found[0].name.as_str(), &found[0].bytes[..]),
            ("cat.txt", &b"Cat"[..])
        );
        for text in [
            "begin 644 x\nno file\n",
            "begin 644 x\n#0V%T\n",
            "begin here\nend\n",
        ] {
            assert_eq!(files(text.to_owned()).0, text);
        }
    }
}
