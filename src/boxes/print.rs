//! Printing: lays out the boxes of a document, breaks them into pages, and paints the pages. Reads no style sheet.

use super::{
    backdrop::Album,
    columns::fragments,
    engine::Engine,
    extents::Extents,
    fragment::{Child, Fragment, FragmentContent as Made, Role},
    margins,
    pages::{Breaker, reach},
    paint::{Painter, fixed},
    paper::{self, BACKGROUND, Paper},
    root::laid_out,
    running::Running,
    spatial,
    styled::Styled,
    surface::Surface,
    tags::Tagger,
    tree::BoxId,
    turned::{turned_items, upside_down},
};
use crate::{error::Result, job::Job};
use convertd_layout::{
    context::Layout, faces::Faces, item::Item, medium::Medium, memory::Part, pictures::Natural,
    sections::PageLabel, structure::NodeId,
};
use convertd_markup::css::{
    self,
    colour::Paint,
    rgba::Rgba,
    style::{BOTTOM, Image, LEFT, Style, TOP},
};
use convertd_tree::{Numeral, Picture, PictureSource, ResourceId, losses::Loss};
use std::rc::Rc;

static WIDE: Loss = Loss {
    one: "Content beyond the right edge of the paper was cut off.",
    many: "Content beyond the right edge of the paper was cut off.",
};

/// Limit on fragments painted on all pages together because of `position: fixed`.
const MAX_REPEATED: usize = 500_000;

/// Lays out and paints all pages. Returns their labels; `None` if no element is displayed, or if a limit is exceeded.
pub(crate) fn pages(
    job: &Job<'_>,
    styled: &mut Styled,
    surface: &Surface,
    mut running: Option<&mut Running<'_>>,
    layout: &mut Layout<'_>,
    medium: &mut dyn Medium,
) -> Result<Option<Vec<PageLabel>>> {
    let Some(root) = styled.root else {
        return Ok(None);
    };
    // 1. Structure elements, while the element tree still exists.
    Tagger {
        dom: &styled.dom,
        boxes: &mut styled.boxes,
        layout,
        targets: &styled.targets,
        level: 0,
        entry: None,
    }
    .tag(root, NodeId::DOCUMENT);
    // The element tree is not needed any more, because boxes hold everything that is painted.
    styled.dom.clear();
    // 2. Layout and pagination.
    bring(styled, running.as_deref(), layout);
    let Some(mut unpaginated) = unpaginated(styled, root, surface, layout)? else {
        return Ok(None);
    };
    let Some(mut parts) = unpaginated.parts(styled, root, surface) else {
        return Ok(None);
    };
    if styled.turn.mirrors() {
        unpaginated.mirror(&mut parts);
    }
    // 3. Painting, page by page.
    let printer = Printer::new(job, styled, surface, &unpaginated, layout);
    let mut cut = false;
    let mut labels = Vec::with_capacity(parts.len());
    for (number, part) in parts.iter().enumerate() {
        job.check()?;
        layout.memory.set(Part::Pages, medium.memory())?;
        let paper = printer.paper(part, number);
        medium.begin_page(paper.width * 0.75, paper.height * 0.75)?;
        let (content, is_cut) = printer.content(part, &paper, &layout.faces);
        cut |= is_cut;
        let page = margins::Numbered {
            number,
            count: parts.len(),
        };
        let around = match &mut running {
            Some(running) => running.items(&paper, page, printer.backgrounds, layout)?,
            None => Vec::new(),
        };
        let margins = margins::items(
            &styled.pages,
            part.name.as_deref(),
            &paper,
            page,
            &styled.counter_styles,
            &mut layout.faces,
        );
        // Running content is painted below the margin boxes, and both are painted below the content.
        let items = around.iter().chain(&margins).chain(&content);
        items.for_each(|item| medium.draw(item, 0.0, 0.0));
        medium.end_page();
        labels.push(PageLabel {
            number: u32::try_from(number + 1).unwrap_or(u32::MAX),
            numeral: Numeral::Decimal,
        });
    }
    if cut {
        styled.losses.add(&WIDE);
    }
    Ok(Some(labels))
}

/// Loads the fonts that the document and its running content use, and the pictures of their
/// backgrounds.
fn bring(styled: &Styled, running: Option<&Running>, layout: &mut Layout<'_>) {
    let document = layout.document;
    let around = running.iter().flat_map(|running| &running.styled.fonts);
    for font in styled.fonts.iter().chain(around) {
        layout.faces.bring(font.document_font(document));
    }
    let around = running
        .iter()
        .flat_map(|running| running.styled.backdrops.values());
    // A picture is decoded before it is painted, because its size is needed.
    for number in styled.backdrops.values().chain(around) {
        let picture = Picture {
            source: PictureSource::Resource(layout_resource(layout, *number)),
            alternative: Box::default(),
            title: Box::default(),
            width: None,
            height: None,
            frame: None,
        };
        let Layout {
            pictures, losses, ..
        } = &mut *layout;
        pictures.size(*number, &picture, (15_000.0, 15_000.0), losses);
    }
}

/// Identifier of the resource of the document with this number.
fn layout_resource(layout: &Layout<'_>, number: usize) -> ResourceId {
    layout.document.resource_id(number)
}

/// A laid out document before pagination.
struct Unpaginated {
    /// Fragment tree of the whole document.
    whole: Rc<Fragment>,
    /// Boxes with `position: fixed`, which are repeated on every page.
    fixed: Vec<Child>,
    /// Scale that fits wide content to the page; 1 if the content is not too wide.
    shrunk: f32,
    /// Bottom edge of the content before pagination, in px before scaling.
    bottom: f32,
    /// Height of the only page in px, if the whole document is put on one page.
    single: Option<f32>,
}

/// Slice of the document on one page.
struct PageSlice {
    /// Top of the slice, in px of the document.
    top: f32,
    /// Bottom of the slice, in px of the document.
    end: f32,
    /// Name of the page.
    name: Option<Rc<str>>,
}

/// Lays out a document. `None` if a limit was exceeded.
fn unpaginated(
    styled: &Styled,
    root: BoxId,
    surface: &Surface,
    layout: &mut Layout<'_>,
) -> Result<Option<Unpaginated>> {
    // The width of the first page is the width of the layout. If later pages have another width, the document is not
    // laid out again for them.
    let name = styled.boxes.get(root).style.page.clone();
    let first = surface.page(
        &styled.pages,
        name.as_deref(),
        0,
        surface.default_paper.height,
    );
    let (width, height) = first.content();
    let (width, height) = styled
        .turn
        .size((width / surface.scale, height / surface.scale));
    let mut engine = Engine::new(&styled.boxes, layout, styled.dom.quirks, (width, height));
    engine.tallest = surface.tallest;
    let laid = match surface.paged {
        true => lay_out(&mut engine, root, (width, height), surface.smallest),
        false => laid_out(&mut engine, root, width, height).map(Unpaginated::unshrunk),
    };
    let mut unpaginated = match laid {
        Ok(unpaginated) => unpaginated,
        Err(_) if engine.refused => return Ok(None),
        Err(error) => return Err(error),
    };
    // Content that is higher than the largest paper is paginated even if the job asks for one page.
    let around = first.margin[TOP] + first.margin[BOTTOM];
    let tall = unpaginated.bottom * surface.scale * unpaginated.shrunk + around;
    let is_single = surface.single && tall <= paper::MAX;
    unpaginated.single = is_single.then(|| tall.ceil().max(around + 1.0));
    Ok(Some(unpaginated))
}

impl Unpaginated {
    /// The document at its natural size.
    fn unshrunk((whole, fixed): (Fragment, Vec<Child>)) -> Self {
        Self {
            bottom: content_bottom(&whole),
            whole: Rc::new(whole),
            fixed,
            shrunk: 1.0,
            single: None,
        }
    }

    /// Reverses the order of lines and pages for `vertical-rl`, whose lines run against the
    /// direction in which rotated pages are read.
    fn mirror(&mut self, parts: &mut [PageSlice]) {
        let height = self
            .whole
            .height
            .max(parts.last().map_or(0.0, |last| last.end));
        let whole = Rc::make_mut(&mut self.whole);
        for child in &mut whole.children {
            child.y = height - child.y - child.fragment.height;
            child.fragment = Rc::new(upside_down(&child.fragment));
        }
        for part in parts {
            (part.top, part.end) = (height - part.end, height - part.top);
        }
    }

    /// Divides the document into pages. `None` if a limit was exceeded.
    fn parts(&mut self, styled: &Styled, root: BoxId, surface: &Surface) -> Option<Vec<PageSlice>> {
        // Without pagination, the whole document is one slice.
        let mut parts = vec![PageSlice {
            top: 0.0,
            end: self.bottom,
            name: None,
        }];
        if surface.paged && self.single.is_none() {
            let shrunk = self.shrunk;
            // Heights of pages in px of the unscaled content; rotated pages exchange the sides.
            let height = |name: Option<&str>, number: usize| {
                let page = surface.page(&styled.pages, name, number, 0.0);
                styled.turn.size(page.content()).1 / surface.scale / shrunk
            };
            let mut breaker = Breaker::new(&height);
            breaker.begin(styled.boxes.get(root).style.page.clone());
            breaker.break_flow(&mut self.whole);
            if breaker.refused {
                return None;
            }
            let pages = breaker.pages(content_bottom(&self.whole)).into_iter();
            parts = pages
                .map(|(top, end, name)| PageSlice { top, end, name })
                .collect();
        }
        // Fixed boxes are painted on every page, so they count once for each page.
        let fixed = self.fixed.iter().map(|child| fragments(&child.fragment));
        let repeated = fixed.sum::<usize>().saturating_mul(parts.len());
        (repeated <= MAX_REPEATED).then_some(parts)
    }
}

/// State for painting all pages of a document.
struct Printer<'p> {
    styled: &'p Styled,
    surface: &'p Surface,
    // Geometry of the fragments, and tables for painting.
    unpaginated: &'p Unpaginated,
    extents: Extents,
    /// Fragment whose background is propagated to the canvas, with its style.
    canvas: Option<(*const Fragment, Rc<Style>)>,
    /// Natural sizes of pictures, by number.
    sizes: Vec<Option<Natural>>,
    backgrounds: bool,
}

impl<'p> Printer<'p> {
    /// Prepares painting: extents of all fragments, and sizes of all pictures.
    fn new(
        job: &Job<'_>,
        styled: &'p Styled,
        surface: &'p Surface,
        unpaginated: &'p Unpaginated,
        layout: &mut Layout<'_>,
    ) -> Self {
        let mut extents = Extents::default();
        extents.add(&unpaginated.whole);
        for child in &unpaginated.fixed {
            extents.add(&child.fragment);
        }
        let pictures = 0..layout.document.resources().len();
        Self {
            styled,
            surface,
            unpaginated,
            extents,
            canvas: canvas(&unpaginated.whole),
            sizes: pictures
                .map(|number| layout.pictures.natural(number))
                .collect(),
            backgrounds: job.options().word(BACKGROUND.name) != Some("none"),
        }
    }

    /// Size and margins of a page.
    fn paper(&self, part: &PageSlice, number: usize) -> Paper {
        let name = part.name.as_deref();
        let rules = &self.styled.pages;
        let mut paper = self
            .surface
            .page(rules, name, number, self.unpaginated.bottom);
        if let Some(height) = self.unpaginated.single {
            paper.height = height;
        }
        paper
    }

    /// Items of a page's content, and whether content lies beyond the right edge of the paper.
    fn content(&self, part: &PageSlice, paper: &Paper, faces: &Faces<'_>) -> (Vec<Item>, bool) {
        let (scale, shrunk) = (self.surface.scale, self.unpaginated.shrunk);
        let sizes = |number: usize| self.sizes.get(number).copied().flatten();
        let mut painter = Painter {
            boxes: &self.styled.boxes,
            faces,
            extents: &self.extents,
            height: part.end - part.top,
            // Browsers snap the corner of the content to whole px.
            origin: (
                paper.margin[LEFT].round() * 0.75,
                paper.margin[TOP].round() * 0.75,
            ),
            scale: 0.75 * scale * shrunk,
            backgrounds: self.backgrounds,
            left: None,
            right: (paper.width - paper.margin[LEFT]) / scale / shrunk,
            cut: false,
            canvas: self.canvas.as_ref().map(|canvas| canvas.0),
            album: Album {
                numbers: &self.styled.backdrops,
                sizes: &sizes,
            },
            items: Vec::new(),
            depth: 0,
        };
        // The canvas background covers the whole page area, even if the content fills only a part of it.
        if let Some((_, style)) = &self.canvas {
            let height = painter.height;
            if !self.styled.turn.is_none() {
                painter.height = paper.content().1 / scale / shrunk;
            }
            painter.canvas(style, paper.content().0 / scale / shrunk);
            painter.height = height;
        }
        // The content of a rotated page is painted horizontally at the origin, and then rotated to its corner.
        let turned = (!self.styled.turn.is_none()).then(|| {
            let (x, y) = painter.origin;
            painter.origin = (0.0, 0.0);
            painter.right = f32::MAX;
            (x, y, std::mem::take(&mut painter.items))
        });
        painter.paint(&self.unpaginated.whole, 0.0, -part.top);
        for child in &self.unpaginated.fixed {
            painter.paint(&child.fragment, child.x, child.y);
        }
        let Some((x, y, mut items)) = turned else {
            return (painter.items, painter.cut);
        };
        let turn = self.styled.turn;
        let (width, height) = turn.size((paper.content().0 * 0.75, paper.content().1 * 0.75));
        // On a partly filled page, the lines begin at the same edge as on full pages.
        let height = match turn.mirrors() {
            true => (part.end - part.top) * painter.scale,
            false => height,
        };
        let turn = turn.upright();
        let far = turn.outward((width, height));
        let corner = (x - far.0.min(0.0), y - far.1.min(0.0));
        items.extend(turned_items(painter.items, turn, corner));
        (items, false)
    }
}

/// Lays out a document for paper. Content wider than the page is laid out again on a wider page,
/// and scaled down.
fn lay_out(
    engine: &mut Engine<'_, '_>,
    root: BoxId,
    (width, height): (f32, f32),
    smallest: f32,
) -> Result<Unpaginated> {
    // Chromium also lays out wide content again, and scales it down to a limit.
    let laid = laid_out(engine, root, width, height)?;
    let wide = right(&laid.0);
    if wide <= width + 1.0 {
        return Ok(Unpaginated::unshrunk(laid));
    }
    // The wider page is also higher, so that its aspect ratio stays the same.
    let wider = wide.min(width / smallest);
    let again = laid_out(engine, root, wider, height * wider / width)?;
    Ok(Unpaginated {
        shrunk: width / wider,
        ..Unpaginated::unshrunk(again)
    })
}

/// Right edge of a fragment's visible content, transforms included.
fn right(fragment: &Fragment) -> f32 {
    let reach = untransformed_right(fragment);
    match fragment.style() {
        Some(style) => spatial::right(style, (fragment.width, fragment.height), reach),
        None => reach,
    }
}

/// Right edge without the fragment's own transform.
fn untransformed_right(fragment: &Fragment) -> f32 {
    // Hidden overflow does not widen the page.
    let hides = fragment
        .style()
        .is_some_and(|style| style.overflow != css::style::Overflow::Visible && !fixed(fragment));
    if hides {
        return fragment.width;
    }
    let within = fragment
        .children
        .iter()
        .map(|child| child.x + right(&child.fragment));
    // A line is as wide as its block even if its content is narrower, so only its content counts.
    let own = match fragment.kind {
        Made::Line => 0.0,
        _ => fragment.width,
    };
    within.fold(own, f32::max)
}

/// Bottom edge of the content, without trailing margins.
fn content_bottom(whole: &Fragment) -> f32 {
    let mut bottom = 1.0_f32;
    for child in &whole.children {
        // An `auto` height of the root element includes trailing margins, so its children are measured instead.
        let fixed = child
            .fragment
            .style()
            .is_some_and(|style| style.height != css::style::Size::Auto);
        let own = if fixed { child.fragment.height } else { 0.0 };
        let inner = child
            .fragment
            .children
            .iter()
            .map(|inner| child.y + inner.y + reach(&inner.fragment));
        bottom = inner.fold(bottom.max(child.y + own), f32::max);
    }
    bottom
}

/// Fragment whose background covers the canvas: the root element, or else the body (CSS Backgrounds
/// 3, 2.11.2).
fn canvas(whole: &Fragment) -> Option<(*const Fragment, Rc<Style>)> {
    // A fragment has a background if it has a background image or its background colour is not transparent.
    let is_seen = |fragment: &Fragment| {
        fragment.style().is_some_and(|style| {
            !matches!(style.background, Paint::Rgba(Rgba { alpha, .. }) if alpha <= 0.0)
                || style.layers.iter().any(|layer| layer.image != Image::None)
        })
    };
    // If the root has no background, the body's background moves to the canvas.
    let root = &whole.children.first()?.fragment;
    let found = match is_seen(root) {
        true => root,
        false => {
            let inner = root.children.iter().map(|child| &child.fragment);
            let mut boxes = inner.filter(|inner| matches!(inner.role(), Some(Role::Flow)));
            boxes.find(|body| is_seen(body))?
        }
    };
    Some((Rc::as_ptr(found), found.style()?.clone()))
}
