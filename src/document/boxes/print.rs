//! Lays out the boxes of a page, and paints them page by page. Reads no style sheet.

use super::{
    backdrop::Album,
    columns::fragments,
    engine::Engine,
    extents::Extents,
    fragment::{Child, Fragment, Kind as Made, Role},
    margins,
    pages::{Breaker, reach},
    paint::{Painter, fixed},
    paper::{self, BACKGROUND},
    root::laid_out,
    running::Running,
    spatial,
    styled::Styled,
    surface::Surface,
    tags::Tagger,
    tree::BoxId,
};
use crate::{
    document::{
        Loss,
        css::{
            self,
            colour::Paint,
            rgba::Rgba,
            style::{BOTTOM, Image, LEFT, Style, TOP},
        },
        layout::{
            context::Layout, medium::Medium, memory::Part, pictures::Natural, sections::PageLabel,
            structure::NodeId,
        },
        tree::{Numeral, Picture, PictureSource, ResourceId},
    },
    error::Result,
    job::Job,
};
use std::rc::Rc;

static WIDE: Loss = Loss {
    one: "What stands beyond the right edge of the paper was cut off.",
    many: "What stands beyond the right edge of the paper was cut off.",
};
/// Browsers make wide pages smaller, but not below two thirds.
const SMALLEST: f32 = 2.0 / 3.0;

/// The most fragments that are painted on all pages together because they are fixed.
const MOST_REPEATED: usize = 500_000;

/// Lays out and paints all pages. `None` if the page is too intricate.
pub(super) fn pages(
    job: &Job<'_>,
    styled: &mut Styled,
    surface: &Surface,
    mut running: Option<&mut Running>,
    layout: &mut Layout<'_>,
    medium: &mut dyn Medium,
) -> Result<Option<Vec<PageLabel>>> {
    let Some(root) = styled.root else {
        return Ok(None);
    };
    Tagger {
        dom: &styled.dom,
        boxes: &mut styled.boxes,
        layout,
        targets: &styled.targets,
        level: 0,
    }
    .tag(root, NodeId::DOCUMENT);
    bring(styled, running.as_deref(), layout);
    let rules = &styled.pages;
    let scale = surface.scale;
    let name = styled.boxes.get(root).style.page.clone();
    let first = surface.page(rules, name.as_deref(), 0, surface.usual.height);
    let (width, height) = first.content();
    let (width, height) = (width / scale, height / scale);
    let quirks = styled.dom.quirks;
    let mut engine = Engine::new(&styled.boxes, layout, quirks, (width, height));
    let laid = match surface.paged {
        true => lay_out(&mut engine, root, width, height),
        false => laid_out(&mut engine, root, width, height).map(Laid::unshrunk),
    };
    let refused = engine.refused;
    drop(engine);
    let Laid {
        mut whole,
        fixed: stuck,
        shrunk,
    } = match laid {
        Ok(laid) => laid,
        Err(_) if refused => return Ok(None),
        Err(error) => return Err(error),
    };
    let bottom = content_bottom(&whole);
    // What is higher than paper can be is divided.
    let around = first.margin[TOP] + first.margin[BOTTOM];
    let tall = bottom * scale * shrunk + around;
    let single = surface.single && tall <= paper::MOST;
    let pages = if surface.paged && !single {
        let content = |name: Option<&str>, number: usize| {
            surface.page(rules, name, number, 0.0).content().1 / scale / shrunk
        };
        let mut breaker = Breaker::new(&content);
        breaker.begin(name);
        breaker.strip(&mut whole);
        if breaker.refused {
            return Ok(None);
        }
        breaker.pages(content_bottom(&whole))
    } else {
        vec![(0.0, bottom, None)]
    };
    // What is fixed is painted on every page.
    let repeated: usize = stuck.iter().map(|child| fragments(&child.fragment)).sum();
    if repeated.saturating_mul(pages.len()) > MOST_REPEATED {
        return Ok(None);
    }
    let mut reaches = Extents::default();
    reaches.add(&whole);
    stuck.iter().for_each(|child| {
        reaches.add(&child.fragment);
    });
    let canvas = canvas(&whole);
    let resources: Vec<Option<Natural>> = (0..layout.document.resources().len())
        .map(|number| layout.pictures.natural(number))
        .collect();
    let sizes = |number: usize| resources.get(number).copied().flatten();
    let count = pages.len();
    let mut cut = false;
    let backgrounds = job.options().word(BACKGROUND.name) != Some("none");
    let mut labels = Vec::with_capacity(count);
    for (number, (top, end, name)) in pages.into_iter().enumerate() {
        job.check()?;
        layout.memory.set(Part::Pages, medium.memory())?;
        let mut paper = surface.page(rules, name.as_deref(), number, bottom);
        if single {
            paper.height = tall.ceil().max(around + 1.0);
        }
        let per = 0.75 * scale * shrunk;
        medium.begin_page(paper.width * 0.75, paper.height * 0.75)?;
        let mut painter = Painter {
            boxes: &styled.boxes,
            faces: &layout.faces,
            extents: &reaches,
            height: end - top,
            // Browsers put the corner of the content on a whole px.
            origin: (
                paper.margin[LEFT].round() * 0.75,
                paper.margin[TOP].round() * 0.75,
            ),
            scale: per,
            backgrounds,
            right: (paper.width - paper.margin[LEFT]) / scale / shrunk,
            cut: false,
            canvas: canvas.as_ref().map(|canvas| canvas.0),
            album: Album {
                numbers: &styled.backdrops,
                sizes: &sizes,
            },
            items: Vec::new(),
            depth: 0,
        };
        if let Some((_, style)) = &canvas {
            painter.canvas(style, paper.content().0 / scale / shrunk);
        }
        painter.paint(&whole, 0.0, -top);
        for child in &stuck {
            painter.paint(&child.fragment, child.x, child.y);
        }
        if painter.cut {
            cut = true;
        }
        let items = painter.items;
        let page = margins::Numbered { number, count };
        if let Some(running) = &mut running {
            let every = running.items(&paper, page, backgrounds, layout)?;
            every.iter().for_each(|item| medium.draw(item, 0.0, 0.0));
        }
        let around = margins::items(
            rules,
            name.as_deref(),
            &paper,
            page,
            &styled.counter_styles,
            &mut layout.faces,
        );
        around.iter().for_each(|item| medium.draw(item, 0.0, 0.0));
        items.iter().for_each(|item| medium.draw(item, 0.0, 0.0));
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

/// Gets ready the fonts that the page and what is around it bring, and the pictures of their backgrounds.
fn bring(styled: &Styled, running: Option<&Running>, layout: &mut Layout<'_>) {
    let document = layout.document;
    let around = running.iter().flat_map(|running| &running.styled.fonts);
    for font in styled.fonts.iter().chain(around) {
        layout.faces.bring(font.brought(document));
    }
    let around = running
        .iter()
        .flat_map(|running| running.styled.backdrops.values());
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

fn layout_resource(layout: &Layout<'_>, number: usize) -> ResourceId {
    layout.document.resource_id(number)
}

/// A page that is laid out in one strip.
struct Laid {
    whole: Rc<Fragment>,
    /// What stands on every page.
    fixed: Vec<Child>,
    /// How much smaller it is drawn because it is wide.
    shrunk: f32,
}

impl Laid {
    fn unshrunk((whole, fixed): (Fragment, Vec<Child>)) -> Self {
        Self {
            whole: Rc::new(whole),
            fixed,
            shrunk: 1.0,
        }
    }
}

fn lay_out(engine: &mut Engine<'_, '_>, root: BoxId, width: f32, height: f32) -> Result<Laid> {
    let (mut whole, fixed) = laid_out(engine, root, width, height)?;
    let wide = right(&whole);
    if wide <= width + 1.0 {
        return Ok(Laid::unshrunk((whole, fixed)));
    }
    let wider = wide.min(width / SMALLEST);
    let (again, fixed) = laid_out(engine, root, wider, height * wider / width)?;
    whole = again;
    Ok(Laid {
        whole: Rc::new(whole),
        fixed,
        shrunk: width / wider,
    })
}

/// How far to the right content reaches.
fn right(fragment: &Fragment) -> f32 {
    let reach = untransformed_right(fragment);
    match fragment.style() {
        Some(style) => spatial::right(style, (fragment.width, fragment.height), reach),
        None => reach,
    }
}

fn untransformed_right(fragment: &Fragment) -> f32 {
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
    let own = match fragment.kind {
        Made::Line => 0.0,
        _ => fragment.width,
    };
    within.fold(own, f32::max)
}

/// How far down content reaches, without the margins at the end.
fn content_bottom(whole: &Fragment) -> f32 {
    let mut bottom = 1.0_f32;
    for child in &whole.children {
        // The root element is as high as its content and the margins at its end.
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

/// The fragment whose background is that of the whole page: the root element, or the body (CSS Backgrounds 3, 2.11.2).
fn canvas(whole: &Fragment) -> Option<(*const Fragment, Rc<Style>)> {
    let is_seen = |fragment: &Fragment| {
        fragment.style().is_some_and(|style| {
            !matches!(style.background, Paint::Rgba(Rgba { alpha, .. }) if alpha <= 0.0)
                || style.layers.iter().any(|layer| layer.image != Image::None)
        })
    };
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
