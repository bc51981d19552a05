//! Paths and reasons as the log shows them. They never contain a whole identifier, because it is all that a client
//! needs to download the result.

/// Number of hexadecimal digits of an identifier.
const DIGITS: usize = 32;
/// Number of characters of an identifier that the log shows.
const BEGINNING: usize = 8;

/// Shortens a path for the log. Keeps only the beginning of an identifier, or of a text in its place.
pub(super) fn shorten(path: &str) -> String {
    const MAX: usize = 200;
    let mut before = "";
    let shown: Vec<&str> = path
        .split('/')
        .map(|segment| {
            let expected = matches!(before, "status" | "download");
            before = segment;
            let digits = segment.bytes().filter(u8::is_ascii_hexdigit).count();
            match segment.char_indices().nth(BEGINNING) {
                Some((at, _)) if expected || digits >= DIGITS => &segment[..at],
                Some(_) | None => segment,
            }
        })
        .collect();
    cut(shown.join("/"), MAX)
}

/// Shortens a sentence for the log, and each identifier in it.
pub(super) fn shorten_reason(text: &str) -> String {
    const MAX: usize = 400;
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let pieces = text.split_inclusive(|c| !is_part(c)).map(|piece| {
        let digits = piece.bytes().filter(u8::is_ascii_hexdigit).count();
        match piece.char_indices().next_back() {
            Some((end, last)) if digits >= DIGITS => {
                let rest = if is_part(last) { "" } else { &piece[end..] };
                format!("{}{rest}", &piece[..BEGINNING])
            }
            Some(_) | None => piece.to_owned(),
        }
    });
    cut(pieces.collect(), MAX)
}

/// Shortens a text of more than `most` characters to `most` characters and an ellipsis.
fn cut(mut text: String, most: usize) -> String {
    if let Some((at, _)) = text.char_indices().nth(most) {
        text.truncate(at);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_shows_only_the_beginning_of_an_identifier() {
        #[track_caller]
        fn check(path: &str, expected: &str) {
            assert_eq!(shorten(path), expected);
        }
        let id = "a5f0c1de-0b7c-4f0e-9a3b-0123456789ab";
        check(&format!("/api/v1/status/{id}"), "/api/v1/status/a5f0c1de");
        // Unusual spellings of an identifier, which the log must not reveal either.
        check(
            &format!("/api/v1/download/{id}.png"),
            "/api/v1/download/a5f0c1de",
        );
        check(
            &format!("/api/v1/status/{}", id.to_uppercase()),
            "/api/v1/status/A5F0C1DE",
        );
        check(
            &format!("/api/v1/download//{id}"),
            "/api/v1/download//a5f0c1de",
        );
        check(&format!("/{id},"), "/a5f0c1de");
        check(
            "/api/v1/download/é-and-more-than-8",
            "/api/v1/download/é-and-mo",
        );
        check("/api/v1/health", "/api/v1/health");
        let reason = format!("nothing at /download/{id}.png; {id}");
        assert_eq!(
            shorten_reason(&reason),
            "nothing at /download/a5f0c1de.png; a5f0c1de"
        );
        assert_eq!(shorten_reason("ünknown format"), "ünknown format");
        assert_eq!(shorten(&"x".repeat(5000)).chars().count(), 201);
    }
}
