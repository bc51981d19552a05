//! Page size and margins from `@page` (CSS Paged Media 3) and from the job's options. Also defines these options. Fills
//! no page.

use crate::{
    is_book,
    job::{Job, OptionKind, OptionSpec},
};
use convertd_layout::paper::{MARGIN, PAGE_SIZE, is_landscape, size};
use convertd_markup::css::{
    cascade::{StyleContext, compute},
    property::Declaration,
    sheet::PageRule,
    style::{Size, Style},
    value::{Context, Cursor, FontUnits},
};
use std::{cell::Cell, rc::Rc};

/// Option for the scale of printed pages, in percent.
pub(crate) static SCALE: OptionSpec = OptionSpec {
    name: "scale",
    kind: OptionKind::Integer(10..=200),
    default: Some("100"),
    help: "scale of printed pages of html, in percent",
};

/// Option that turns the printing of backgrounds on or off.
pub static BACKGROUND: OptionSpec = OptionSpec {
    name: "background",
    kind: OptionKind::OneOf(&["print", "none"]),
    default: Some("print"),
    help: "print the background colours and pictures of html, or leave them out (none), as browsers do by default",
};

/// Option for the media type of the styles.
pub(crate) static MEDIA: OptionSpec = OptionSpec {
    name: "media",
    kind: OptionKind::OneOf(&["print", "screen"]),
    default: Some("print"),
    help: "apply the style rules of html for paper (print) or for screens (screen)",
};

/// Option that puts the whole document on one page.
pub(crate) static SINGLE: OptionSpec = OptionSpec {
    name: "single_page",
    kind: OptionKind::Flag,
    default: Some("false"),
    help: "put all content of html on one page, as high as the content (up to 14400 points)",
};

/// Option that turns style sheets on or off.
pub static STYLES: OptionSpec = OptionSpec {
    name: "styles",
    kind: OptionKind::OneOf(&["apply", "ignore"]),
    default: Some("apply"),
    help: "apply the style sheets of html, as browsers do, or ignore them and format the document only by its structure (headings, lists, tables)",
};

/// Usual margin in millimetres, the default of Chromium.
const DEFAULT_MARGIN: u32 = 10;
/// Usual margin of e-books, in millimetres.
const MARGIN_OF_BOOKS: u32 = 20;
/// Smallest width and height of the content area, in px, so that something is visible however large the margins are.
const LEAST: f32 = 36.0;
/// Largest paper side that PDF viewers support, in px (ISO 32000-1, annex C: 14 400 units).
pub(crate) const MAX: f32 = 14_400.0 * 96.0 / 72.0;

/// Size and margins of a page, in px.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Paper {
    pub width: f32,
    pub height: f32,
    /// Margins at the top, right, bottom and left.
    pub margin: [f32; 4],
}

impl Paper {
    /// Width and height of the page area, in px.
    pub(crate) fn content(&self) -> (f32, f32) {
        (
            self.width - self.margin[1] - self.margin[3],
            self.height - self.margin[0] - self.margin[2],
        )
    }

    /// Limits the size, and shrinks the margins so that space for content remains.
    fn bounded(mut self) -> Self {
        self.width = self.width.clamp(2.0 * LEAST, MAX);
        self.height = self.height.clamp(2.0 * LEAST, MAX);
        // If the two margins of an axis leave too little space, they shrink in proportion.
        for (one, other, whole) in [(0, 2, self.height), (1, 3, self.width)] {
            let margins = self.margin[one].max(0.0) + self.margin[other].max(0.0);
            let most = whole - LEAST;
            if margins > most {
                let scale = most / margins;
                self.margin[one] *= scale;
                self.margin[other] *= scale;
            }
        }
        self.margin = self.margin.map(|margin| margin.max(0.0));
        self
    }
}

/// Page size and margins from the options or the defaults: A4, upright.
pub(crate) fn from_options(job: &Job<'_>) -> Paper {
    let options = job.options();
    let (width, height) = options
        .word(PAGE_SIZE.name)
        .and_then(size)
        .unwrap_or((210.0, 297.0));
    let default = match job.from.name {
        from if is_book(from) => MARGIN_OF_BOOKS,
        _ => DEFAULT_MARGIN,
    };
    let px = |millimetres: f64| (millimetres * 96.0 / 25.4) as f32;
    let margin = options.integer(MARGIN.name).unwrap_or(default);
    // Chromium rounds margins to whole points.
    let points = (f64::from(margin) * 72.0 / 25.4).floor();
    let margin = (points * 96.0 / 72.0) as f32;
    let (width, height) = turned((px(width), px(height)), is_landscape(options));
    Paper {
        width,
        height,
        margin: [margin; 4],
    }
    .bounded()
}

/// Width and height of a page, exchanged if the page has another orientation than requested.
fn turned((width, height): (f32, f32), is_landscape: Option<bool>) -> (f32, f32) {
    match is_landscape {
        Some(true) => (width.max(height), width.min(height)),
        Some(false) => (width.min(height), width.max(height)),
        None => (width, height),
    }
}

/// Scale of printed pages; 1 is the original size.
pub(crate) fn scale(job: &Job<'_>) -> f32 {
    job.options().integer(SCALE.name).unwrap_or(100) as f32 / 100.0
}

/// Settings that options give, which override those of `@page`.
pub(super) struct PageOptions {
    pub size: bool,
    pub margin: bool,
    /// Whether pages are landscape; `None` if no option states it.
    pub landscape: Option<bool>,
}

impl PageOptions {
    /// Settings that this job's options give.
    pub(crate) fn of(job: &Job<'_>) -> Self {
        Self {
            size: job.options().word(PAGE_SIZE.name).is_some(),
            margin: job.options().integer(MARGIN.name).is_some(),
            landscape: is_landscape(job.options()),
        }
    }
}

/// `@page` rules that apply to a page by name and number (from 0), in cascade order (CSS Paged
/// Media 3, 4.4).
fn rules<'r>(all: &'r [PageRule], name: Option<&str>, number: usize) -> Vec<&'r PageRule> {
    // The number in the list keeps the order of rules with equal specificity.
    let mut found: Vec<(usize, &PageRule)> = all
        .iter()
        .enumerate()
        .filter(|(_, rule)| {
            let own = &rule.selector;
            // The first page is a right page.
            let right = number.is_multiple_of(2);
            own.name.as_deref().is_none_or(|own| Some(own) == name)
                && (!own.first || number == 0)
                && (!own.right || right)
                && (!own.left || !right)
                && !own.blank
        })
        .collect();
    found.sort_by_key(|(index, rule)| (rule.selector.weight(), *index));
    found.into_iter().map(|(_, rule)| rule).collect()
}

/// Page size and margins of a page by its `@page` rules.
pub(crate) fn of(
    all: &[PageRule],
    name: Option<&str>,
    number: usize,
    default: &Paper,
    asked: &PageOptions,
) -> Paper {
    // A margin that no rule specifies keeps its default value, so all margins begin as `auto`.
    let mut paper = default.clone();
    let plain = Style::default();
    let mut style = Style::default();
    for side in &mut style.margin {
        *side = Size::Auto;
    }
    // Later rules override earlier ones, and options override all rules.
    for rule in rules(all, name, number) {
        if let Some(tokens) = &rule.size
            && !asked.size
            && let Some((width, height)) = page_size(&mut Cursor::new(tokens), default)
        {
            (paper.width, paper.height) = turned((width, height), asked.landscape);
        }
        if !asked.margin {
            let declared: Vec<&Declaration> = rule.declarations.iter().collect();
            let around = StyleContext {
                parent: &plain,
                root: None,
                viewport: (default.width, default.height),
                fonts: None,
                root_line: None,
                steps: &Cell::new(0),
            };
            compute(&mut style, &declared, &around);
        }
    }
    // Percentages refer to the height or width of the page (CSS Paged Media 3).
    for (side, margin) in style.margin.iter().enumerate() {
        if let Size::Length(length) = margin {
            let base = if side % 2 == 0 {
                paper.height
            } else {
                paper.width
            };
            paper.margin[side] = length.of(base);
        }
    }
    paper.bounded()
}

/// Declarations of a page's margin boxes by box name, in cascade order.
pub(super) fn margin_boxes(
    all: &[PageRule],
    name: Option<&str>,
    number: usize,
) -> Vec<(Rc<str>, Vec<Declaration>)> {
    let mut boxes: Vec<(Rc<str>, Vec<Declaration>)> = Vec::new();
    for rule in rules(all, name, number) {
        for (place, declarations) in &rule.margins {
            match boxes.iter_mut().find(|(known, _)| known == place) {
                Some((_, known)) => known.extend(declarations.iter().cloned()),
                None => boxes.push((place.clone(), declarations.to_vec())),
            }
        }
    }
    boxes
}

/// Value of the `size` descriptor, as width and height in px (CSS Paged Media 3, 7.1): one or two
/// lengths, or a paper name with an orientation. `None` if invalid.
fn page_size(cursor: &mut Cursor<'_>, default: &Paper) -> Option<(f32, f32)> {
    // A page has no element, so lengths in `em` refer to the initial font size.
    let context = Context {
        em: 16.0,
        rem: 16.0,
        font: FontUnits::estimated(16.0),
        rlh: 18.0,
        viewport: (default.width, default.height),
        zoom: 1.0,
    };
    let (mut named, mut lies, mut lengths) = (None, None, Vec::new());
    while !cursor.is_done() {
        if let Some(length) = cursor.length(false) {
            lengths.push(length.computed(&context).of(0.0));
            continue;
        }
        // Sizes of paper are in millimetres. The paper names listed here are not values of the option; `size` knows the
        // others.
        match cursor.word()?.as_str() {
            "auto" => {}
            "portrait" => lies = Some(false),
            "landscape" => lies = Some(true),
            "jis-b5" => named = Some((182.0, 257.0)),
            "jis-b4" => named = Some((257.0, 364.0)),
            "b4" => named = Some((250.0, 353.0)),
            "ledger" => named = Some((279.4, 431.8)),
            word => named = Some(size(word)?),
        }
    }
    let px = |millimetres: f64| (millimetres * 96.0 / 25.4) as f32;
    let (width, height) = match (lengths.as_slice(), named) {
        ([side], _) => (*side, *side),
        ([width, height], _) => (*width, *height),
        (_, Some((width, height))) => (px(width), px(height)),
        _ => (default.width, default.height),
    };
    if !(width > 0.0 && height > 0.0) {
        return None;
    }
    Some(turned((width, height), lies))
}
