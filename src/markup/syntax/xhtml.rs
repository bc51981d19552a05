//! Recognises XHTML pages, which are read by the rules of XML 1.0: every element ends explicitly, and the content of a
//! CDATA section is text.
//!
//! The tokenizer knows HTML alone. A well-formed page is therefore rewritten with equivalent HTML: CDATA sections
//! become escaped text. Comments are left out, and so are processing instructions and the internal subset of the
//! document type, which would end at the first `>` in HTML. A page that is not well-formed is read as HTML.

use super::tokens::Syntax;

/// The namespace of XHTML.
const NAMESPACE: &str = "http://www.w3.org/1999/xhtml";

/// Length of the beginning of a page in which its root element is searched, in bytes.
const HEAD: usize = 4096;

/// Returns the page and its syntax. A well-formed XHTML page is rewritten; one that is not well-formed gets missing end
/// tags of elements such as `<title/>`, and is HTML.
pub fn page(text: String) -> (String, Syntax) {
    if !is_xhtml(&text) {
        return (text, Syntax::Html);
    }
    match expanded(&text) {
        Some(text) => (text, Syntax::Xhtml),
        None => (with_end_tags(&text), Syntax::Html),
    }
}

/// Elements whose content has no tags in HTML. Without an end tag, such an element would take in the rest of the page.
const WITHOUT_TAGS: [&str; 6] = ["title", "script", "style", "textarea", "iframe", "noframes"];

/// Adds end tags to empty elements (`<title/>`) that would otherwise have no end in HTML.
fn with_end_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("/>") {
        let (before, behind) = rest.split_at(at + 2);
        rest = behind;
        out.push_str(before);
        let tag = before.rfind('<').map(|begin| &before[begin..]);
        if let Some((name, len)) = tag.and_then(start_tag)
            && tag.is_some_and(|tag| tag.len() == len)
            && WITHOUT_TAGS.contains(&name)
        {
            out.extend(["</", name, ">"]);
        }
    }
    out.push_str(rest);
    out
}

/// Returns whether a page says that it is XHTML: by the declaration of XML in front, or the namespace of its root
/// element.
fn is_xhtml(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with("<?xml") {
        return true;
    }
    let mut end = text.len().min(HEAD);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let head = &text[..end];
    let root = head.find("<html").map(|at| &head[at..]);
    let tag = root.and_then(|root| root.get(..root.find('>')?));
    tag.is_some_and(|tag| tag.contains(NAMESPACE))
}

/// Rewrites a well-formed document so that it contains only markup that HTML has, too. `None` if it is not well-formed.
pub fn expanded(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut open: Vec<&str> = Vec::new();
    let mut has_root = false;
    let mut rest = text.trim_start_matches('\u{feff}');
    while let Some(at) = rest.find('<') {
        let (before, markup) = rest.split_at(at);
        if !is_text(before) || open.is_empty() && !before.trim().is_empty() {
            return None;
        }
        out.push_str(before);
        rest = if let Some(after) = markup.strip_prefix("<!--") {
            after.get(after.find("-->")? + 3..)?
        } else if let Some(after) = markup.strip_prefix("<![CDATA[") {
            let end = after.find("]]>")?;
            super::escape::text(&after[..end], &mut out);
            after.get(end + 3..)?
        } else if markup.starts_with("<?") {
            markup.get(markup.find("?>")? + 2..)?
        } else if markup.starts_with("<!") {
            doctype(markup, &mut out)?
        } else if let Some(after) = markup.strip_prefix("</") {
            let end = after.find('>')?;
            if open.pop()? != after[..end].trim_end() {
                return None;
            }
            out.push_str(&markup[..end + 3]);
            &after[end + 1..]
        } else {
            if open.is_empty() && std::mem::replace(&mut has_root, true) {
                return None;
            }
            let (name, len) = start_tag(markup)?;
            let tag = &markup[..len];
            if !tag.ends_with("/>") {
                open.push(name);
            }
            out.push_str(tag);
            &markup[len..]
        };
    }
    out.push_str(rest);
    (has_root && open.is_empty() && rest.trim().is_empty()).then_some(out)
}

/// The name of a start tag, and its length with the brackets. `None` if the tag is not well-formed.
fn start_tag(markup: &str) -> Option<(&str, usize)> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    let inside = &markup[1..];
    let end = inside.find(|c| !is_name(c))?;
    let name = &inside[..end];
    if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return None;
    }
    let mut rest = &inside[end..];
    loop {
        let trimmed = rest.trim_start();
        if let Some(after) = trimmed.strip_prefix("/>").or(trimmed.strip_prefix('>')) {
            return Some((name, markup.len() - after.len()));
        }
        // Attributes are separated by white space, and have quoted values.
        let len = trimmed.find(|c| !is_name(c)).filter(|len| *len > 0)?;
        if trimmed.len() == rest.len() {
            return None;
        }
        let value = trimmed[len..].trim_start().strip_prefix('=')?.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let inside = &value[1..];
        let end = inside.find(quote)?;
        if inside[..end].contains('<') || !is_text(&inside[..end]) {
            return None;
        }
        rest = &inside[end + 1..];
    }
}

/// Copies a document type declaration without its internal subset, the declarations in brackets. Returns the text after
/// the declaration, or `None` if that is not well-formed.
fn doctype<'t>(markup: &'t str, out: &mut String) -> Option<&'t str> {
    markup.strip_prefix("<!DOCTYPE")?;
    let end = markup.find(['>', '['])?;
    out.push_str(&markup[..end]);
    out.push('>');
    if markup[end..].starts_with('>') {
        return Some(&markup[end + 1..]);
    }
    let after = markup.get(markup.find(']')? + 1..)?.trim_start();
    after.strip_prefix('>')
}

/// Returns whether every ampersand begins a reference.
fn is_text(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        rest = &rest[at + 1..];
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '#' | '_' | '-' | '.' | ':');
        match rest.find(|c| !is_name(c)) {
            Some(end) if end > 0 && rest[end..].starts_with(';') => rest = &rest[end + 1..],
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_xhtml_is_read_as_html() {
        #[track_caller]
        fn check(text: &str, expected: Option<&str>) {
            assert_eq!(expanded(text).as_deref(), expected, "{text}");
        }
        check("<a><b c='d'/></a>\n", Some("<a><b c='d'/></a>\n"));
        check(
            "<a><![CDATA[x > <y> &]]></a>",
            Some("<a>x &gt; &lt;y&gt; &amp;</a>"),
        );
        check(
            "<?xml version='1.0'?><a>&nbsp;<!-- > --></a>",
            Some("<a>&nbsp;</a>"),
        );
        check(
            "<!DOCTYPE html PUBLIC \"x\" [ <!ENTITY y \"z\"> ]><a/>",
            Some("<!DOCTYPE html PUBLIC \"x\" ><a/>"),
        );
        for wrong in [
            "",
            "a",
            "<a>",
            "<a></b>",
            "<a/><b/>",
            "<a b></a>",
            "<a b=c></a>",
            "<a b='<'/>",
            "<a b='c'd='e'/>",
            "<a>x & y</a>",
            "<a><![CDATA[</a>",
            "<a>1 < 2</a>",
            "<ä",
        ] {
            check(wrong, None);
        }
    }

    #[test]
    fn xhtml_pages_are_recognised() {
        #[track_caller]
        fn check(text: &str, expected: Syntax) {
            assert_eq!(page(text.to_owned()).1, expected, "{text}");
        }
        check("<?xml version='1.0'?><html/>", Syntax::Xhtml);
        check(
            "<!DOCTYPE html><html xmlns='http://www.w3.org/1999/xhtml'><p/></html>",
            Syntax::Xhtml,
        );
        check(
            "<html xmlns='http://www.w3.org/1999/xhtml'><p>a<br></html>",
            Syntax::Html,
        );
        check("<html><p/></html>", Syntax::Html);
    }

    #[test]
    fn self_closed_raw_text_ends_in_malformed_pages() {
        let page = |body: &str| {
            let (text, syntax) = page(format!(
                "<html xmlns='http://www.w3.org/1999/xhtml'>{body}<br></html>"
            ));
            assert_eq!(syntax, Syntax::Html);
            text
        };
        assert!(page("<title/><p>a/>b").contains("<title/></title><p>a/>b"));
        assert!(page("<script src='a'/><hr/>").contains("<script src='a'/></script><hr/>"));
    }
}
