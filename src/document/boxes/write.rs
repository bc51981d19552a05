//! From a page of HTML to a PDF, as a browser prints it. Knows the order of things.
//!
//! The page is read twice: by its meaning, for its metadata and as what is set if its styles are too intricate, and as a tree of
//! elements for the boxes.

use super::{
    engine::{Containing, Engine},
    fragment::{Child, Fragment, Kind as Made, Pending, Role},
    generate::{Gallery, Generator},
    margins,
    pages::{Breaker, reach},
    paint::{Extents, Painter, extents, fixed},
    paper::{self, Asked, BACKGROUND, Paper},
    sizing,
    tags::Tagger,
    tree::{BoxId, Boxes},
};
use crate::{
    document::{
        self, Loss, Losses,
        css::{
            self,
            cascade::Cascade,
            colour::{Paint, Rgba},
            media::Media,
            sheet::{PageRule, Reader},
            style::{Image, LEFT, RIGHT, Style, TOP},
        },
        encoding, html,
        html::dom::{self, Data, Dom, NodeId as ElementId},
        input::read_all,
        layout::{
            context::Layout,
            medium::Medium,
            memory::Part,
            sections::{self, Known, PageLabel},
            structure::NodeId,
        },
        tree::{Builder, Numeral, Picture, PictureSource, ResourceId},
    },
    error::Result,
    job::{Input, Job, Notes, Output},
};
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

static PICTURES: Loss = Loss {
    one: "A picture stands at an address and is not in the page: its place is left empty, or its description is shown.",
    many: "{} pictures stand at addresses and are not in the page: their places are left empty, or their descriptions are shown.",
};
static SHEETS: Loss = Loss {
    one: "A style sheet stands at an address and is not in the page: it was not applied.",
    many: "{} style sheets stand at addresses and are not in the page: they were not applied.",
};
static FONTS: Loss = Loss {
    one: "A font stands at an address, or in the style sheet: another one is used.",
    many: "{} fonts stand at addresses, or in the style sheet: others are used.",
};
static ANIMATIONS: Loss = Loss {
    one: "Animations stand still.",
    many: "Animations stand still.",
};
static SCRIPTS: Loss = Loss {
    one: "A script was not run.",
    many: "{} scripts were not run.",
};
static EFFECTS: Loss = Loss {
    one: "Filters, clip paths, masks, blend modes and vertical writing were left out.",
    many: "Filters, clip paths, masks, blend modes and vertical writing were left out.",
};
static WIDE: Loss = Loss {
    one: "What stands beyond the right edge of the paper was cut off.",
    many: "What stands beyond the right edge of the paper was cut off.",
};
static INTRICATE: Loss = Loss {
    one: "The styles of the page are too intricate to be laid out: it is set by its meaning alone.",
    many: "The styles of the page are too intricate to be laid out: it is set by its meaning alone.",
};

/// The memory for a page, beyond its text: elements, styles and boxes, in bytes of each.
const ELEMENT: u64 = 1500;
/// Browsers make wide pages smaller, but not below two thirds.
const SMALLEST: f32 = 2.0 / 3.0;

/// The pictures that a page holds itself.
struct Held<'b, 'j> {
    build: &'b mut Builder<'j>,
    known: HashMap<Box<str>, Option<ResourceId>>,
    remote: usize,
}

impl Gallery for Held<'_, '_> {
    fn picture(&mut self, address: &str) -> Result<Option<ResourceId>> {
        if let Some(known) = self.known.get(address) {
            return Ok(*known);
        }
        let found = match html::parse_data_url(address) {
            Some((media_type, bytes)) => Some(self.build.resource(bytes, "", Some(&media_type))?),
            None => None,
        };
        self.remote += usize::from(found.is_none() && !address.is_empty());
        self.known.insert(address.into(), found);
        Ok(found)
    }

    fn drawing(&mut self, file: &str) -> Result<ResourceId> {
        self.build
            .resource(file.as_bytes().to_vec(), "", Some("image/svg+xml"))
    }
}

/// A page before it is laid out.
struct Styled {
    dom: Dom,
    boxes: Boxes,
    root: Option<BoxId>,
    pages: Vec<PageRule>,
    backdrops: HashMap<Rc<str>, usize>,
    targets: HashSet<Box<str>>,
    /// The style of the root element's box and that of the body, for the background of the whole page.
    losses: Losses,
    refused: bool,
}

/// Writes a page of HTML.
///
/// Errors: the job is over, or memory is not granted.
pub(crate) fn write(
    job: &Job<'_>,
    input: &mut dyn Input,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let bytes = read_all(job, input, 3)?;
    let text = encoding::decode_html(bytes);
    let mut build = Builder::new(job);
    build.own_memory(6 * job.input_len)?;
    let mut page = html::Page::new(&text);
    html::read(&mut build, &text, html::Syntax::Html, &mut page)?;
    let usual = paper::usual(job);
    let styled = styled(&text, &mut build, &usual)?;
    let mut by_meaning = Notes::default();
    let mut document = build.finish(&mut by_meaning)?;
    if let Some(title) = job.options().word(document::options::TITLE.name) {
        document.metadata.title = Some(title.to_owned());
    }
    document::ensure_title(job, &mut document);
    let known = Known {
        pages: 1,
        ..Known::default()
    };
    let mut styled = styled;
    let mut failed = styled.refused || styled.root.is_none();
    document::pdf_pages(
        job,
        &document,
        output,
        &mut |layout, medium| {
            if !failed {
                match pages(job, &mut styled, &usual, layout, medium)? {
                    Some(labels) => return Ok(labels),
                    None => failed = true,
                }
            }
            sections::set(layout, medium, &known)
        },
        notes,
    )?;
    if failed {
        by_meaning.tell_once(notes);
        let mut losses = Losses::default();
        losses.add(&INTRICATE);
        losses.tell(notes);
    } else {
        styled.losses.tell(notes);
    }
    Ok(())
}

/// Reads the styles, and makes boxes.
fn styled(text: &str, build: &mut Builder<'_>, usual: &Paper) -> Result<Styled> {
    let mut dom = dom::build(text, html::Syntax::Html);
    build.own_memory(dom.len() as u64 * ELEMENT)?;
    let media = Media {
        print: true,
        size: usual.content(),
    };
    let mut losses = Losses::default();
    let sheets = {
        let texts = sheet_texts(&dom, &media, &mut losses);
        let quirks = dom.quirks;
        let nothing = |_: &str| None;
        let mut reader = Reader::new(&mut dom.names, quirks, media, &nothing);
        reader.sheet(css::DEFAULT, true);
        for text in &texts {
            match text {
                SheetText::Here(text) => reader.sheet(text, false),
                SheetText::At(address) => match reader.fetched(address) {
                    Some(text) => reader.sheet(&text, false),
                    None => reader.sheets.remote_sheets += 1,
                },
            }
        }
        reader.sheets
    };
    let mut cascade = Cascade::new(&dom, sheets, usual.content());
    let mut held = Held {
        build,
        known: HashMap::new(),
        remote: 0,
    };
    let targets: HashSet<Box<str>> = html::addresses(text)
        .filter_map(|address| Some(address.split_once('#')?.1.into()))
        .collect();
    let mut generator = Generator::new(&dom, &mut cascade, &mut held);
    generator.targets = targets;
    let root = generator.root()?;
    let (boxes, full, backdrops, effects, targets) = (
        generator.boxes,
        generator.full,
        generator.backdrops,
        generator.unsupported,
        generator.targets,
    );
    let remote = held.remote;
    let sheets = cascade.sheets();
    losses.add_many(&PICTURES, remote);
    losses.add_many(&SHEETS, sheets.remote_sheets);
    losses.add_many(&FONTS, sheets.remote_fonts);
    losses.add_many(&ANIMATIONS, usize::from(sheets.animates));
    losses.add_many(&EFFECTS, usize::from(effects));
    let refused = full || cascade.is_exhausted() || sheets.too_many;
    let pages = sheets.pages.clone();
    drop(cascade);
    Ok(Styled {
        boxes,
        root,
        pages,
        backdrops,
        targets,
        losses,
        refused,
        dom,
    })
}

/// A style sheet: its text, or where it is.
enum SheetText {
    Here(String),
    At(String),
}

/// The style sheets of a page, in order.
fn sheet_texts(dom: &Dom, media: &Media, losses: &mut Losses) -> Vec<SheetText> {
    let mut texts = Vec::new();
    let mut open = vec![ElementId::DOCUMENT];
    while let Some(id) = open.pop() {
        if let Data::Element(element) = &dom.node(id).data {
            let holds = || {
                let query = element.get("media").unwrap_or_default();
                media.holds_text(query)
            };
            match dom.tag(id) {
                "style" if holds() => texts.push(SheetText::Here(dom.text(id))),
                "link" => {
                    let rel = element.get("rel").unwrap_or_default().to_ascii_lowercase();
                    let is_sheet = rel
                        .split_ascii_whitespace()
                        .any(|word| word == "stylesheet");
                    let alternate = rel.contains("alternate");
                    if is_sheet && !alternate && holds() {
                        texts.push(SheetText::At(
                            element.get("href").unwrap_or_default().trim().to_owned(),
                        ));
                    }
                }
                "script" => {
                    let kind = element.get("type").unwrap_or_default().trim();
                    if kind.is_empty() || kind == "module" || kind.contains("javascript") {
                        losses.add(&SCRIPTS);
                    }
                }
                _ => {}
            }
        }
        let from = open.len();
        open.extend(dom.children(id));
        open[from..].reverse();
    }
    texts
}

/// Lays out and paints all pages. `None` if the page is too intricate.
fn pages(
    job: &Job<'_>,
    styled: &mut Styled,
    usual: &Paper,
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
    let asked = Asked::of(job);
    let rules = &styled.pages;
    let scale = paper::scale(job);
    let first = paper::of(
        rules,
        styled.boxes.get(root).style.page.as_deref(),
        0,
        usual,
        &asked,
    );
    let (width, height) = first.content();
    let (width, height) = (width / scale, height / scale);
    for number in styled.backdrops.values() {
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
    let quirks = styled.dom.quirks;
    let mut engine = Engine::new(&styled.boxes, layout, quirks, (width, height));
    let laid = lay_out(&mut engine, root, width, height);
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
    let content = |name: Option<&str>, number: usize| {
        paper::of(rules, name, number, usual, &asked).content().1 / scale / shrunk
    };
    let mut breaker = Breaker::new(&content);
    breaker.begin(styled.boxes.get(root).style.page.clone());
    breaker.fragment(&mut whole, 0.0);
    if breaker.refused {
        return Ok(None);
    }
    let bottom = content_bottom(&whole);
    let pages = breaker.pages(bottom);
    let mut reaches = Extents::new();
    extents(&whole, &mut reaches);
    stuck.iter().for_each(|child| {
        extents(&child.fragment, &mut reaches);
    });
    let canvas = canvas(&whole);
    let resources: Vec<Option<(f32, f32)>> = (0..layout.document.resources().len())
        .map(|number| layout.pictures.pixels(number))
        .collect();
    let sizes = |number: usize| resources.get(number).copied().flatten();
    let count = pages.len();
    let mut cut = false;
    let mut labels = Vec::with_capacity(count);
    for (number, (top, end, name)) in pages.into_iter().enumerate() {
        job.check()?;
        layout.memory.set(Part::Pages, medium.memory())?;
        let paper = paper::of(rules, name.as_deref(), number, usual, &asked);
        let per = 0.75 * scale * shrunk;
        medium.begin_page(paper.width * 0.75, paper.height * 0.75)?;
        let mut painter = Painter {
            boxes: &styled.boxes,
            faces: &layout.faces,
            extents: &reaches,
            height: end - top,
            origin: (paper.margin[LEFT] * 0.75, paper.margin[TOP] * 0.75),
            scale: per,
            backgrounds: job.options().word(BACKGROUND.name) != Some("none"),
            right: (paper.width - paper.margin[LEFT]) / scale / shrunk,
            cut: false,
            canvas: canvas.as_ref().map(|canvas| canvas.0),
            sizes: &sizes,
            backdrops: &styled.backdrops,
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
        let around = margins::items(rules, name.as_deref(), &paper, page, &mut layout.faces);
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

fn lay_out(engine: &mut Engine<'_, '_>, root: BoxId, width: f32, height: f32) -> Result<Laid> {
    let (mut whole, fixed) = once(engine, root, width, height)?;
    let wide = right(&whole);
    if wide <= width + 1.0 {
        return Ok(Laid {
            whole: Rc::new(whole),
            fixed,
            shrunk: 1.0,
        });
    }
    let wider = wide.min(width / SMALLEST);
    let (again, fixed) = once(engine, root, wider, height * wider / width)?;
    whole = again;
    Ok(Laid {
        whole: Rc::new(whole),
        fixed,
        shrunk: width / wider,
    })
}

/// Lays out the root element in a page of this width.
fn once(
    engine: &mut Engine<'_, '_>,
    root: BoxId,
    width: f32,
    height: f32,
) -> Result<(Fragment, Vec<Child>)> {
    engine.begin((width, height));
    let containing = Containing {
        width,
        height: Some(height),
    };
    let style = engine.style(root).clone();
    let margin = sizing::margins(&style, width).map(|margin| margin.unwrap_or(0.0));
    let own = engine.width(root, width, width - margin[LEFT] - margin[RIGHT], false)?;
    let fixed_height = engine.fixed_height(root, containing);
    let fragment = engine.independent(root, own, fixed_height, containing, Role::Flow)?;
    let mut whole = Fragment::new(Made::Line, width, height.max(fragment.height));
    whole.add(margin[LEFT], margin[TOP], fragment);
    whole.height = height;
    engine.place_pending(&mut whole, [0.0; 4], false)?;
    whole.height = whole
        .children
        .iter()
        .map(|child| child.y + child.fragment.height)
        .fold(0.0, f32::max);
    let mut fixed = Vec::new();
    for pending in std::mem::take(&mut whole.pending) {
        let style = engine.style(pending.id).clone();
        let stands = (pending.x, pending.y.rem_euclid(height.max(1.0)));
        let (x, y, mut fragment) = engine.absolute(&pending, &style, containing, stands)?;
        Rc::make_mut(&mut fragment).pending = Vec::<Pending>::new();
        fixed.push(Child { x, y, fragment });
    }
    Ok((whole, fixed))
}

/// How far to the right content reaches.
fn right(fragment: &Fragment) -> f32 {
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
