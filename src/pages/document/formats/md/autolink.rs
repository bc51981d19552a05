//! Extended autolinks (GitHub Flavored Markdown, 6.9): URLs and e-mail addresses in running text that become links
//! without any markup. Looks at each character a bounded number of times, even if the text is full of partial matches.
//! Checks no address for existence.

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Text that is not part of an address.
    Text(&'a str),
    /// An address, with the prefix that makes it a URL: `http://`, `mailto:` or nothing.
    Address(&'static str, &'a str),
}

/// The maximum length in bytes of a URL after its scheme, and of each of the two parts of an e-mail address. A longer
/// address stays text.
const LONGEST: usize = 4096;

/// Splits a text into addresses and the text between them.
pub(super) fn split<'a>(text: &'a str, mut emit: impl FnMut(Piece<'a>)) {
    let bytes = text.as_bytes();
    let mut done = 0;
    let mut at = 0;
    // Every address contains the `:` of `://`, the `.` of `www.`, or the `@` of an e-mail address.
    while let Some(found) = memchr::memchr3(b':', b'.', b'@', &bytes[at..]) {
        let sign = at + found;
        let address = match bytes[sign] {
            b':' => with_scheme(text, sign),
            b'.' => after_www(text, sign),
            _ => mail(text, sign),
        };
        at = sign + 1;
        let Some((start, end, prefix)) = address.filter(|(start, ..)| *start >= done) else {
            continue;
        };
        if done < start {
            emit(Piece::Text(&text[done..start]));
        }
        emit(Piece::Address(prefix, &text[start..end]));
        done = end;
        at = end;
    }
    if done < text.len() {
        emit(Piece::Text(&text[done..]));
    }
}

/// Start and end of an address in a text, in bytes, and the prefix that makes it a URL.
type AddressMatch = Option<(usize, usize, &'static str)>;

/// Returns whether an address may begin here: at the beginning of the text, after white space, or after one of `*`,
/// `_`, `~` and `(`.
fn may_begin(text: &str, start: usize) -> bool {
    match text[..start].chars().next_back() {
        None => true,
        Some(c) => c.is_whitespace() || "*_~(".contains(c),
    }
}

fn with_scheme(text: &str, colon: usize) -> AddressMatch {
    if !text[colon..].starts_with("://") {
        return None;
    }
    let scheme = ["https", "http", "ftp"]
        .into_iter()
        .find(|scheme| ends_with(&text.as_bytes()[..colon], scheme.as_bytes()))?;
    let start = colon - scheme.len();
    let host = colon + 3;
    if !may_begin(text, start) {
        return None;
    }
    // After a scheme, unlike after `www.`, the host needs no dot: `http://localhost`.
    let end = end_of(text, start, host, false)?;
    Some((start, end, ""))
}

fn after_www(text: &str, dot: usize) -> AddressMatch {
    if !ends_with(&text.as_bytes()[..dot], b"www") {
        return None;
    }
    let start = dot - 3;
    if !may_begin(text, start) {
        return None;
    }
    let end = end_of(text, start, start, true)?;
    Some((start, end, "http://"))
}

fn ends_with(bytes: &[u8], word: &[u8]) -> bool {
    let Some(start) = bytes.len().checked_sub(word.len()) else {
        return false;
    };
    bytes[start..].eq_ignore_ascii_case(word)
}

/// Returns the end of the address that begins at `start`, and whose host begins at `host`. `None` if the address is
/// longer than [`LONGEST`], or if its host is not valid (GitHub Flavored Markdown, 6.9). The last two labels of a valid
/// host contain no underscores, and no label between two others is empty. If `dotted` is true, the host has at least
/// two labels.
fn end_of(text: &str, start: usize, host: usize, dotted: bool) -> Option<usize> {
    let rest = &text[host..];
    // Bound the search, since a single word may contain very many candidates.
    let rest = &rest[..rest.floor_char_boundary(LONGEST + 4)];
    let of_host = |c: char| c.is_alphanumeric() || c == '-' || c == '_' || c == '.';
    let host_len = rest.find(|c| !of_host(c)).unwrap_or(rest.len());
    let name = rest[..host_len].trim_end_matches('.');
    let mut labels = name.rsplit('.');
    let last = labels.next()?;
    let second = labels.next();
    if name.is_empty() || dotted && second.is_none() || name.contains("..") {
        return None;
    }
    if last.contains('_') || second.is_some_and(|label| label.contains('_')) {
        return None;
    }
    let end = rest
        .find(|c: char| c.is_whitespace() || c == '<')
        .unwrap_or(rest.len());
    (end <= LONGEST).then(|| start + trimmed(&text[start..host + end]))
}

/// The length of an address without trailing punctuation, a trailing entity, and unmatched closing brackets.
fn trimmed(address: &str) -> usize {
    let bytes = address.as_bytes();
    let mut end = bytes.len();
    let count = |sign| memchr::memchr_iter(sign, bytes).count();
    let (opened, mut closed) = (count(b'('), count(b')'));
    while let Some(last) = bytes[..end].last() {
        match last {
            b'?' | b'!' | b'.' | b',' | b':' | b'*' | b'_' | b'~' | b'\'' | b'"' => end -= 1,
            b')' if closed > opened => {
                closed -= 1;
                end -= 1;
            }
            b';' => {
                let name = bytes[..end - 1]
                    .iter()
                    .rev()
                    .take_while(|b| b.is_ascii_alphanumeric());
                let entity = end - 1 - name.count();
                match bytes[..entity].last() {
                    Some(b'&') if entity < end - 1 => end = entity - 1,
                    _ => return end,
                }
            }
            _ => return end,
        }
    }
    end
}

/// Recognises an e-mail address around the at sign (GitHub Flavored Markdown, 6.9).
fn mail(text: &str, at: usize) -> AddressMatch {
    let bytes = text.as_bytes();
    let of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b".-_+".contains(byte);
    let before = bytes[..at]
        .iter()
        .rev()
        .take(LONGEST + 1)
        .take_while(of_name)
        .count();
    let start = at - before;
    let of_host = |byte: &&u8| byte.is_ascii_alphanumeric() || b".-_".contains(byte);
    let after = bytes[at + 1..]
        .iter()
        .take(LONGEST + 1)
        .take_while(of_host)
        .count();
    let mut end = at + 1 + after;
    while end > at && bytes[end - 1] == b'.' {
        end -= 1;
    }
    let host = &text[at + 1..end.max(at + 1)];
    let refused = before == 0
        || before.max(after) > LONGEST
        || !host.contains('.')
        || host.contains("..")
        || host.starts_with('.')
        || host.ends_with(['-', '_']);
    (!refused).then_some((start, end, "mailto:"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_end_where_they_should() {
        #[track_caller]
        fn check(text: &str, addresses: &[&str]) {
            let mut found = Vec::new();
            let mut all = String::new();
            split(text, |piece| match piece {
                Piece::Text(text) => all.push_str(text),
                Piece::Address(prefix, address) => {
                    all.push_str(address);
                    found.push(format!("{prefix}{address}"));
                }
            });
            assert_eq!(all, text);
            assert_eq!(found, addresses, "{text}");
        }
        check("www.commonmark.org", &["http://www.commonmark.org"]);
        check(
            "Visit www.commonmark.org/help for more",
            &["http://www.commonmark.org/help"],
        );
        check("Visit www.commonmark.org.", &["http://www.commonmark.org"]);
        check(
            "Visit www.commonmark.org/a.b.",
            &["http://www.commonmark.org/a.b"],
        );
        check(
            "www.google.com/search?q=Markup+(business)",
            &["http://www.google.com/search?q=Markup+(business)"],
        );
        check(
            "www.google.com/search?q=Markup+(business)))",
            &["http://www.google.com/search?q=Markup+(business)"],
        );
        check(
            "(www.google.com/search?q=Markup+(business))",
            &["http://www.google.com/search?q=Markup+(business)"],
        );
        check(
            "www.google.com/search?q=(business))+ok",
            &["http://www.google.com/search?q=(business))+ok"],
        );
        check(
            "www.google.com/search?q=commonmark&hl;",
            &["http://www.google.com/search?q=commonmark"],
        );
        check(
            "www.google.com/search?q=commonmark&hl=en",
            &["http://www.google.com/search?q=commonmark&hl=en"],
        );
        check(
            "www.commonmark.org/he<lp",
            &["http://www.commonmark.org/he"],
        );
        check(
            "http://commonmark.org and https://x.y/?q=1.",
            &["http://commonmark.org", "https://x.y/?q=1"],
        );
        check(
            "ftp://foo.bar.baz xhttp://a.b http://a_b.c",
            &["ftp://foo.bar.baz"],
        );
        check("foo@bar.baz", &["mailto:foo@bar.baz"]);
        check(
            "hello@mail+xyz.example isn't, hello+xyz@mail.example is.",
            &["mailto:hello+xyz@mail.example"],
        );
        check(
            "a.b-c_d@a.b a.b-c_d@a.b. a.b-c_d@a.b- a.b-c_d@a.b_",
            &["mailto:a.b-c_d@a.b", "mailto:a.b-c_d@a.b"],
        );
        check("é@b.c @ : . http:// www. www.. a@b www.a_b.c", &[]);
        check("日本 http://例え.jp/日本 x", &["http://例え.jp/日本"]);
    }

    #[test]
    fn each_partial_address_is_examined_once() {
        // A search in quadratic time would take minutes for texts of these lengths.
        for text in [
            "www.".repeat(200_000),
            "www.a.b/(".repeat(50_000),
            "http://".repeat(100_000),
        ] {
            let mut len = 0;
            split(&text, |piece| match piece {
                Piece::Text(text) | Piece::Address(_, text) => len += text.len(),
            });
            assert_eq!(len, text.len());
        }
    }

    #[test]
    fn addresses_beyond_the_limit_stay_text() {
        let found = |text: &str| {
            let mut found = 0;
            split(text, |piece| {
                found += usize::from(matches!(piece, Piece::Address(..)))
            });
            found
        };
        let long = "a".repeat(LONGEST + 1);
        assert_eq!(found(&format!("{}@b.c", &long[1..])), 1);
        assert_eq!(found(&format!("{long}@b.c")), 0);
        assert_eq!(found(&format!("a@b.{}", &long[3..])), 1);
        assert_eq!(found(&format!("a@b.{long}")), 0);
    }
}
