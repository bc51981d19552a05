//! Paths as the log shows them. Never a whole identifier, which gives the right to download its result.

/// Shortens a path for the log: of anything that is an identifier, or is in the place of one, only the beginning is logged.
pub(super) fn shorten(path: &str) -> String {
    const MAX: usize = 200;
    const BEGINNING: usize = 8;
    let mut before = "";
    let shown: Vec<&str> = path
        .split('/')
        .map(|segment| {
            let expected = matches!(before, "status" | "download");
            before = segment;
            let digits = segment.bytes().filter(u8::is_ascii_hexdigit).count();
            match segment.char_indices().nth(BEGINNING) {
                Some((at, _)) if expected || digits >= 32 => &segment[..at],
                Some(_) | None => segment,
            }
        })
        .collect();
    let mut shown = shown.join("/");
    if let Some((at, _)) = shown.char_indices().nth(MAX) {
        shown.truncate(at);
        shown.push('…');
    }
    shown
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
        // These are not identifiers, but would tell a reader of the log the identifier in them.
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
        assert_eq!(shorten(&"x".repeat(5000)).chars().count(), 201);
    }
}
