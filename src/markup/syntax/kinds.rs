//! Kinds of elements by their names, as far as this package distinguishes them (HTML, 13.2.4.2 and 13.2.6).

/// Returns whether an element never has content (HTML, 13.1.2), including obsolete elements.
pub(crate) fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "img"
            | "image"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

pub(crate) fn is_heading(name: &str) -> bool {
    matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

pub(crate) fn is_formatting(name: &str) -> bool {
    matches!(
        name,
        "a" | "b"
            | "big"
            | "code"
            | "em"
            | "font"
            | "i"
            | "nobr"
            | "s"
            | "small"
            | "strike"
            | "strong"
            | "tt"
            | "u"
    )
}

pub(crate) fn is_table_part(name: &str) -> bool {
    matches!(
        name,
        "caption" | "col" | "colgroup" | "tbody" | "td" | "tfoot" | "th" | "thead" | "tr"
    )
}

/// Returns whether the start tag of an element closes an open paragraph.
pub(crate) fn is_block(name: &str) -> bool {
    is_heading(name)
        || matches!(
            name,
            "address"
                | "article"
                | "aside"
                | "blockquote"
                | "center"
                | "dd"
                | "details"
                | "dialog"
                | "dir"
                | "div"
                | "dl"
                | "dt"
                | "fieldset"
                | "figcaption"
                | "figure"
                | "footer"
                | "form"
                | "header"
                | "hgroup"
                | "hr"
                | "li"
                | "listing"
                | "main"
                | "menu"
                | "nav"
                | "ol"
                | "p"
                | "plaintext"
                | "pre"
                | "search"
                | "section"
                | "summary"
                | "ul"
                | "xmp"
        )
}

/// Returns whether an element is special (HTML, 13.2.4.2), so that an end tag of another element does not reach beyond
/// it.
pub(crate) fn is_special(name: &str) -> bool {
    is_block(name)
        || is_table_part(name)
        || is_void(name)
        || matches!(
            name,
            "applet"
                | "body"
                | "button"
                | "frameset"
                | "head"
                | "html"
                | "iframe"
                | "marquee"
                | "noembed"
                | "noframes"
                | "noscript"
                | "object"
                | "script"
                | "select"
                | "style"
                | "table"
                | "textarea"
                | "title"
        )
}

pub(crate) fn bounds_scope(name: &str) -> bool {
    matches!(
        name,
        "applet" | "caption" | "html" | "table" | "td" | "th" | "marquee" | "object"
    )
}
