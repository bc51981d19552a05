//! Header and footer templates: cuts them out of the text of a document. Lays out nothing.

/// Style sheet for both templates, before their own styles. Blocks in a template are placed side by side, as in
/// Chromium. Sizes are in percent, which refer to the page of the template; `vh` would refer to the default paper.
const BASE: &str = "html,body{width:100%;height:100%}body{margin:0;display:flex;flex-direction:column;font-size:1px;font-family:sans-serif}\
#header,#footer{display:flex;flex:none}#header{align-items:flex-start;padding-top:20px}\
#footer{align-items:flex-end;padding-bottom:20px}#content{flex:auto}";

/// Header and footer templates of a document.
#[derive(Debug, Default, PartialEq)]
pub struct Templates {
    header: String,
    footer: String,
    /// Date to be shown, already formatted.
    pub date: String,
}

impl Templates {
    /// Returns whether a document has templates. They are lost if it is converted without its
    /// styles.
    pub fn are_in(text: &str) -> bool {
        memchr::memmem::find(text.as_bytes(), b"<template data-print=\"").is_some()
    }

    /// Cuts the templates out of a document. `None` if it has no templates.
    pub fn cut(text: &mut String) -> Option<Self> {
        // The search works on the text, because templates are cut out before any parser sees the document.
        let mut found = None;
        for is_header in [true, false] {
            let name = if is_header { "header" } else { "footer" };
            let start = format!("<template data-print=\"{name}\"");
            let Some(from) = memchr::memmem::find(text.as_bytes(), start.as_bytes()) else {
                continue;
            };
            let rest = &text[from + start.len()..];
            let (Some(begin), Some(end)) = (rest.find('>'), rest.find("</template>")) else {
                continue;
            };
            let Some(content) = rest.get(begin + 1..end) else {
                continue;
            };
            let templates: &mut Self = found.get_or_insert_with(Self::default);
            // The date is in an attribute. The client has formatted it.
            let date = rest[..begin].split_once("data-date=\"");
            if let Some((date, _)) = date.and_then(|(_, after)| after.split_once('"')) {
                templates.date = date.to_owned();
            }
            let content = inner(content);
            match is_header {
                true => templates.header = content,
                false => templates.footer = content,
            }
            // The whole element disappears from the document.
            let to = from + start.len() + end + "</template>".len();
            text.replace_range(from..to, "");
        }
        found
    }

    /// An HTML document with both templates.
    pub fn page(&self) -> String {
        format!(
            "<!DOCTYPE html><html><head><style>{BASE}</style></head><body><div id=\"header\">{}</div>\
             <div id=\"content\"></div><div id=\"footer\">{}</div></body></html>",
            self.header, self.footer
        )
    }
}

/// Content of a document without its `html`, `head` and `body` tags. Style elements stay. Clients
/// send whole documents as templates, and two of them must fit into one body.
fn inner(page: &str) -> String {
    let mut out = String::with_capacity(page.len());
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        out.push_str(before);
        // Only the name of the tag matters; nine letters suffice to recognise it.
        let name: String = tag[1..]
            .trim_start_matches('/')
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '!')
            .take(9)
            .collect();
        let is_around = ["!doctype", "html", "head", "body"]
            .iter()
            .any(|around| name.eq_ignore_ascii_case(around));
        match tag.find('>').filter(|_| is_around) {
            Some(end) => rest = &tag[end + 1..],
            None => {
                out.push('<');
                rest = &tag[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_and_footer_templates_are_extracted() {
        let mut text = "a<template data-print=\"footer\">f</template>b\
            <template data-print=\"header\" data-date=\"today\"><html><HEAD><style>p{}</style></head><body class=x>\
            <header>h</header></body></html></template>c"
            .to_owned();
        let expected = Templates {
            header: "<style>p{}</style><header>h</header>".into(),
            footer: "f".into(),
            date: "today".into(),
        };
        assert_eq!(Templates::cut(&mut text), Some(expected));
        assert_eq!(text, "abc");
    }

    #[test]
    fn other_templates_are_kept() {
        #[track_caller]
        fn check(text: &str) {
            let mut page = text.to_owned();
            assert_eq!(Templates::cut(&mut page), None);
            assert_eq!(page, text);
        }
        check("<template>x</template>");
        check("<template data-print=\"header\">never ends");
        check("<template data-print=\"header\"</template>é>");
        check("<template data-print=\"header\"");
    }
}
