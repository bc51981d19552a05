//! Turns the text of a document into styled boxes: collects style sheets, fonts and pictures, and
//! runs the cascade. Lays out nothing.

use super::{
    fonts::units,
    generate::{Gallery, Generator},
    surface::Surface,
    templates::Templates,
    tree::{BoxId, Boxes},
};
use crate::{error::Result, job::Tag};
use convertd_core::fonts::{used, web};
use convertd_layout::faces::{DocumentFont, Faces};
use convertd_markup::{
    css::{
        self,
        cascade::Cascade,
        counter_style::CounterStyles,
        font_face::FontFace,
        media::Media,
        sheet::{PageRule, SheetParser},
        style::Writing,
        writing::Turn,
    },
    dom::{Data, Dom, NodeId as ElementId},
    html,
};
use convertd_pdfwrite::object::embeds;
use convertd_tree::{
    Builder, Document, ResourceId,
    losses::{Loss, Losses},
};
use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    rc::Rc,
};

static PICTURES: Loss = Loss {
    one: "A picture outside of the page was not loaded: its place is empty, or shows its description.",
    many: "{} pictures outside of the page were not loaded: their places are empty, or show their descriptions.",
};
static SHEETS: Loss = Loss {
    one: "A style sheet outside of the page was not loaded.",
    many: "{} style sheets outside of the page were not loaded.",
};
static FONTS: Loss = Loss {
    one: "A font outside of the page was not loaded: another font is used instead.",
    many: "{} fonts outside of the page were not loaded: other fonts are used instead.",
};
static ANIMATIONS: Loss = Loss {
    one: "Animations do not move.",
    many: "Animations do not move.",
};
static SCRIPTS: Loss = Loss {
    one: "A script was not run.",
    many: "{} scripts were not run.",
};
static EFFECTS: Loss = Loss {
    one: "Filters, masks, blend modes, and vertical writing of the whole page were left out.",
    many: "Filters, masks, blend modes, and vertical writing of the whole page were left out.",
};
static CONTAINERS: Loss = Loss {
    one: "Style rules in @container and @scope were left out.",
    many: "Style rules in @container and @scope were left out.",
};
static CLAMPS: Loss = Loss {
    one: "Text that the page cuts after a number of lines (line-clamp) is shown in full.",
    many: "Text that the page cuts after a number of lines (line-clamp) is shown in full.",
};

static GROUNDS: Loss = Loss {
    one: "The backgrounds of pages (@page) were left out.",
    many: "The backgrounds of pages (@page) were left out.",
};

static SUBGRIDS: Loss = Loss {
    one: "Grids that share rows or columns with the grid around them (subgrid) were laid out independently.",
    many: "Grids that share rows or columns with the grid around them (subgrid) were laid out independently.",
};
static BLANK: Loss = Loss {
    one: "A frame, video or other embedded object was left out: its place is blank.",
    many: "{} frames, videos or other embedded objects were left out: their places are blank.",
};
static UNREADABLE: Loss = Loss {
    one: "A font in the style sheet cannot be read: another font is used instead.",
    many: "{} fonts in the style sheet cannot be read: other fonts are used instead.",
};
/// Memory per element for its nodes, styles and boxes, in bytes. It is leased before the styles are computed.
const ELEMENT: u64 = 1500;
/// Pictures of a document, which must be data URLs. All other pictures count as missing, because nothing is downloaded.
struct DataUrlPictures<'b, 'j> {
    build: &'b mut Builder<'j>,
    /// Loaded pictures by URL; `None` for missing ones.
    known: HashMap<Box<str>, Option<ResourceId>>,
    /// Number of missing pictures.
    remote: usize,
}

impl Gallery for DataUrlPictures<'_, '_> {
    fn picture(&mut self, address: &str) -> Result<Option<ResourceId>> {
        // Each data URL is decoded once.
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

/// A document before it is parsed.
pub struct Source {
    /// Markup of the document, without the templates.
    pub text: String,
    /// HTML or XHTML, which are parsed by different rules.
    pub syntax: html::Syntax,
    /// Templates for headers and footers.
    pub templates: Option<Templates>,
}

impl Source {
    /// A document in HTML or XHTML; its beginning tells which. Templates for headers and footers are cut out.
    pub fn of_page(mut text: String) -> Self {
        let templates = Templates::cut(&mut text);
        let (text, syntax) = html::xhtml_page(text);
        Self {
            text,
            syntax,
            templates,
        }
    }

    /// A document in a known syntax. Templates for headers and footers are cut out.
    pub fn new(mut text: String, syntax: html::Syntax) -> Self {
        let templates = Templates::cut(&mut text);
        Self {
            text,
            syntax,
            templates,
        }
    }
}

/// A font from an `@font-face` rule.
pub(crate) struct Font {
    /// Family name, in lower case.
    name: Rc<str>,
    /// Range of weights, from 1 to 1000.
    weight: (u16, u16),
    italic: bool,
    /// Whether the `unicode-range` of the font includes Latin letters.
    is_latin: bool,
    /// An OpenType file.
    file: ResourceId,
}

impl Font {
    /// The font for the text shaper.
    pub(crate) fn document_font<'d>(&self, document: &'d Document) -> DocumentFont<'d> {
        DocumentFont {
            name: self.name.clone(),
            weight: self.weight,
            italic: self.italic,
            is_latin: self.is_latin,
            data: &document.resource(self.file).bytes,
        }
    }
}

/// Loads the fonts of `@font-face` rules. Fonts that are unreadable or may not be embedded in a PDF are noted as
/// losses. `own` is the memory of the page itself in bytes.
fn fonts(
    faces: &[FontFace],
    own: u64,
    build: &mut Builder<'_>,
    losses: &mut Losses,
) -> Result<Vec<Font>> {
    let mut fonts = Vec::new();
    for face in faces {
        let mut found = None;
        // Sources of a face are tried in the order of the author's preference (CSS Fonts 4, 4.3).
        for address in &face.addresses {
            build.own_memory(own + address.len() as u64)?;
            let Some((_, packed)) = html::parse_data_url(address) else {
                continue;
            };
            // Unpacking WOFF may need more memory than the file has bytes.
            build.own_memory(own + web::room(&packed))?;
            let font = web::unpacked(&packed).filter(|font| is_usable(font));
            if let Some(font) = font {
                found = Some(build.resource(font.into_owned(), "", Some("font/sfnt"))?);
                break;
            }
        }
        match found {
            Some(file) => fonts.push(Font {
                name: face.name.clone(),
                weight: face.weight,
                italic: face.italic,
                is_latin: face.is_latin,
                file,
            }),
            None => losses.add(&UNREADABLE),
        }
    }
    build.own_memory(own)?;
    Ok(fonts)
}

/// Returns whether a font can be parsed, and embedded with all its glyphs.
fn is_usable(font: &[u8]) -> bool {
    used::Font::read(font).is_some_and(|font| embeds(&font))
}

/// A document with its boxes, ready for layout.
pub(crate) struct Styled {
    // The document and its boxes.
    pub dom: Dom,
    pub boxes: Boxes,
    /// Rotation of pages with a vertical principal writing mode.
    pub turn: Turn,
    /// Box of the root element; `None` if nothing is displayed.
    pub root: Option<BoxId>,
    // Other results of the style sheets, besides the styles of boxes.
    /// `@page` rules in order.
    pub pages: Vec<PageRule>,
    pub counter_styles: Rc<CounterStyles>,
    /// Numbers of background pictures by URL.
    pub(super) backdrops: HashMap<Rc<str>, usize>,
    pub fonts: Vec<Font>,
    // Link targets, and facts for the notes.
    /// Names that links refer to.
    pub targets: HashSet<Box<str>>,
    pub losses: Losses,
    /// Whether a limit was exceeded and styles therefore cannot be applied.
    pub refused: bool,
}

impl Styled {
    /// Title of the document with single spaces; empty without one.
    pub(crate) fn title(&self) -> String {
        let mut all = self.dom.all();
        let title = all.find(|id| self.dom.tag(*id) == "title");
        let words = title.map(|id| self.dom.text(id)).unwrap_or_default();
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Applies the styles of a page to its tree, and generates its boxes.
pub(crate) fn styled(
    page: &Source,
    dom: Dom,
    build: &mut Builder<'_>,
    surface: &Surface,
) -> Result<Styled> {
    let text = page.text.as_str();
    // Only names that follow the `#` of a link become link targets.
    let targets: HashSet<Box<str>> = html::addresses(text)
        .filter_map(|address| Some(address.split_once('#')?.1.into()))
        .collect();
    styled_tree(dom, targets, build, surface)
}

/// Applies styles to a parsed document with these link targets, and generates its boxes.
pub(super) fn styled_tree(
    mut dom: Dom,
    targets: HashSet<Box<str>>,
    build: &mut Builder<'_>,
    surface: &Surface,
) -> Result<Styled> {
    let own = dom.len() as u64 * ELEMENT;
    build.own_memory(own)?;
    let media = surface.media();
    let mut losses = Losses::default();
    // 1. Style sheets: the default sheet, then those of the document in tree order.
    let sheets = {
        let texts = sheet_texts(&dom, &media, &mut losses);
        let quirks = dom.quirks;
        let nothing = |_: &str| None;
        let mut reader = SheetParser::new(&mut dom.names, quirks, media, &nothing);
        reader.sheet(css::DEFAULT, true);
        for text in &texts {
            match text {
                SheetText::Inline(text) => reader.sheet(text, false),
                SheetText::At(address) => match reader.fetched(address) {
                    Some(text) => reader.sheet(&text, false),
                    None => reader.sheets.remote_sheets += 1,
                },
            }
        }
        reader.sheets
    };
    // 2. The cascade. The fonts that it measures for units such as `ch` are loaded when first needed.
    let faces = RefCell::new(None);
    let mut cascade =
        Cascade::new(&dom, sheets, surface.default_paper.content()).measuring(|style| {
            let mut faces = faces.borrow_mut();
            units(style, faces.get_or_insert_with(Faces::new))
        });
    // 3. Boxes.
    let mut held = DataUrlPictures {
        build,
        known: HashMap::new(),
        remote: 0,
    };
    let mut generator = Generator::new(&dom, &mut cascade, &mut held);
    generator.targets = targets;
    generator.colours_code = surface.colours_code;
    generator.turns_pages = surface.paged && !surface.single;
    let root = generator.root()?;
    let turn = Turn::of(match generator.turns {
        true => generator.writing,
        false => Writing::Horizontal,
    });
    let (boxes, full, backdrops, effects, blank, targets) = (
        generator.boxes,
        generator.full,
        generator.backdrops,
        generator.unsupported,
        generator.blank,
        generator.targets,
    );
    // Facts for the notes.
    let remote = held.remote;
    let sheets = cascade.sheets();
    let fonts = fonts(&sheets.fonts, own, build, &mut losses)?;
    losses.add_tagged(&PICTURES, remote, Tag::Resource);
    losses.add_tagged(&SHEETS, sheets.remote_sheets, Tag::Resource);
    losses.add_tagged(&FONTS, sheets.remote_fonts, Tag::Resource);
    losses.add_many(&ANIMATIONS, usize::from(sheets.animates));
    losses.add_many(&EFFECTS, usize::from(effects));
    losses.add_many(&CONTAINERS, usize::from(sheets.contains));
    losses.add_many(&SUBGRIDS, usize::from(sheets.has_subgrids));
    losses.add_many(&CLAMPS, usize::from(sheets.clamps));
    losses.add_many(&GROUNDS, usize::from(sheets.paints_pages));
    losses.add_many(&BLANK, blank);
    let refused = full || cascade.is_exhausted() || sheets.too_many;
    let pages = sheets.pages.clone();
    let counter_styles = sheets.counter_styles.clone();
    drop(cascade);
    Ok(Styled {
        boxes,
        root,
        turn,
        pages,
        counter_styles,
        backdrops,
        fonts,
        targets,
        losses,
        refused,
        dom,
    })
}

/// A style sheet in the document, or its URL.
enum SheetText {
    Inline(String),
    At(String),
}

/// Style sheets of a document in tree order, from `style` and `link` elements whose `media` matches. Scripts are noted
/// as losses.
fn sheet_texts(dom: &Dom, media: &Media, losses: &mut Losses) -> Vec<SheetText> {
    let mut texts = Vec::new();
    let mut open = vec![ElementId::DOCUMENT];
    while let Some(id) = open.pop() {
        if let Data::Element(element) = &dom.node(id).data {
            // `media` limits a sheet to a medium. Without it, the sheet applies to all media.
            let holds = || {
                let query = element.get("media").unwrap_or_default();
                media.holds_text(query)
            };
            match dom.tag(id) {
                "style" if holds() => texts.push(SheetText::Inline(dom.own_text(id))),
                "link" => {
                    let rel = element.get("rel").unwrap_or_default().to_ascii_lowercase();
                    let is_sheet = rel
                        .split_ascii_whitespace()
                        .any(|word| word == "stylesheet");
                    // Alternate sheets apply only if a user chooses them.
                    let alternate = rel.contains("alternate");
                    if is_sheet && !alternate && holds() {
                        texts.push(SheetText::At(
                            element.get("href").unwrap_or_default().trim().to_owned(),
                        ));
                    }
                }
                // A script whose type is not JavaScript is data, and no loss.
                "script" => {
                    let kind = element.get("type").unwrap_or_default().trim();
                    if kind.is_empty() || kind == "module" || kind.contains("javascript") {
                        losses.add(&SCRIPTS);
                    }
                }
                _ => {}
            }
        }
        // Children go onto the stack in reverse order, so that they are visited in document order.
        let from = open.len();
        open.extend(dom.children(id));
        open[from..].reverse();
    }
    texts
}
