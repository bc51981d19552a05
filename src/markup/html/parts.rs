//! Splits a page that becomes a part of another page: a mail or a chapter. Changes nothing in its parts.

/// The parts of a page.
pub struct Parts<'t> {
    /// Text in front of the tag of the body. Empty without such a tag.
    pub head: &'t str,
    /// `style` elements in front of the body, with their tags.
    pub styles: Vec<&'t str>,
    /// Attributes of the body, as written in its tag.
    pub attributes: &'t str,
    /// Content of the body.
    pub body: &'t str,
}

impl<'t> Parts<'t> {
    /// Splits a page. Without a `body` tag, all of the page up to `</body>` is the body.
    pub fn of(html: &'t str) -> Self {
        let lower = html.to_ascii_lowercase();
        let tag = lower.find("<body").filter(|at| {
            let next = lower.as_bytes().get(at + 5);
            next.is_some_and(|c| c.is_ascii_whitespace() || matches!(c, b'>' | b'/'))
        });
        let open = tag.and_then(|at| Some((at + 5, at + lower[at..].find('>')?)));
        let (attributes, start) = match open {
            Some((from, to)) => (html[from..to].trim_end_matches('/'), to + 1),
            None => ("", 0),
        };
        let end = lower.rfind("</body").unwrap_or(html.len()).max(start);
        let mut styles = Vec::new();
        let mut from = 0;
        while let Some(at) = lower[from..start].find("<style").map(|at| from + at) {
            let Some(end) = lower[at..start].find("</style>").map(|end| at + end + 8) else {
                break;
            };
            styles.push(&html[at..end]);
            from = end;
        }
        Self {
            head: &html[..tag.filter(|_| open.is_some()).unwrap_or(0)],
            styles,
            attributes,
            body: &html[start..end],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_split_into_styles_and_body() {
        let page = "<html><head><STYLE>p{}</STYLE></head><body class='x'><p>1</p></body></html>";
        let parts = Parts::of(page);
        assert_eq!(parts.styles, ["<STYLE>p{}</STYLE>"]);
        assert_eq!((parts.attributes, parts.body), (" class='x'", "<p>1</p>"));
        assert_eq!(parts.head, &page[..page.find("<body").unwrap()]);
        let bare = Parts::of("<p>1");
        assert_eq!(
            (bare.styles.len(), bare.attributes, bare.body),
            (0, "", "<p>1")
        );
        assert_eq!(Parts::of("<style><body>").body, "");
    }
}
