//! Sheet part (ECMA-376 part 1, 18.3.1): sizes, merged cells, links and page setup. Cells are read in [`cells`].

use super::{
    Shared,
    cells::{self, is_set},
    conditions::Rules,
    validations,
};
use crate::{
    containers::xml::{Node, Reader},
    error::Result,
    ooxml::{Reference, unescape},
    shown::{
        book::{Column, Grid, Link, MAX_LIST, Range, SPARKLINES},
        measure,
        print::{self, Scale},
    },
};
use convertd_office::drawing::number;
use convertd_tree::Length;

/// A sheet that is being read.
pub(super) struct Sheet<'s> {
    /// State that all sheets share.
    pub(super) shared: &'s Shared<'s>,
    /// Rows and cells so far.
    pub(super) grid: &'s mut Grid,
    /// Relationships of the sheet with the addresses of links.
    pub(super) addresses: &'s [Reference],
    /// Number of cells that may still be read.
    pub(super) left: &'s mut usize,
    /// Losses in cells, and pictures in cells.
    pub(super) found: &'s mut cells::Findings,
    /// Identifier of the relationship to its drawing.
    pub(super) drawing: Option<String>,
    /// Identifier of the relationship to the pictures in its headers and footers.
    pub(super) margins: Option<String>,
    /// Whether the sheet is scaled to a number of pages.
    pub(super) fits: bool,
    /// Conditional formats.
    pub(super) rules: Rules,
}

impl Sheet<'_> {
    /// Reads the part. `xml` is at its beginning. Returns false if there are too many cells.
    pub(super) fn read(&mut self, xml: &mut Reader<'_>) -> Result<bool> {
        xml.root()?;
        let level = xml.level();
        let mut all = true;
        self.grid.shows_lines = true;
        self.grid.default_width = measure::default_width(8.0, self.shared.digit);
        while let Some(element) = xml.next_element(level)? {
            if element.space != "s" || !all {
                continue;
            }
            let unread = match element.name {
                "autoFilter" => Some("filters"),
                "sheetProtection" => Some("protection"),
                _ => None,
            };
            self.grid.unread.extend(unread);
            match element.name {
                "sheetData" => {
                    all &= cells::read(xml, self.shared, self.grid, self.left, self.found)?;
                }
                "cols" | "mergeCells" | "hyperlinks" | "rowBreaks" | "colBreaks"
                | "dataValidations" | "extLst" => {
                    self.list(element.name, xml)?;
                }
                "sheetPr"
                | "sheetViews"
                | "sheetFormatPr"
                | "printOptions"
                | "pageMargins"
                | "pageSetup"
                | "headerFooter"
                | "drawing"
                | "legacyDrawingHF"
                | "conditionalFormatting" => {
                    let node = Node::read(xml, element)?;
                    self.setting(&node);
                }
                _ => {}
            }
        }
        self.grid.sort_columns();
        Ok(all)
    }

    /// Reads the entries of a list: columns, merged cells, links, page breaks, data validations or extensions.
    fn list(&mut self, name: &str, xml: &mut Reader<'_>) -> Result<()> {
        let level = xml.level();
        let mut count = 0;
        while let Some(element) = xml.next_element(level)? {
            count += 1;
            if count > MAX_LIST {
                break;
            }
            let node = Node::read(xml, element)?;
            match node.element.name {
                "col" => self.column(&node),
                "mergeCell" => self.grid.merged.extend(range(&node, "ref")),
                "hyperlink" => self.link(&node),
                "dataValidation" => validations::add(&node, self.grid),
                "ext" => {
                    validations::extended(&node, self.grid);
                    self.rules.extended(&node, &self.shared.styles);
                    if node.child("x14", "sparklineGroups").is_some() {
                        self.grid.unread.insert(SPARKLINES);
                    }
                }
                "brk" => {
                    let at = number(&node, "id").and_then(|at| u32::try_from(at).ok());
                    match name {
                        "rowBreaks" => self.grid.print.row_breaks.extend(at),
                        _ => self.grid.print.column_breaks.extend(at),
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads a run of columns (18.3.1.13).
    fn column(&mut self, node: &Node<'_>) {
        let at = |name| {
            let at = number(node, name)?.checked_sub(1)?;
            u32::try_from(at).ok()
        };
        let (Some(first), Some(last)) = (at("min"), at("max")) else {
            return;
        };
        let width = decimal(node, "width");
        self.grid.columns.push(Column {
            first,
            last: last.min(16_383),
            width: width.map(|width| measure::column_width(width, self.shared.digit)),
            hidden: is_set(node, "hidden"),
            style: number(node, "style")
                .and_then(|style| u32::try_from(style).ok())
                .unwrap_or(0),
        });
    }

    /// Reads a hyperlink (18.3.1.47): a relationship with the address, and a location within its target.
    fn link(&mut self, node: &Node<'_>) {
        let Some(range) = range(node, "ref") else {
            return;
        };
        let id = node.attribute("id");
        let address = self
            .addresses
            .iter()
            .find(|one| Some(&*one.id) == id.as_deref());
        let location = node.attribute("location");
        let target = match (address, location) {
            (Some(address), None) => address.target.clone(),
            (Some(address), Some(location)) => format!("{}#{location}", address.target),
            (None, Some(location)) => format!("#{location}"),
            (None, None) => return,
        };
        let title = node.attribute("tooltip").unwrap_or_default();
        self.grid.links.push(Link {
            range,
            target: target.into(),
            title: unescape(&title).into(),
        });
    }

    /// Reads an element with properties of the sheet, its view or its page setup.
    fn setting(&mut self, node: &Node<'_>) {
        let print = &mut self.grid.print;
        match node.element.name {
            "sheetPr" => {
                let page = node.child("s", "pageSetUpPr");
                self.fits = page.is_some_and(|page| is_set(page, "fitToPage"));
            }
            "sheetViews" => self.view(node),
            "sheetFormatPr" => self.default_sizes(node),
            "printOptions" => {
                print.grid_lines = is_set(node, "gridLines");
                print.headings = is_set(node, "headings");
                print.centred = (
                    is_set(node, "horizontalCentered"),
                    is_set(node, "verticalCentered"),
                );
            }
            "pageMargins" => {
                let inches = |name| decimal(node, name).map(|inches| (inches * 72.0) as f32);
                for (slot, name) in print
                    .margins
                    .iter_mut()
                    .zip(["left", "right", "top", "bottom"])
                {
                    *slot = inches(name).unwrap_or(*slot).clamp(0.0, 3600.0);
                }
                print.header_at = inches("header")
                    .unwrap_or(print.header_at)
                    .clamp(0.0, 3600.0);
                print.footer_at = inches("footer")
                    .unwrap_or(print.footer_at)
                    .clamp(0.0, 3600.0);
            }
            "pageSetup" => self.page(node),
            "headerFooter" => self.margin_texts(node),
            "conditionalFormatting" => self.rules.add(node, &self.shared.styles),
            "drawing" => self.drawing = node.attribute("id").map(|id| id.into_owned()),
            "legacyDrawingHF" => self.margins = node.attribute("id").map(|id| id.into_owned()),
            _ => {}
        }
    }

    /// Reads the view of the sheet: grid lines, direction, and frozen rows and columns.
    fn view(&mut self, node: &Node<'_>) {
        let Some(view) = node.child("s", "sheetView") else {
            return;
        };
        let shows = convertd_office::drawing::flag(view, "showGridLines");
        self.grid.shows_lines = shows.unwrap_or(true);
        self.grid.backwards = is_set(view, "rightToLeft");
        let Some(pane) = view.child("s", "pane") else {
            return;
        };
        if matches!(
            pane.attribute("state").as_deref(),
            Some("frozen" | "frozenSplit")
        ) {
            let split = |name| decimal(pane, name).unwrap_or(0.0).clamp(0.0, 1e6) as u32;
            self.grid.frozen = (split("ySplit"), split("xSplit"));
        }
    }

    /// Reads the default sizes of columns and rows (18.3.1.81).
    fn default_sizes(&mut self, node: &Node<'_>) {
        let digit = self.shared.digit;
        self.grid.default_width = match (
            decimal(node, "defaultColWidth"),
            decimal(node, "baseColWidth"),
        ) {
            (Some(width), _) => measure::column_width(width, digit),
            (None, base) => measure::default_width(base.unwrap_or(8.0), digit),
        };
        self.grid.default_height = decimal(node, "defaultRowHeight").map(|height| height as f32);
        self.grid.hides_rows = is_set(node, "zeroHeight");
    }

    /// Reads the page setup (18.3.1.63). `fitToPage` of the sheet selects between a number of pages and a percentage.
    fn page(&mut self, node: &Node<'_>) {
        let print = &mut self.grid.print;
        if let Some(paper) = print::paper(number(node, "paperSize").unwrap_or(1)) {
            print.paper = paper;
        }
        // A stated width and height of at least an inch take precedence over the number of the paper size.
        let side = |name| Length::parse(&node.attribute(name)?);
        if let (Some(width), Some(height)) = (side("paperWidth"), side("paperHeight"))
            && width.min(height) >= Length::inches(1.0)
        {
            print.paper = (width.to_points() as f32, height.to_points() as f32);
        }
        print.landscape = match node.attribute("orientation").as_deref() {
            Some("landscape") => true,
            Some("portrait") => false,
            _ => print.landscape,
        };
        let pages = |name| number(node, name).unwrap_or(1).clamp(0, 32_767) as u16;
        print.scale = match self.fits {
            true => Scale::Fit(pages("fitToWidth"), pages("fitToHeight")),
            false => Scale::By(print::scale(number(node, "scale"))),
        };
        print.over_first = node.attribute("pageOrder").as_deref() == Some("overThenDown");
        print.without_colours = is_set(node, "blackAndWhite");
        print.comments_at_end = node.attribute("cellComments").as_deref() == Some("atEnd");
        let first = number(node, "firstPageNumber").and_then(|first| u32::try_from(first).ok());
        print.first_page = first.filter(|_| is_set(node, "useFirstPageNumber"));
    }

    /// Reads headers and footers (18.3.1.46).
    fn margin_texts(&mut self, node: &Node<'_>) {
        let text = |name: &str| {
            let text = node.child("s", name).map(|text| unescape(&text.text));
            let text = text.unwrap_or_default();
            text.chars().take(1024).collect::<String>().into_boxed_str()
        };
        let texts = &mut self.grid.print.margin_texts;
        texts.odd = [text("oddHeader"), text("oddFooter")];
        texts.even =
            is_set(node, "differentOddEven").then(|| [text("evenHeader"), text("evenFooter")]);
        texts.first =
            is_set(node, "differentFirst").then(|| [text("firstHeader"), text("firstFooter")]);
    }
}

/// Finite number in an attribute.
fn decimal(node: &Node<'_>, name: &str) -> Option<f64> {
    let number = node.attribute(name)?.trim().parse::<f64>().ok()?;
    number.is_finite().then_some(number)
}

/// Range of cells in an attribute.
fn range(node: &Node<'_>, name: &str) -> Option<Range> {
    Range::parse(&node.attribute(name)?)
}
