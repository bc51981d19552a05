//! Headers and footers of pages, made from two HTML templates that are repeated on every page.
//! Affects no other content.
//!
//! A document has the templates in `<template data-print="header">…</template>` and `…="footer"`, which browsers
//! ignore. Elements of the classes `pageNumber`, `totalPages`, `title`, `date` and `url` are filled in, as in Chromium
//! (`Page.printToPDF` of its DevTools protocol). Both templates are parts of one page of the paper's size. The styles
//! of one template therefore also affect the other one, as in Chromium. The defaults (20 px from the edge, a font of 1
//! px) were measured in PDFs of Chromium.

use super::{
    backdrop::Album,
    engine::{Engine, MAX_STEPS},
    extents::Extents,
    margins::Numbered,
    paint::Painter,
    paper::Paper,
    root::laid_out,
    styled::{Styled, styled_tree},
    surface::Surface,
    templates::Templates,
    tree::{BoxContent, BoxId, Piece},
};
use crate::{
    error::Result,
    job::{Job, Lease},
};
use convertd_layout::{context::Layout, item::Item};
use convertd_markup::{dom, html::Syntax};
use convertd_tree::Builder;
use std::{collections::HashSet, rc::Rc};

/// Placeholder for the page number, replaced before layout. It is a Unicode noncharacter, which does not occur in text.
const PAGE: char = '\u{fdd0}';
/// Placeholder for the number of pages, of the same kind.
const PAGES: char = '\u{fdd1}';

/// Boxes of the running content, laid out again for each page.
pub(crate) struct Running<'j> {
    pub styled: Styled,
    /// Texts with placeholders: the box, the index of the piece, and the original text.
    numbered: Vec<(BoxId, usize, String)>,
    /// Whether a limit was exceeded by the running content, which is then left out.
    pub refused: bool,
    /// Steps of layout so far, over all pages.
    steps: u64,
    /// Memory lease of the job for the element tree.
    _room: Lease<'j>,
}

impl<'j> Running<'j> {
    /// Builds the boxes of the templates, with title and date filled in.
    ///
    /// Errors: the job was cancelled, or memory is not granted.
    pub(crate) fn of(
        job: &Job<'j>,
        templates: &Templates,
        title: &str,
        build: &mut Builder<'_>,
        surface: &Surface,
    ) -> Result<Self> {
        let text = templates.page();
        let room = job.empty_lease();
        let mut tree = dom::build_within(job, &text, Syntax::Html, &room)?;
        let fields = [
            ("date", templates.date.clone()),
            ("title", title.to_owned()),
            // The document was uploaded, so it has no address.
            ("url", String::new()),
            ("pageNumber", PAGE.to_string()),
            ("totalPages", PAGES.to_string()),
        ];
        // Every element of one of these classes is filled in.
        for (class, value) in &fields {
            let class = tree.names.number(class);
            for id in tree.of_class(class) {
                tree.set_text(id, value);
            }
        }
        let paper = surface.default_paper.clone();
        let whole = Surface::sheet(paper.width, paper.height);
        let styled = styled_tree(tree, HashSet::new(), build, &whole)?;
        // Page numbers differ from page to page, so the texts with placeholders are collected once, and filled in for
        // each page.
        let mut numbered = Vec::new();
        for number in 0..styled.boxes.len() {
            let id = BoxId(number as u32);
            if let BoxContent::Lines(lines) = &styled.boxes.get(id).kind {
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
            steps: 0,
            styled,
            numbered,
            _room: room,
        })
    }

    /// Lays out and paints the running content of a page, in points from its corner.
    ///
    /// Errors: the job was cancelled, or memory is not granted.
    pub(crate) fn items(
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
        let laid = laid_out(&mut engine, root, width, height);
        // The limit on steps is for all pages together.
        self.steps = self.steps.saturating_add(engine.steps);
        self.refused = engine.refused || self.steps > MAX_STEPS;
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
        // The page of running content has no margins, and its canvas stays transparent.
        let pictures = &layout.pictures;
        let mut painter = Painter {
            boxes: &styled.boxes,
            faces: &layout.faces,
            extents: &extents,
            height,
            origin: (0.0, 0.0),
            scale: 0.75,
            backgrounds,
            left: None,
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

    /// Puts page number and page count in place of the placeholders.
    fn fill_in(&mut self, page: Numbered) {
        // Pages are counted from 1 for readers.
        let (number, count) = ((page.number + 1).to_string(), page.count.to_string());
        for (id, at, text) in &self.numbered {
            let BoxContent::Lines(lines) = &mut self.styled.boxes.get_mut(*id).kind else {
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
