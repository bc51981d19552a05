//! Page styles (OpenDocument 1.3, part 3, 16.5 and 16.9): paper, margins, scale, and headers and footers, whose texts
//! become codes of Excel. Does no layout.

use super::{super::NAMESPACES, frames::Frame, lengths::points};
use crate::{
    containers::xml::{Node, Piece, Reader},
    error::Result,
    job::Job,
    shown::{
        book::Grid,
        header::Saved,
        print::{self, MarginTexts, Scale, Setup},
    },
};
use std::collections::HashMap;

/// Name of the master page of sheets that do not state one.
const DEFAULT: &str = "Default";

/// Maximum nesting of elements in a header.
const MAX_DEPTH: usize = 16;
/// Maximum number of pictures in a header.
const MAX_PICTURES: usize = 3;

/// Page layouts and master pages by name.
#[derive(Default)]
pub(super) struct Pages {
    /// Paper, margins and print options.
    layouts: HashMap<String, Layout>,
    /// Headers and footers, each with a page layout.
    masters: HashMap<String, Master>,
}

/// A page layout.
#[derive(Clone, Default)]
struct Layout {
    /// Page setup without headers and footers.
    setup: Setup,
    /// Height of the header in points, with its distance from the cells.
    header: f32,
    /// Height of the footer in points, with its distance from the cells.
    footer: f32,
}

/// A master page.
#[derive(Clone, Default)]
struct Master {
    /// Name of the page layout.
    layout: String,
    /// Headers and footers as codes of Excel.
    texts: MarginTexts,
    /// Header and footer of even pages, if they differ.
    even: [Option<Box<str>>; 2],
    /// Header and footer of the first page, if they differ.
    first: [Option<Box<str>>; 2],
    /// Whether there is a header.
    header: bool,
    /// Whether there is a footer.
    footer: bool,
    /// Pictures in the headers and footers.
    pictures: Vec<Marginal>,
}

/// A picture in a header or footer.
#[derive(Clone)]
pub(super) struct Marginal {
    /// Place in the notation of [`MarginPicture`](crate::shown::book::MarginPicture).
    pub(super) place: String,
    /// Picture with its size.
    pub(super) frame: Frame,
}

impl Pages {
    /// Reads a page layout: paper, margins, heights of header and footer, scale, and the items that are printed.
    pub(super) fn layout(&mut self, name: &str, node: &Node<'_>) {
        let mut layout = Layout::default();
        let setup = &mut layout.setup;
        // 20 mm, the default of LibreOffice.
        setup.margins = [56.7; 4];
        let Some(page) = node.child("style", "page-layout-properties") else {
            return;
        };
        for (name, value) in page.element.attributes() {
            let length = || points(&value).unwrap_or(0.0).max(0.0);
            match name {
                "page-width" => setup.paper.0 = length().max(72.0),
                "page-height" => setup.paper.1 = length().max(72.0),
                "margin" => setup.margins = [length(); 4],
                "margin-left" => setup.margins[0] = length(),
                "margin-right" => setup.margins[1] = length(),
                "margin-top" => setup.margins[2] = length(),
                "margin-bottom" => setup.margins[3] = length(),
                "print" => {
                    let has = |word| value.split_ascii_whitespace().any(|known| known == word);
                    setup.grid_lines = has("grid");
                    setup.headings = has("headers");
                    setup.comments_at_end = has("annotations");
                }
                "scale-to" => {
                    let percent = value.trim_end_matches('%').parse::<f32>().ok();
                    setup.scale = Scale::By(print::scale(percent.map(|percent| percent as i64)));
                }
                "scale-to-pages" => setup.scale = Scale::Fit(0, value.parse().unwrap_or(0)),
                "scale-to-X" | "scale-to-Y" => {
                    let (wide, tall) = match setup.scale {
                        Scale::Fit(wide, tall) => (wide, tall),
                        Scale::By(_) => (0, 0),
                    };
                    let count = value.parse().unwrap_or(0);
                    setup.scale = match name {
                        "scale-to-X" => Scale::Fit(count, tall),
                        _ => Scale::Fit(wide, count),
                    };
                }
                "table-centering" => {
                    let across = matches!(&*value, "horizontal" | "both");
                    let down = matches!(&*value, "vertical" | "both");
                    setup.centred = (across, down);
                }
                "print-page-order" => setup.over_first = value == "ltr",
                "first-page-number" => setup.first_page = value.parse().ok(),
                _ => {}
            }
        }
        let height = |name: &str| {
            let style = node.child("style", name)?;
            let properties = style.child("style", "header-footer-properties")?;
            let own = properties
                .attribute("height")
                .or(properties.attribute("min-height"))?;
            points(&own)
        };
        layout.header = height("header-style").unwrap_or(0.0).max(0.0);
        layout.footer = height("footer-style").unwrap_or(0.0).max(0.0);
        self.layouts.insert(name.to_owned(), layout);
    }

    /// Reads the open master page.
    pub(super) fn master(&mut self, name: &str, layout: &str, xml: &mut Reader<'_>) -> Result<()> {
        let mut master = Master {
            layout: layout.to_owned(),
            ..Master::default()
        };
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            if element.attribute("display").as_deref() == Some("false") {
                continue;
            }
            let (letter, pages) = match element.name.split_once('-') {
                None => (element.name, ""),
                Some((letter, "left")) => (letter, "EVEN"),
                Some((letter, "first")) => (letter, "FIRST"),
                Some(_) => continue,
            };
            let (at, letter) = match letter {
                "header" => (0, 'H'),
                "footer" => (1, 'F'),
                _ => continue,
            };
            let mut codes = Codes::default();
            codes.read(xml)?;
            let pictures = codes.pictures.into_iter().map(|(side, frame)| Marginal {
                place: format!("{side}{letter}{pages}"),
                frame,
            });
            master.pictures.extend(pictures);
            let text = codes.text.chars().take(1024).collect();
            match pages {
                "" => {
                    master.texts.odd[at] = text;
                    *[&mut master.header, &mut master.footer][at] = true;
                }
                "EVEN" => master.even[at] = Some(text),
                _ => master.first[at] = Some(text),
            }
        }
        let odd = &master.texts.odd;
        let others = |own: &[Option<Box<str>>; 2]| {
            let has_own = own.iter().any(Option::is_some);
            // A missing header or footer of even or first pages is that of the other pages.
            let own = [0, 1].map(|at| own[at].clone().unwrap_or_else(|| odd[at].clone()));
            has_own.then_some(own)
        };
        (master.texts.even, master.texts.first) = (others(&master.even), others(&master.first));
        self.masters.insert(name.to_owned(), master);
        Ok(())
    }

    /// Finds the master page with this name, or else the default one. Returns its name, and the pictures in its headers
    /// and footers.
    pub(super) fn pictures(&self, name: &str) -> Option<(&str, &[Marginal])> {
        let named = [name, DEFAULT].into_iter();
        let mut found = named.filter_map(|name| self.masters.get_key_value(name));
        let (name, master) = found.next()?;
        Some((name, &master.pictures))
    }

    /// Applies a master page to a sheet. Page breaks and print titles, which the sheet itself states, are kept.
    pub(super) fn apply(&self, name: &str, grid: &mut Grid) {
        let master = self.masters.get(name).or(self.masters.get(DEFAULT));
        let Some(master) = master else {
            return;
        };
        let layout = self
            .layouts
            .get(&master.layout)
            .cloned()
            .unwrap_or_default();
        let (rows, columns) = (
            std::mem::take(&mut grid.print.row_breaks),
            std::mem::take(&mut grid.print.column_breaks),
        );
        let repeated = (grid.print.repeated_rows, grid.print.repeated_columns);
        let mut setup = layout.setup;
        // Paper that is wider than it is high is in landscape orientation.
        if setup.paper.0 > setup.paper.1 {
            setup.landscape = true;
            setup.paper = (setup.paper.1, setup.paper.0);
        }
        setup.header_at = setup.margins[2];
        setup.footer_at = setup.margins[3];
        // The header and the footer lie between the margins of the page and the cells, so the cells move inwards.
        if master.header {
            setup.margins[2] += layout.header;
        }
        if master.footer {
            setup.margins[3] += layout.footer;
        }
        setup.margin_texts = master.texts.clone();
        setup.row_breaks = rows;
        setup.column_breaks = columns;
        (setup.repeated_rows, setup.repeated_columns) = repeated;
        grid.print = setup;
    }
}

/// Time of the last save (OpenDocument 1.3, part 3, 4.3.2.10) from the metadata. `None` if the metadata are damaged or
/// lack the time.
pub(super) fn saved(job: &Job<'_>, text: &str) -> Option<Saved> {
    let mut xml = Reader::new(job, text, NAMESPACES);
    xml.root().ok()?;
    let level = xml.level();
    while let Some(element) = xml.next_element(level).ok()? {
        if element.name != "meta" {
            continue;
        }
        let inner = xml.level();
        while let Some(element) = xml.next_element(inner).ok()? {
            if element.name == "date" {
                let node = Node::read(&mut xml, element).ok()?;
                return Saved::parse(node.text.trim());
            }
        }
    }
    None
}

/// A header or footer as codes of Excel.
#[derive(Default)]
struct Codes {
    /// Text and codes so far.
    text: String,
    /// Pictures, each with the letter of its section: L, C or R.
    pictures: Vec<(char, Frame)>,
    /// Current nesting of elements.
    depth: usize,
}

impl Codes {
    /// Reads the open header or footer. Paragraphs outside of regions belong to the centre section.
    fn read(&mut self, xml: &mut Reader<'_>) -> Result<()> {
        let mut paragraphs = 0;
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            let side = match element.name {
                "region-left" => 'L',
                "region-center" => 'C',
                "region-right" => 'R',
                "p" => {
                    self.text.push_str(if paragraphs > 0 { "\n" } else { "&C" });
                    paragraphs += 1;
                    self.content(xml, 'C')?;
                    continue;
                }
                _ => continue,
            };
            let start = self.text.len();
            self.text.extend(['&', side]);
            let inner = xml.level();
            let mut count = 0;
            while let Some(element) = xml.next_element(inner)? {
                if element.name == "p" {
                    if count > 0 {
                        self.text.push('\n');
                    }
                    count += 1;
                    self.content(xml, side)?;
                }
            }
            if self.text.len() == start + 2 {
                self.text.truncate(start);
            }
        }
        Ok(())
    }

    /// Reads the text, the fields and the pictures of the open element.
    fn content(&mut self, xml: &mut Reader<'_>, side: char) -> Result<()> {
        let level = xml.level();
        while let Some(piece) = xml.next(level)? {
            let element = match piece {
                Piece::Text(text) => {
                    let text = text.replace('&', "&&").replace(['\n', '\r'], " ");
                    self.text.push_str(&text);
                    continue;
                }
                Piece::Element(element) => element,
            };
            match element.name {
                "page-number" => self.text.push_str("&P"),
                "page-count" => self.text.push_str("&N"),
                "sheet-name" => self.text.push_str("&A"),
                "title" | "file-name" => self.text.push_str("&F"),
                "date" | "time" => self.moment(element.name, xml)?,
                "s" | "tab" => self.text.push(' '),
                "frame" => {
                    let frame = Frame::read(&Node::read(xml, element)?);
                    let has_room = self.pictures.len() < MAX_PICTURES;
                    if let Some(frame) = frame.filter(|_| has_room) {
                        self.text.push_str("&G");
                        self.pictures.push((side, frame));
                    }
                }
                _ => self.inner(xml, side)?,
            }
        }
        Ok(())
    }

    /// Reads a nested element, unless it is too deep.
    fn inner(&mut self, xml: &mut Reader<'_>, side: char) -> Result<()> {
        if self.depth < MAX_DEPTH {
            self.depth += 1;
            self.content(xml, side)?;
            self.depth -= 1;
        }
        Ok(())
    }

    /// Reads a date or time field. LibreOffice stores zeros for a field that shows the time of printing; other texts
    /// are kept.
    fn moment(&mut self, name: &str, xml: &mut Reader<'_>) -> Result<()> {
        let start = self.text.len();
        self.inner(xml, 'C')?;
        if !self.text[start..].contains(|c: char| c.is_ascii_digit() && c != '0') {
            self.text.truncate(start);
            self.text.push_str(if name == "date" { "&D" } else { "&T" });
        }
        Ok(())
    }
}
