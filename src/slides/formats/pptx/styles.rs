//! Text styles (ECMA-376 part 1, 21.1.2) before inheritance: each level of a list style states some properties and
//! inherits the others. Colours are not resolved.

use crate::{
    containers::xml::Node,
    deck::{Bullet, Caps, Spacing, numbering},
};
use convertd_office::drawing::{Colour, FillStyle, flag, number, share};
use convertd_tree::{Alignment, Length, TabStop, VerticalAlignment};
use std::rc::Rc;

/// Number of levels of a list style.
pub(super) const LEVELS: usize = 9;

/// Limit on the tab stops of a paragraph; the schema allows 32.
const MAX_TABS: usize = 32;

/// Limit on font names, in bytes.
const MAX_NAME: usize = 100;

/// Stated properties of a run (21.1.2.3.9).
#[derive(Clone, Debug, Default)]
pub(super) struct RunStyle {
    /// Font size in hundredths of a point.
    pub(super) size: Option<i64>,
    pub(super) bold: Option<bool>,
    pub(super) italic: Option<bool>,
    pub(super) underlined: Option<bool>,
    pub(super) struck: Option<bool>,
    pub(super) caps: Option<Caps>,
    /// Offset of the baseline, as a fraction of the font size.
    pub(super) raised: Option<f64>,
    /// Additional space after each letter, in hundredths of a point.
    pub(super) spacing: Option<i64>,
    /// Text colour. `Some(None)` means letters without a fill.
    pub(super) colour: Option<Option<Colour>>,
    /// Colour of the outline of letters. `Some(None)` means no outline.
    pub(super) edge: Option<Option<Colour>>,
    pub(super) highlight: Option<Colour>,
    /// Font of Latin text.
    pub(super) latin: Option<Rc<str>>,
    /// Font of symbols, for characters in the private use area.
    pub(super) symbol: Option<Rc<str>>,
    /// Language tag.
    pub(super) language: Option<Rc<str>>,
}

/// Stated properties of a paragraph (21.1.2.2.7).
#[derive(Clone, Debug, Default)]
pub(super) struct ParagraphStyle {
    pub(super) alignment: Option<Alignment>,
    /// Whether the text runs from right to left.
    pub(super) backwards: Option<bool>,
    /// Distance of the lines from the left edge of the text area, in English Metric Units.
    pub(super) margin: Option<i64>,
    /// Indent of the first line relative to the margin, in English Metric Units.
    pub(super) indent: Option<i64>,
    /// Space before the paragraph.
    pub(super) before: Option<Spacing>,
    /// Space after the paragraph.
    pub(super) after: Option<Spacing>,
    /// Line height.
    pub(super) lines: Option<Spacing>,
    /// Tab stops, which replace the inherited tab stops.
    pub(super) tabs: Option<Vec<TabStop>>,
    pub(super) bullet: Option<Bullet>,
    /// Font of the bullet. `Some(None)` means the font of the text.
    pub(super) bullet_font: Option<Option<Rc<str>>>,
    /// Colour of the bullet. `Some(None)` means the colour of the text.
    pub(super) bullet_colour: Option<Option<Colour>>,
    pub(super) bullet_size: Option<BulletSize>,
    /// Default properties of the runs.
    pub(super) run: RunStyle,
}

/// Size of a bullet, relative to the text or fixed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum BulletSize {
    /// Size of the text.
    Text,
    /// Fraction of the text's size.
    Share(f64),
    /// Fixed size.
    Points(f64),
}

/// Properties by level. `None` for levels without stated properties.
#[derive(Clone, Debug, Default)]
pub(super) struct ListStyle(Vec<Option<Box<ParagraphStyle>>>);

/// Overrides a property if the other style states it.
fn put<T: Clone>(own: &mut Option<T>, above: &Option<T>) {
    if above.is_some() {
        own.clone_from(above);
    }
}

impl RunStyle {
    /// Reads an `a:rPr`, `a:defRPr` or `a:endParaRPr`.
    pub(super) fn read(node: &Node<'_>) -> Self {
        let face = |name| {
            let face = node.child("a", name)?.attribute("typeface")?;
            let face = face.trim();
            Some(face[..face.floor_char_boundary(MAX_NAME)].into())
        };
        let word = |name, off: &str| node.attribute(name).map(|value| value != off);
        let caps = node.attribute("cap").map(|caps| match &*caps {
            "all" => Caps::All,
            "small" => Caps::Small,
            _ => Caps::None,
        });
        // Only one colour per letter is supported. A gradient is replaced by its first colour, a pattern by its
        // foreground colour.
        let colour = match FillStyle::read(node) {
            None => None,
            Some(FillStyle::None) => Some(None),
            Some(FillStyle::Solid(colour)) => Some(Some(colour)),
            Some(FillStyle::Gradient(gradient)) => {
                let mut stops = gradient.stops.into_iter();
                stops.next().map(|(_, colour)| Some(colour))
            }
            Some(FillStyle::Pattern(pattern)) => Some(Some(pattern.fore)),
            Some(FillStyle::Picture(_) | FillStyle::Group) => None,
        };
        let edge = node.child("a", "ln").and_then(FillStyle::read);
        let edge = edge.map(|fill| match fill {
            FillStyle::Solid(colour) => Some(colour),
            _ => None,
        });
        Self {
            size: number(node, "sz").filter(|size| (1..=400_000).contains(size)),
            bold: flag(node, "b"),
            italic: flag(node, "i"),
            underlined: word("u", "none"),
            struck: word("strike", "noStrike"),
            caps,
            raised: share(node, "baseline"),
            spacing: number(node, "spc").filter(|spacing| (-400_000..=400_000).contains(spacing)),
            colour,
            edge,
            highlight: node.child("a", "highlight").and_then(Colour::read),
            latin: face("latin"),
            symbol: face("sym"),
            language: node.attribute("lang").map(|tag| tag.as_ref().into()),
        }
    }

    /// Overrides properties with those that `above` states.
    pub(super) fn put(&mut self, above: &Self) {
        put(&mut self.size, &above.size);
        put(&mut self.bold, &above.bold);
        put(&mut self.italic, &above.italic);
        put(&mut self.underlined, &above.underlined);
        put(&mut self.struck, &above.struck);
        put(&mut self.caps, &above.caps);
        put(&mut self.raised, &above.raised);
        put(&mut self.spacing, &above.spacing);
        put(&mut self.colour, &above.colour);
        put(&mut self.edge, &above.edge);
        put(&mut self.highlight, &above.highlight);
        put(&mut self.latin, &above.latin);
        put(&mut self.symbol, &above.symbol);
        put(&mut self.language, &above.language);
    }
}

impl ParagraphStyle {
    /// Reads an `a:pPr` or an element of the same type.
    pub(super) fn read(node: &Node<'_>) -> Self {
        let child = |name| node.child("a", name);
        let spacing = |name| {
            let spacing = child(name)?;
            // Points are stated in hundredths.
            let points = spacing.child("a", "spcPts");
            let points = points.and_then(|points| number(points, "val"));
            let lines = spacing.child("a", "spcPct");
            let lines = lines.and_then(|lines| share(lines, "val"));
            let points = points.map(|points| Spacing::Points(points as f64 / 100.0));
            points.or(lines.map(Spacing::Lines))
        };
        let bullet = if child("buNone").is_some() {
            Some(Bullet::None)
        } else if let Some(bullet) = child("buChar") {
            let character = bullet.attribute("char").unwrap_or_default();
            let character = &character[..character.floor_char_boundary(16)];
            Some(Bullet::Character(character.into()))
        } else if let Some(auto) = child("buAutoNum") {
            let scheme = auto.attribute("type").unwrap_or_default();
            let start = number(auto, "startAt").unwrap_or(1).clamp(1, 32_767);
            Some(Bullet::Number(numbering(&scheme, start as u32)))
        } else {
            child("buBlip").map(|blip| {
                let blip = blip.child("a", "blip");
                let id = blip.and_then(|blip| blip.attribute("embed"));
                Bullet::Picture(id.unwrap_or_default().into())
            })
        };
        let bullet_font = if child("buFontTx").is_some() {
            Some(None)
        } else {
            let face = child("buFont").and_then(|font| font.attribute("typeface"));
            face.map(|face| Some(face[..face.floor_char_boundary(MAX_NAME)].into()))
        };
        let bullet_colour = if child("buClrTx").is_some() {
            Some(None)
        } else {
            child("buClr").and_then(Colour::read).map(Some)
        };
        let bullet_size = if child("buSzTx").is_some() {
            Some(BulletSize::Text)
        } else if let Some(size) = child("buSzPts") {
            number(size, "val").map(|size| BulletSize::Points(size as f64 / 100.0))
        } else {
            let size = child("buSzPct").and_then(|size| share(size, "val"));
            size.map(BulletSize::Share)
        };
        let alignment = node.attribute("algn").and_then(|align| match &*align {
            "l" => Some(Alignment::Start),
            "ctr" => Some(Alignment::Centre),
            "r" => Some(Alignment::End),
            "just" | "justLow" | "dist" | "thaiDist" => Some(Alignment::Justify),
            _ => None,
        });
        let run = child("defRPr").map(RunStyle::read);
        Self {
            alignment,
            backwards: flag(node, "rtl"),
            margin: number(node, "marL"),
            indent: number(node, "indent"),
            before: spacing("spcBef"),
            after: spacing("spcAft"),
            lines: spacing("lnSpc"),
            tabs: child("tabLst").map(tabs),
            bullet,
            bullet_font,
            bullet_colour,
            bullet_size,
            run: run.unwrap_or_default(),
        }
    }

    /// Overrides properties with those that `above` states.
    pub(super) fn put(&mut self, above: &Self) {
        put(&mut self.alignment, &above.alignment);
        put(&mut self.backwards, &above.backwards);
        put(&mut self.margin, &above.margin);
        put(&mut self.indent, &above.indent);
        put(&mut self.before, &above.before);
        put(&mut self.after, &above.after);
        put(&mut self.lines, &above.lines);
        put(&mut self.tabs, &above.tabs);
        put(&mut self.bullet, &above.bullet);
        put(&mut self.bullet_font, &above.bullet_font);
        put(&mut self.bullet_colour, &above.bullet_colour);
        put(&mut self.bullet_size, &above.bullet_size);
        self.run.put(&above.run);
    }
}

/// Reads an `a:tabLst` (21.1.2.2.14).
fn tabs(node: &Node<'_>) -> Vec<TabStop> {
    let stops = node.children.iter().take(MAX_TABS).filter_map(|stop| {
        let at = number(stop, "pos")?.clamp(0, 51_206_400);
        let alignment = match stop.attribute("algn").as_deref() {
            Some("ctr") => Alignment::Centre,
            Some("r") => Alignment::End,
            // In a tab stop of the deck, `Justify` aligns numbers at their decimal point.
            Some("dec") => Alignment::Justify,
            _ => Alignment::Start,
        };
        Some(TabStop {
            at: Length::emu(at),
            alignment,
            leader: None,
        })
    });
    stops.collect()
}

impl ListStyle {
    /// Reads an `a:lstStyle` or an element of the same type. The properties of `defPPr` apply to all levels.
    pub(super) fn read(node: &Node<'_>) -> Self {
        if node.children.is_empty() {
            return Self::default();
        }
        let common = node.child("a", "defPPr").map(ParagraphStyle::read);
        let mut levels: Vec<Option<Box<ParagraphStyle>>> = vec![None; LEVELS];
        for (level, slot) in levels.iter_mut().enumerate() {
            let name = format!("lvl{}pPr", level + 1);
            let own = node.child("a", &name).map(ParagraphStyle::read);
            *slot = match (own, &common) {
                (None, None) => None,
                (own, common) => {
                    let mut style = common.clone().unwrap_or_default();
                    own.inspect(|own| style.put(own));
                    Some(Box::new(style))
                }
            };
        }
        Self(levels)
    }

    /// Returns the properties of a level, counted from 0.
    pub(super) fn level(&self, level: usize) -> Option<&ParagraphStyle> {
        self.0.get(level)?.as_deref()
    }
}

/// Stated properties of a text body (21.1.2.1.1).
#[derive(Clone, Debug, Default)]
pub(super) struct BodyStyle {
    /// Distances of the text from the left, top, right and bottom edge, in English Metric Units.
    pub(super) insets: [Option<i64>; 4],
    pub(super) anchor: Option<VerticalAlignment>,
    /// Whether lines are wrapped at the edge.
    pub(super) wraps: Option<bool>,
    /// Rotation of the text in degrees.
    pub(super) turn: Option<f64>,
    pub(super) fit: Option<Fit>,
    /// Number of columns, and the distance between two of them in English Metric Units.
    pub(super) columns: Option<i64>,
    pub(super) gap: Option<i64>,
}

/// Autofit of a text, as computed by the program that wrote the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fit {
    /// Factor of all font sizes.
    pub(super) scale: f64,
    /// Reduction of the line spacing, as a fraction of a line.
    pub(super) less: f64,
}

impl BodyStyle {
    /// Reads an `a:bodyPr`.
    pub(super) fn read(node: &Node<'_>) -> Self {
        let anchor = node.attribute("anchor").map(|anchor| match &*anchor {
            "ctr" => VerticalAlignment::Middle,
            "b" => VerticalAlignment::Bottom,
            _ => VerticalAlignment::Top,
        });
        let turn = node.attribute("vert").map(|vert| match &*vert {
            "vert" | "eaVert" | "mongolianVert" => 90.0,
            "vert270" => 270.0,
            _ => 0.0,
        });
        let none = Fit {
            scale: 1.0,
            less: 0.0,
        };
        let fit = if let Some(auto) = node.child("a", "normAutofit") {
            Some(Fit {
                scale: share(auto, "fontScale").unwrap_or(1.0).clamp(0.01, 1.0),
                less: share(auto, "lnSpcReduction").unwrap_or(0.0).clamp(0.0, 0.9),
            })
            // The other two kinds of autofit change neither the font size nor the line spacing.
        } else if node.child("a", "noAutofit").is_some() || node.child("a", "spAutoFit").is_some() {
            Some(none)
        } else {
            None
        };
        Self {
            insets: ["lIns", "tIns", "rIns", "bIns"].map(|name| number(node, name)),
            anchor,
            wraps: node.attribute("wrap").map(|wrap| wrap != "none"),
            turn,
            fit,
            columns: number(node, "numCol"),
            gap: number(node, "spcCol"),
        }
    }

    /// Overrides properties with those that `above` states.
    pub(super) fn put(&mut self, above: &Self) {
        for (own, above) in self.insets.iter_mut().zip(&above.insets) {
            put(own, above);
        }
        put(&mut self.anchor, &above.anchor);
        put(&mut self.wraps, &above.wraps);
        put(&mut self.turn, &above.turn);
        put(&mut self.fit, &above.fit);
        put(&mut self.columns, &above.columns);
        put(&mut self.gap, &above.gap);
    }
}
