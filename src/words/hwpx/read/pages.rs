//! Reads section properties (`secPr`), columns, headers, footers and page numbers. Does no layout.

use super::{
    header::Header,
    lengths::{extent, is_set, length, number, units},
    notes,
    numbering::number_format,
};
use crate::{
    containers::xml::{Element, Node},
    error::Result,
};
use convertd_office::wordprocessing::{
    Paragraph, ParagraphProperties, RunProperties, Story, losses,
};
use convertd_tree::{
    Alignment, Block, BorderedPages, Borders, Edges, Field, Length, LineCount, LineNumbers,
    Margins, PageBorders, PageSetup, SectionStart, numerals::Format,
};

/// Page setup of a document while it is read.
#[derive(Default)]
pub(super) struct Pages {
    /// Page setup of the current section.
    page: Option<PageSetup>,
    headers: Shown,
    footers: Shown,
    numbers: Option<PageNumbers>,
    /// Whether the first page of the section hides its header, its footer and its page number.
    hidden: [bool; 3],
    /// Whether any paragraph of the section has been read.
    has_text: bool,
    /// List number of the outline's numbering.
    pub(super) outline: u32,
    /// Width of the text between the margins.
    pub(super) text_width: Length,
    /// Total size of the headers and footers so far, in bytes of XML.
    size: u64,
}

/// Headers or footers of all pages, of even pages and of odd pages.
#[derive(Clone, Default)]
struct Shown {
    both: Option<Vec<Block>>,
    even: Option<Vec<Block>>,
    odd: Option<Vec<Block>>,
    /// Whether this section has defined headers or footers. Until then, it inherits those of the previous section.
    is_own: bool,
}

/// Page numbers that are stated apart from headers and footers (`pageNum`).
#[derive(Clone)]
struct PageNumbers {
    at_top: bool,
    alignment: Alignment,
    numeral: Format,
    /// Character on both sides of the number, such as a dash.
    side: Box<str>,
}

impl Pages {
    /// Returns whether any section has begun.
    pub(super) fn is_begun(&self) -> bool {
        self.page.is_some()
    }

    /// Returns whether no paragraph of the section has been read.
    pub(super) fn is_at_start(&self) -> bool {
        !self.has_text
    }

    /// Records that a paragraph of the section has been read.
    pub(super) fn record_paragraph(&mut self) {
        self.has_text = true;
    }

    /// Begins a section. It inherits the headers and footers of the previous section until it defines its own.
    pub(super) fn begin(&mut self, story: &mut Story<'_>) -> Result<()> {
        self.end(story)?;
        self.page = Some(PageSetup::default());
        self.headers.is_own = false;
        self.footers.is_own = false;
        self.hidden = [false; 3];
        self.has_text = false;
        Ok(())
    }

    /// Ends the last section.
    pub(super) fn end_document(&mut self, story: &mut Story<'_>) -> Result<()> {
        if let Some(page) = self.finished(story)? {
            story.build.set_page(page);
        }
        Ok(())
    }

    /// Changes the columns. If the section already has text, a new section begins on the same page.
    pub(super) fn change_columns(&mut self, story: &mut Story<'_>, node: &Node<'_>) -> Result<()> {
        if self.has_text {
            let before = self.page.clone();
            self.end(story)?;
            self.page = before.map(|before| PageSetup {
                begins: SectionStart::SamePage,
                first_number: None,
                ..before
            });
            self.hidden = [false; 3];
        }
        if let Some(page) = &mut self.page {
            columns(page, node);
        }
        Ok(())
    }

    fn end(&mut self, story: &mut Story<'_>) -> Result<()> {
        match self.finished(story)? {
            Some(page) => story.end_section(Some(page)),
            None => Ok(()),
        }
    }

    /// Returns the page setup of the section that ends, with its headers and footers.
    fn finished(&mut self, story: &mut Story<'_>) -> Result<Option<PageSetup>> {
        let Some(mut page) = self.page.take() else {
            return Ok(None);
        };
        // Each section of the tree has copies of the headers and footers, which the builder does not count. 16 is an
        // estimate of the bytes in the tree per byte of XML.
        story.hold(self.size.saturating_mul(16))?;
        page.headers = self.headers.margins();
        page.footers = self.footers.margins();
        if let Some(numbers) = &self.numbers {
            let line = numbers.line(story)?;
            page.numeral = numbers.numeral.numeral();
            let margins = match numbers.at_top {
                true => &mut page.headers,
                false => &mut page.footers,
            };
            margins.all.extend(line.iter().cloned());
            if let Some(even) = &mut margins.even {
                even.extend(line);
            }
        }
        let [no_header, no_footer, no_number] = self.hidden;
        if self.hidden != [false; 3] {
            let number_at_top = self.numbers.as_ref().map(|numbers| numbers.at_top);
            let first = |margins: &Margins, hidden: bool, has_number: bool| match hidden {
                true => Vec::new(),
                // The page number is the last block of the margin.
                false if has_number && no_number => {
                    margins.all[..margins.all.len().saturating_sub(1)].to_vec()
                }
                false => margins.all.clone(),
            };
            page.headers.first = Some(first(&page.headers, no_header, number_at_top == Some(true)));
            page.footers.first = Some(first(
                &page.footers,
                no_footer,
                number_at_top == Some(false),
            ));
        }
        // In the tree, headers and footers can differ on even pages only together. If only one of them does, the other
        // repeats the blocks of all pages.
        let has_even = page.headers.even.is_some() || page.footers.even.is_some();
        for margins in [&mut page.headers, &mut page.footers] {
            if has_even {
                let all = margins.all.clone();
                margins.even.get_or_insert(all);
            }
        }
        Ok(Some(page))
    }

    /// Reads a `secPr`.
    pub(super) fn set(&mut self, story: &mut Story<'_>, header: &Header, node: &Node<'_>) {
        let Some(page) = &mut self.page else { return };
        self.outline = number(&node.element, "outlineShapeIDRef")
            .and_then(|id| u32::try_from(id).ok())
            .unwrap_or(0);
        if let Some(gap) = length(&node.element, "spaceColumns") {
            page.column_gap = gap;
        }
        if let Some(own) = node.named("pagePr") {
            set_size(page, own);
        }
        self.text_width = page.width - page.left - page.right;
        if let Some(own) = node.named("startNum") {
            let first = number(&own.element, "page").filter(|first| *first > 0);
            page.first_number = first.and_then(|first| u32::try_from(first).ok());
            match own.attribute("pageStartsOn").as_deref() {
                Some("EVEN") => page.begins = SectionStart::EvenPage,
                Some("ODD") => page.begins = SectionStart::OddPage,
                _ => {}
            }
        }
        if let Some(own) = node.named("visibility") {
            let names = ["hideFirstHeader", "hideFirstFooter", "hideFirstPageNum"];
            self.hidden = names.map(|name| is_set(&own.element, name));
            if is_set(&own.element, "showLineNumber") {
                page.line_numbers = node.named("lineNumberShape").and_then(line_numbers);
            }
        }
        page.notes = notes::setups(node);
        for own in node.all_named("pageBorderFill") {
            if own.attribute("type").as_deref() == Some("BOTH") {
                let id = own.attribute("borderFillIDRef").unwrap_or_default();
                let fill = header.border_fill(&id);
                page.background = fill.background;
                page.borders = page_borders(own, fill.borders);
            }
        }
        if node.named("masterPage").is_some() {
            story.build.lost(&losses::HEADERS);
        }
    }

    /// Stores a header or footer.
    pub(super) fn add_margin(
        &mut self,
        story: &mut Story<'_>,
        element: &Element<'_>,
        blocks: Vec<Block>,
        size: u64,
    ) {
        self.size = self.size.saturating_add(size);
        let shown = match element.name {
            "header" => &mut self.headers,
            _ => &mut self.footers,
        };
        if !std::mem::replace(&mut shown.is_own, true) {
            *shown = Shown {
                is_own: true,
                ..Shown::default()
            };
        }
        let place = match element.attribute("applyPageType").as_deref() {
            Some("EVEN") => &mut shown.even,
            Some("ODD") => &mut shown.odd,
            _ => &mut shown.both,
        };
        if place.is_some() {
            // The new header or footer applies from this page on. It is left out, because a section of the tree has
            // only one of each kind.
            story.build.lost(&losses::HEADERS);
        } else {
            *place = Some(blocks);
        }
    }

    /// Reads a `pageNum`: position and format of page numbers.
    pub(super) fn add_numbers(&mut self, element: &Element<'_>) {
        let place = element.attribute("pos").unwrap_or_default();
        if place == "NONE" || place.is_empty() {
            self.numbers = None;
            return;
        }
        let format = element.attribute("formatType").unwrap_or_default();
        self.numbers = Some(PageNumbers {
            at_top: place.contains("TOP"),
            alignment: match &*place {
                place if place.ends_with("CENTER") => Alignment::Centre,
                place if place.ends_with("LEFT") || place.starts_with("INSIDE") => Alignment::Start,
                _ => Alignment::End,
            },
            numeral: number_format(&format),
            side: element.attribute("sideChar").unwrap_or_default().into(),
        });
    }

    /// Reads a `newNum` for page numbers. In the tree, only the first page of a section can begin a new numbering, so
    /// a `newNum` in the middle of a section is ignored.
    pub(super) fn count_from(&mut self, first: Option<u32>) {
        if let Some(page) = self.page.as_mut().filter(|_| !self.has_text) {
            page.first_number = first.or(page.first_number);
        }
    }

    /// Reads a `pageHiding`. The tree can hide margins only on the first page of a section, so an element after the
    /// first paragraph of the section is ignored.
    pub(super) fn hide(&mut self, element: &Element<'_>) {
        if !self.has_text {
            for (hidden, name) in
                self.hidden
                    .iter_mut()
                    .zip(["hideHeader", "hideFooter", "hidePageNum"])
            {
                *hidden |= is_set(element, name);
            }
        }
    }
}

impl Shown {
    fn margins(&self) -> Margins {
        let or_both = |own: &Option<Vec<Block>>| own.clone().or(self.both.clone());
        Margins {
            all: or_both(&self.odd).unwrap_or_default(),
            first: None,
            even: (self.even.is_some() || self.odd.is_some())
                .then(|| or_both(&self.even).unwrap_or_default()),
        }
    }
}

impl PageNumbers {
    /// Builds the paragraph with the page number.
    fn line(&self, story: &mut Story<'_>) -> Result<Vec<Block>> {
        story.open_margin();
        story.open_paragraph(Default::default());
        story.set_run(RunProperties::default());
        let side = |before, after| match self.side.trim() {
            "" => String::new(),
            sign => format!("{before}{sign}{after}"),
        };
        story.text(&side("", " "))?;
        story.layout_field(Field::Page)?;
        story.text(&side(" ", ""))?;
        story.close_paragraph(Paragraph {
            own: ParagraphProperties {
                alignment: Some(self.alignment),
                ..ParagraphProperties::default()
            },
            ..Paragraph::default()
        })?;
        story.close_margin()
    }
}

/// Reads a `pagePr`: paper size and margins. In the file, the upper margin ends at the header. In the tree, it ends at
/// the text, and the distance of the header from the edge of the page is stated separately.
fn set_size(page: &mut PageSetup, node: &Node<'_>) {
    let least = Length::inches(0.5);
    let side = |name| extent(&node.element, name).filter(|side| *side > least);
    page.width = side("width").unwrap_or(page.width);
    page.height = side("height").unwrap_or(page.height);
    // The file states the size of the page in portrait orientation. `NARROWLY` means landscape orientation.
    if node.attribute("landscape").as_deref() == Some("NARROWLY") {
        std::mem::swap(&mut page.width, &mut page.height);
    }
    let Some(margin) = node.named("margin") else {
        return;
    };
    let side = |name| {
        length(&margin.element, name)
            .unwrap_or_default()
            .max(Length::ZERO)
    };
    page.header_distance = side("top");
    page.footer_distance = side("bottom");
    page.top = side("top") + side("header");
    page.bottom = side("bottom") + side("footer");
    page.left = side("left") + side("gutter");
    page.right = side("right");
}

/// Reads a `colPr`: the number of columns, and their widths if they differ.
fn columns(page: &mut PageSetup, node: &Node<'_>) {
    const MAX: i64 = 45;
    let count = number(&node.element, "colCount").unwrap_or(1).clamp(1, MAX);
    page.columns = count as u8;
    page.column_line = node.named("colLine").is_some();
    page.column_widths.clear();
    if let Some(gap) = length(&node.element, "sameGap").filter(|gap| *gap > Length::ZERO) {
        page.column_gap = gap;
    }
    if !is_set(&node.element, "sameSz") {
        // Widths and gaps are relative to their sum.
        let parts = |column: &Node<'_>, name| number(&column.element, name).unwrap_or(0).max(0);
        let all: Vec<(i64, i64)> = node
            .all_named("colSz")
            .take(MAX as usize)
            .map(|column| (parts(column, "width"), parts(column, "gap")))
            .collect();
        let whole: i64 = all.iter().map(|(width, gap)| width + gap).sum();
        let text = page.width - page.left - page.right;
        if all.len() == usize::from(page.columns) && whole > 0 {
            let share = |part: i64| text.scaled(part as f64 / whole as f64);
            let widths = all.iter().map(|(width, gap)| (share(*width), share(*gap)));
            page.column_widths = widths.collect();
        }
    }
}

fn line_numbers(node: &Node<'_>) -> Option<LineNumbers> {
    let value = |name| number(&node.element, name).and_then(|n| u32::try_from(n).ok());
    Some(LineNumbers {
        every: value("countBy").filter(|every| *every > 0)?,
        first: value("startNumber").unwrap_or(1),
        distance: extent(&node.element, "distance"),
        restart: match value("restartType") {
            Some(1) => LineCount::Section,
            Some(2) => LineCount::Page,
            _ => LineCount::Document,
        },
    })
}

fn page_borders(node: &Node<'_>, lines: Borders) -> Option<Box<PageBorders>> {
    let offset = node.named("offset");
    let side = |name| {
        let own = offset.and_then(|offset| number(&offset.element, name));
        units(own.unwrap_or(0).max(0))
    };
    (lines != Borders::default()).then(|| {
        Box::new(PageBorders {
            lines,
            distances: Edges {
                top: side("top"),
                right: side("right"),
                bottom: side("bottom"),
                left: side("left"),
            },
            from_page: node.attribute("textBorder").as_deref() != Some("CONTENT"),
            on: BorderedPages::All,
        })
    })
}
