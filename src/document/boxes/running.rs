//! Headers and footers of pages as browsers print them: two templates that stand on every page, with its number. Styles nothing else.
//!
//! A page of HTML holds them in `<template data-print="header">…</template>` and `…="footer"`, which nobody else shows. Elements of
//! the classes `pageNumber`, `totalPages`, `title`, `date` and `url` are filled in, as Chromium does it for `Page.printToPDF` of its
//! DevTools protocol. Both stand in one page of the paper's size, so that the styles of one reach the other there, too; what they
//! begin with (20 px from the edge, a font of 1 px) was measured in Chromium's PDFs.

use super::{
    backdrop::Album,
    engine::Engine,
    extents::Extents,
    margins::Numbered,
    paint::Painter,
    paper::Paper,
    print::once,
    styled::{Styled, styled_tree},
    surface::Surface,
    tree::{BoxId, Kind, Piece},
};
use crate::{
    document::{
        html::{Syntax, dom},
        layout::{context::Layout, item::Item},
        tree::Builder,
    },
    error::Result,
};
use std::{collections::HashSet, rc::Rc};

/// What both are laid out with before their own styles. Blocks in them stand side by side, as wide as their content.
const BASE: &str = "body{margin:0;display:flex;flex-direction:column;width:100vw;height:100vh;font-size:1px;font-family:sans-serif}\
#header,#footer{display:flex;flex:none}#header{align-items:flex-start;padding-top:20px}\
#footer{align-items:flex-end;padding-bottom:20px}#content{flex:auto}";

/// What stands for the number of the page, and of all pages, until they are known: two of Unicode's characters that no text has.
const PAGE: char = '\u{fdd0}';
const PAGES: char = '\u{fdd1}';

/// The templates of a page.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Templates {
    header: String,
    footer: String,
    date: String,
}

impl Templates {
    /// Whether a page brings any. They are lost where it is set by its meaning.
    pub(crate) fn are_in(text: &str) -> bool {
        memchr::memmem::find(text.as_bytes(), b"<template data-print=\"").is_some()
    }

    /// Takes the templates out of a page.
    pub(super) fn cut(text: &mut String) -> Option<Self> {
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
            let date = rest[..begin].split_once("data-date=\"");
            if let Some((date, _)) = date.and_then(|(_, behind)| behind.split_once('"')) {
                templates.date = date.to_owned();
            }
            let content = inner(content);
            match is_header {
                true => templates.header = content,
                false => templates.footer = content,
            }
            let to = from + start.len() + end + "</template>".len();
            text.replace_range(from..to, "");
        }
        found
    }

    /// One page of both.
    fn page(&self) -> String {
        format!(
            "<!DOCTYPE html><html><head><style>{BASE}</style></head><body><div id=\"header\">{}</div>\
             <div id=\"content\"></div><div id=\"footer\">{}</div></body></html>",
            self.header, self.footer
        )
    }
}

/// What is in a page, without the tags of the page itself. Its styles stay.
fn inner(page: &str) -> String {
    let mut out = String::with_capacity(page.len());
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        out.push_str(before);
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

/// Headers and footers that are ready to be laid out.
pub(super) struct Running {
    pub(super) styled: Styled,
    /// Texts with numbers: the box, the place in it, and the text before they are filled in.
    numbered: Vec<(BoxId, usize, String)>,
    /// They were too intricate to be laid out.
    pub(super) refused: bool,
}

impl Running {
    /// Errors: memory is not granted.
    pub(super) fn of(
        templates: &Templates,
        title: &str,
        build: &mut Builder<'_>,
        surface: &Surface,
    ) -> Result<Self> {
        let text = templates.page();
        build.own_memory(6 * text.len() as u64)?;
        let mut tree = dom::build(&text, Syntax::Html);
        let fields = [
            ("date", templates.date.clone()),
            ("title", title.to_owned()),
            // What was sent as a file has no address.
            ("url", String::new()),
            ("pageNumber", PAGE.to_string()),
            ("totalPages", PAGES.to_string()),
        ];
        for (class, value) in &fields {
            let class = tree.names.number(class);
            for id in tree.of_class(class) {
                tree.set_text(id, value);
            }
        }
        let paper = surface.usual.clone();
        let whole = Surface::sheet(paper.width, paper.height);
        let styled = styled_tree(tree, HashSet::new(), build, &whole)?;
        let mut numbered = Vec::new();
        for number in 0..styled.boxes.len() {
            let id = BoxId(number as u32);
            if let Kind::Lines(lines) = &styled.boxes.get(id).kind {
                let pieces = lines.pieces.iter().enumerate();
                numbered.extend(pieces.filter_map(|(at, piece)| match piece {
                    Piece::Text(text, _) if text.contains([PAGE, PAGES]) => {
                        Some((id, at, text.clone()))
                    }
                    _ => None,
                }));
            }
        }
        Ok(Self {
            refused: styled.refused || styled.root.is_none(),
            styled,
            numbered,
        })
    }

    /// The items of a page, in points of the page.
    ///
    /// Errors: the job is over, or memory is not granted.
    pub(super) fn items(
        &mut self,
        paper: &Paper,
        page: Numbered,
        backgrounds: bool,
        layout: &mut Layout<'_>,
    ) -> Result<Vec<Item>> {
        let Some(root) = self.styled.root.filter(|_| !self.refused) else {
            return Ok(Vec::new());
        };
        self.fill_in(page);
        let styled = &self.styled;
        let (width, height) = (paper.width, paper.height);
        let mut engine = Engine::new(&styled.boxes, layout, styled.dom.quirks, (width, height));
        let laid = once(&mut engine, root, width, height);
        self.refused = engine.refused;
        drop(engine);
        let (whole, fixed) = match laid {
            Ok(laid) => laid,
            Err(_) if self.refused => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let whole = Rc::new(whole);
        let mut extents = Extents::default();
        extents.add(&whole);
        for child in &fixed {
            extents.add(&child.fragment);
        }
        let pictures = &layout.pictures;
        let mut painter = Painter {
            boxes: &styled.boxes,
            faces: &layout.faces,
            extents: &extents,
            height,
            origin: (0.0, 0.0),
            scale: 0.75,
            backgrounds,
            right: width,
            cut: false,
            canvas: None,
            album: Album {
                numbers: &styled.backdrops,
                sizes: &|number| pictures.natural(number),
            },
            items: Vec::new(),
            depth: 0,
        };
        painter.paint(&whole, 0.0, 0.0);
        for child in &fixed {
            painter.paint(&child.fragment, child.x, child.y);
        }
        Ok(painter.items)
    }

    fn fill_in(&mut self, page: Numbered) {
        let (number, count) = ((page.number + 1).to_string(), page.count.to_string());
        for (id, at, text) in &self.numbered {
            let Kind::Lines(lines) = &mut self.styled.boxes.get_mut(*id).kind else {
                continue;
            };
            if let Some(lines) = Rc::get_mut(lines)
                && let Some(Piece::Text(shown, _)) = lines.pieces.get_mut(*at)
            {
                *shown = text.replace(PAGE, &number).replace(PAGES, &count);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_taken_out_of_a_page() {
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
    fn what_is_no_template_stays() {
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
