//! Reads the part with properties (`Contents/header.xml`): fonts, borders, character and paragraph properties,
//! numberings and styles. Texts refer to all of them by identifier. Each set of properties is complete, so nothing is
//! inherited.

use super::{
    NAMESPACES,
    lengths::{colour, is_set, number, units},
    numbering,
};
use crate::{
    containers::xml::{Element, Node, Reader},
    error::Result,
    job::Job,
};
use convertd_office::wordprocessing::{
    Font, ParagraphProperties, ParagraphRole, Raised, Resolved, RunProperties, Story,
    role_of_paragraph,
};
use convertd_tree::{Alignment, Border, Borders, Colour, Length, LineHeight, LineKind};
use std::{collections::HashMap, rc::Rc};

/// Memory of one set of properties, in bytes. A set may be larger in memory than its element in the file.
const LOOK: u64 = 1 << 10;

/// Properties of a document, by their identifiers.
#[derive(Default)]
pub(super) struct Header {
    /// Names of fonts by script and identifier.
    fonts: HashMap<Box<str>, HashMap<Box<str>, Box<str>>>,
    borders: HashMap<Box<str>, Rc<BorderFill>>,
    characters: HashMap<Box<str>, Rc<RunProperties>>,
    tabs: HashMap<Box<str>, Rc<Tabs>>,
    paragraphs: HashMap<Box<str>, Rc<ParagraphLook>>,
    styles: HashMap<Box<str>, Rc<Resolved>>,
}

/// Borders and background of a paragraph, a cell or a page.
#[derive(Debug, Default)]
pub(super) struct BorderFill {
    pub(super) borders: Borders,
    pub(super) background: Option<Colour>,
}

/// Tab stops.
#[derive(Debug, Default)]
struct Tabs {
    stops: Vec<(Length, Option<Alignment>, Option<char>)>,
    /// Whether the right edge of the text is a tab stop, too.
    at_end: bool,
}

/// Properties of a paragraph.
#[derive(Debug, Default)]
pub(super) struct ParagraphLook {
    pub(super) properties: ParagraphProperties,
    /// Line height in percent of the font size.
    pub(super) line_percent: Option<i64>,
    /// Whether the paragraph belongs to the outline, whose numbering the section states.
    pub(super) is_outline: bool,
    /// Whether the right edge of the text is a tab stop, too.
    pub(super) tab_at_end: bool,
}

impl Header {
    /// Reads the part.
    pub(super) fn read(job: &Job<'_>, story: &mut Story<'_>, text: &str) -> Result<Self> {
        let mut header = Self::default();
        let mut styles = Vec::new();
        let mut xml = Reader::new(job, text, NAMESPACES);
        xml.root()?;
        while let Some(outer) = xml.next_element(1)? {
            if outer.name != "refList" {
                continue;
            }
            while let Some(list) = xml.next_element(2)? {
                while let Some(element) = xml.next_element(3)? {
                    let id: Box<str> = element.attribute("id").unwrap_or_default().into();
                    story.hold(LOOK)?;
                    match (list.name, element.name) {
                        ("fontfaces", "fontface") => {
                            let script = element.attribute("lang").unwrap_or_default();
                            header.fonts.insert(script.into(), fonts(&mut xml)?);
                        }
                        ("borderFills", "borderFill") => {
                            let node = Node::read(&mut xml, element)?;
                            header.borders.insert(id, Rc::new(border_fill(&node)));
                        }
                        ("charProperties", "charPr") => {
                            let node = Node::read(&mut xml, element)?;
                            let look = header.character(&node);
                            header.characters.insert(id, Rc::new(look));
                        }
                        ("tabProperties", "tabPr") => {
                            let node = Node::read(&mut xml, element)?;
                            header.tabs.insert(id, Rc::new(tabs(&node)));
                        }
                        ("numberings" | "bullets", "numbering" | "bullet") => {
                            numbering::add(&mut story.lists, &mut xml, &element)?;
                        }
                        ("paraProperties", "paraPr") => {
                            let node = Node::read(&mut xml, element)?;
                            let look = header.paragraph_look(&node);
                            header.paragraphs.insert(id, Rc::new(look));
                        }
                        ("styles", "style") => styles.push(element),
                        _ => {}
                    }
                }
            }
        }
        for style in styles {
            let id: Box<str> = style.attribute("id").unwrap_or_default().into();
            let resolved = header.resolved(&style).settle(&story.fonts);
            header.styles.insert(id, resolved);
        }
        Ok(header)
    }

    /// Character properties with this identifier.
    pub(super) fn characters(&self, id: &str) -> Rc<RunProperties> {
        self.characters.get(id).cloned().unwrap_or_default()
    }

    /// Paragraph properties with this identifier.
    pub(super) fn paragraph(&self, id: &str) -> Rc<ParagraphLook> {
        self.paragraphs.get(id).cloned().unwrap_or_default()
    }

    /// Paragraph style with this identifier.
    pub(super) fn style(&self, id: &str) -> Rc<Resolved> {
        self.styles.get(id).cloned().unwrap_or_default()
    }

    /// Borders and background with this identifier.
    pub(super) fn border_fill(&self, id: &str) -> Rc<BorderFill> {
        self.borders.get(id).cloned().unwrap_or_default()
    }

    /// Resolves a style. Its role follows from its English name, which other programs know, too, or else from its own
    /// name.
    fn resolved(&self, style: &Element<'_>) -> Resolved {
        let own = |name| style.attribute(name).unwrap_or_default();
        let english = own("engName");
        let name = match english.is_empty() {
            true => own("name"),
            false => english,
        };
        let mut paragraph = self.paragraph(&own("paraPrIDRef")).properties.clone();
        paragraph.list = None;
        Resolved {
            id: None,
            role: match role_of_paragraph(&name) {
                // Only a position in the outline makes a paragraph a heading.
                None | Some(ParagraphRole::Heading(_)) => ParagraphRole::Body,
                Some(role) => role,
            },
            name: Some(name.into()),
            paragraph,
            run: (*self.characters(&own("charPrIDRef"))).clone(),
            text: Default::default(),
        }
    }

    fn font(&self, script: &str, id: Option<&str>) -> Option<Font> {
        let name = self.fonts.get(script)?.get(id?)?;
        Some(Font::Named(name.clone()))
    }

    /// Reads a `charPr`. Except for the font, properties that have a value for each script are taken from their value
    /// for Hangul, because the tree has only one value for all scripts.
    fn character(&self, node: &Node<'_>) -> RunProperties {
        let percent = |name| {
            let value = node
                .named(name)
                .and_then(|all| number(&all.element, "hangul"));
            value.filter(|percent| (-400..=600).contains(percent))
        };
        let size = number(&node.element, "height")
            .unwrap_or(1000)
            .clamp(100, 409_600);
        let size = size * percent("relSz").unwrap_or(100).clamp(10, 250) / 100;
        let share = |percent: i64| units(size * percent / 100);
        let font = |script, name: &str| {
            let fonts = node.named("fontRef")?;
            self.font(script, fonts.attribute(name).as_deref())
        };
        let kind = |name, attribute: &str| {
            let value = node.named(name).and_then(|line| line.attribute(attribute));
            value.map(|value| value.into_owned()).unwrap_or_default()
        };
        let has_child = |name| Some(node.named(name).is_some());
        let text_colour = colour(&node.element, "textColor");
        let shade = colour(&node.element, "shadeColor");
        let mut run = RunProperties {
            bold: has_child("bold"),
            italic: has_child("italic"),
            underline: Some(!matches!(&*kind("underline", "type"), "" | "NONE")),
            // Some versions write the shape `3D` instead of `NONE`.
            strike: Some(!matches!(&*kind("strikeout", "shape"), "" | "NONE" | "3D")),
            outlined: Some(!matches!(&*kind("outline", "type"), "" | "NONE")),
            raised: Some(match () {
                () if node.named("supscript").is_some() => Raised::Above,
                () if node.named("subscript").is_some() => Raised::Below,
                () => Raised::Not,
            }),
            highlight: Some(false),
            size: Some(units(size)),
            spacing: Some(share(percent("spacing").unwrap_or(0))),
            scale: Some(percent("ratio").unwrap_or(100).clamp(1, 600) as u16),
            // Offset downwards, in percent of the font size.
            position: Some(share(-percent("offset").unwrap_or(0))),
            colour: Some(text_colour.filter(|own| *own != Colour(0, 0, 0))),
            latin: font("LATIN", "latin"),
            east_asian: font("HANGUL", "hangul"),
            complex: font("OTHER", "other"),
            ..RunProperties::default()
        };
        run.shaded(shade.filter(|own| *own != Colour(0xff, 0xff, 0xff)));
        run
    }

    /// Reads a `paraPr`.
    ///
    /// Lengths in it are stored doubled. Programs since 2016 also write them undoubled, in a `case` for the namespace
    /// HwpUnitChar, which takes precedence.
    fn paragraph_look(&self, node: &Node<'_>) -> ParagraphLook {
        let switches = || node.all_named("switch");
        let cases = || switches().flat_map(|switch| switch.all_named("case"));
        let defaults = || switches().flat_map(|switch| switch.all_named("default"));
        let doubled = |name: &str| {
            node.named(name)
                .or(defaults().find_map(|all| all.named(name)))
        };
        let single = |name: &str| cases().find_map(|all| all.named(name));
        let is_length = |node: &Node<'_>| node.attribute("unit").as_deref() != Some("CHAR");
        let margin = |name: &str| {
            let own = single("margin").and_then(|all| all.named(name));
            let own = own.filter(|own| is_length(own));
            let own = own.and_then(|own| number(&own.element, "value"));
            let halved = || {
                let doubled_node = doubled("margin")?
                    .named(name)
                    .filter(|own| is_length(own))?;
                Some(number(&doubled_node.element, "value")? / 2)
            };
            units(own.or_else(halved).unwrap_or(0))
        };
        let attribute = |name: &str, attribute: &str| {
            let value = doubled(name)
                .or(single(name))
                .and_then(|own| own.attribute(attribute));
            value.map(|value| value.into_owned()).unwrap_or_default()
        };
        let setting = |name: &str| {
            let own = node.named("breakSetting");
            Some(own.is_some_and(|own| is_set(&own.element, name)))
        };
        let (mut start, mut first) = (margin("left"), margin("intent"));
        if first < Length::ZERO {
            // A negative value is a hanging indent. It indents all lines but the first, in addition to the left margin.
            start = start - first;
        }
        if start + first < Length::ZERO {
            first = Length::ZERO - start;
        }
        let mut look = ParagraphLook::default();
        let own = &mut look.properties;
        own.alignment = Some(match &*attribute("align", "horizontal") {
            "LEFT" => Alignment::Start,
            "RIGHT" => Alignment::End,
            "CENTER" => Alignment::Centre,
            _ => Alignment::Justify,
        });
        own.indent_start = Some(start);
        own.first_line = Some(first);
        own.indent_end = Some(margin("right"));
        own.space_before = Some(margin("prev"));
        own.space_after = Some(margin("next"));
        own.keep_with_next = setting("keepWithNext");
        own.keep_together = setting("keepLines");
        own.page_break_before = setting("pageBreakBefore");
        own.uncounted = Some(is_set(&node.element, "suppressLineNumbers"));
        if let Some(line) = single("lineSpacing").or(doubled("lineSpacing")) {
            let value = number(&line.element, "value")
                .unwrap_or(160)
                .clamp(0, 100_000);
            let value = match single("lineSpacing").is_some() {
                true => units(value),
                false => units(value / 2),
            };
            let kind = line.attribute("type").unwrap_or_default();
            match &*kind {
                "FIXED" => own.line_height = Some(LineHeight::Exactly(value)),
                "AT_LEAST" => own.line_height = Some(LineHeight::AtLeast(value)),
                "BETWEEN_LINES" => {}
                _ => look.line_percent = number(&line.element, "value"),
            }
        }
        let heading = attribute("heading", "type");
        let id = attribute("heading", "idRef").parse().unwrap_or(0);
        let level = attribute("heading", "level").parse().unwrap_or(0_u8).min(8);
        look.is_outline = heading == "OUTLINE";
        own.list = Some(numbering::list_number(&heading, id));
        own.list_level = Some(level);
        own.outline = Some(if look.is_outline { level } else { 9 });
        if let Some(border) = node.named("border") {
            self.set_border(own, border);
        }
        let tabs = self
            .tabs
            .get(&*node.attribute("tabPrIDRef").unwrap_or_default());
        if let Some(tabs) = tabs {
            own.tabs.clone_from(&tabs.stops);
            look.tab_at_end = tabs.at_end;
        }
        look
    }

    fn set_border(&self, own: &mut ParagraphProperties, border: &Node<'_>) {
        let fill = self.border_fill(&border.attribute("borderFillIDRef").unwrap_or_default());
        own.background = Some(fill.background);
        let mut borders = fill.borders;
        for (side, name) in [
            (&mut borders.top, "offsetTop"),
            (&mut borders.end, "offsetRight"),
            (&mut borders.bottom, "offsetBottom"),
            (&mut borders.start, "offsetLeft"),
        ] {
            if let Some(side) = side {
                side.space = Some(units(number(&border.element, name).unwrap_or(0).max(0)));
            }
        }
        own.borders = Some(borders);
        own.boxed_apart = Some(!is_set(&border.element, "connect"));
    }
}

/// Reads the fonts of a script.
fn fonts(xml: &mut Reader<'_>) -> Result<HashMap<Box<str>, Box<str>>> {
    let mut all = HashMap::new();
    let level = xml.level();
    while let Some(font) = xml.next_element(level)? {
        let own = |name| font.attribute(name).unwrap_or_default();
        if font.name == "font" && !own("face").is_empty() {
            all.insert(own("id").into(), own("face").into());
        }
    }
    Ok(all)
}

/// Reads a `tabPr`. If a `case` contains tab stops, only these are used. All others are stored doubled, as margins are.
fn tabs(node: &Node<'_>) -> Tabs {
    const MAX: usize = 64;
    let mut tabs = Tabs {
        stops: Vec::new(),
        at_end: is_set(&node.element, "autoTabRight"),
    };
    let cases = node
        .all_named("switch")
        .flat_map(|all| all.all_named("case"));
    let cases: Vec<_> = cases.flat_map(|all| all.all_named("tabItem")).collect();
    let (items, divisor) = match cases.is_empty() {
        true => (node.all_named("tabItem").collect(), 2),
        false => (cases, 1),
    };
    for item in items.into_iter().take(MAX) {
        let at = units(number(&item.element, "pos").unwrap_or(0) / divisor);
        let alignment = match item.attribute("type").as_deref() {
            Some("RIGHT") => Alignment::End,
            Some("CENTER") => Alignment::Centre,
            Some("DECIMAL") => Alignment::Justify,
            _ => Alignment::Start,
        };
        let leader = match item.attribute("leader").as_deref() {
            None | Some("NONE") => None,
            Some("DOT" | "CIRCLE") => Some('.'),
            Some("DASH" | "LONG_DASH" | "DASH_DOT" | "DASH_DOT_DOT") => Some('-'),
            Some(_) => Some('_'),
        };
        tabs.stops.push((at, Some(alignment), leader));
    }
    tabs
}

/// Reads a `borderFill`.
fn border_fill(node: &Node<'_>) -> BorderFill {
    let side = |name: &str| node.named(name).and_then(border);
    let fill = node.named("fillBrush");
    let plain = fill.and_then(|fill| fill.named("winBrush"));
    let plain = plain.and_then(|fill| colour(&fill.element, "faceColor"));
    // A gradient becomes its first colour.
    let gradient = || fill?.named("gradation")?.named("color");
    let gradient = || gradient().and_then(|colour_node| colour(&colour_node.element, "value"));
    BorderFill {
        borders: Borders {
            top: side("topBorder"),
            end: side("rightBorder"),
            bottom: side("bottomBorder"),
            start: side("leftBorder"),
        },
        background: plain.or_else(gradient),
    }
}

/// Reads a border. `None` if it is invisible, or if it has no valid width.
fn border(node: &Node<'_>) -> Option<Border> {
    let kind = node.attribute("type")?;
    let (kind, lines) = match &*kind {
        "NONE" => return None,
        "DASH" | "LONG_DASH" | "DASH_DOT" | "DASH_DOT_DOT" => (LineKind::Dashed, 1.0),
        "DOT" | "CIRCLE" => (LineKind::Dotted, 1.0),
        // The width in the file is that of all lines and the gaps between them. The tree has the width of one line.
        "DOUBLE_SLIM" | "SLIM_THICK" | "THICK_SLIM" | "SLIM_THICK_SLIM" | "DOUBLEWAVE" => {
            (LineKind::Double, 3.0)
        }
        _ => (LineKind::Solid, 1.0),
    };
    let width = node.attribute("width")?;
    let width = width.trim().trim_end_matches("mm").trim().parse::<f64>();
    let width = width.ok().filter(|width| (0.0..=20.0).contains(width))?;
    Some(Border {
        width: Length::millimetres(width / lines),
        colour: colour(&node.element, "color").filter(|own| *own != Colour(0, 0, 0)),
        kind,
        space: None,
    })
}
