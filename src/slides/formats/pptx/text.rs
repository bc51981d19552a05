//! Reads text in shapes (ECMA-376 part 1, 21.1.2) and resolves the inherited styles of each paragraph and run.

use super::{
    scope::Scope,
    styles::{BodyStyle, BulletSize, Fit, LEVELS, ListStyle, ParagraphStyle, RunStyle},
};
use crate::{
    containers::xml::Node,
    deck::{
        Body, Bullet, BulletLook, Caps, Columns, ComputedStyle, Paragraph, Run, Spacing, Words,
    },
};
use convertd_office::{
    drawing::{Colour, Rgba, number},
    wordprocessing as office,
};
use convertd_tree::{Alignment, math::omml};
use std::rc::Rc;

/// Default insets in English Metric Units: left, top, right, bottom (21.1.2.1.1).
pub(super) const INSETS: [i64; 4] = [91_440, 45_720, 91_440, 45_720];

/// Default font size, in hundredths of a point (21.1.2.3.9).
const SIZE: i64 = 1800;

/// Inherited styles of a text, the most general first.
#[derive(Default)]
pub(super) struct Layers<'l> {
    /// Properties of the text boxes of both placeholders: first the master's, then the layout's.
    pub(super) bodies: Vec<&'l BodyStyle>,
    /// Styles of the levels.
    pub(super) lists: Vec<&'l ListStyle>,
    /// Character properties of the shape's theme style or of the table style. They override the styles in `lists`, and
    /// the shape's own properties override them.
    pub(super) own: RunStyle,
}

/// Reads a `p:txBody` or `a:txBody`.
pub(super) fn body(scope: &Scope, node: &Node<'_>, layers: &Layers<'_>) -> Body {
    let mut style = BodyStyle::default();
    for below in &layers.bodies {
        style.put(below);
    }
    if let Some(own) = node.child("a", "bodyPr") {
        style.put(&BodyStyle::read(own));
    }
    let list = node.child("a", "lstStyle").map(ListStyle::read);
    let mut reader = TextReader {
        scope,
        layers,
        list: list.unwrap_or_default(),
        fit: style.fit.unwrap_or(Fit {
            scale: 1.0,
            less: 0.0,
        }),
        levels: Default::default(),
        last: Rc::default(),
    };
    let paragraphs = node.children.iter().filter(|child| child.is("a", "p"));
    let paragraphs = paragraphs.map(|paragraph| reader.paragraph(paragraph));
    let [left, top, right, bottom] = std::array::from_fn(|side| {
        style.insets[side]
            .unwrap_or(INSETS[side])
            .clamp(0, 51_206_400) as f64
    });
    Body {
        paragraphs: paragraphs.collect(),
        insets: [left, top, right, bottom],
        anchor: style.anchor,
        wraps: style.wraps.unwrap_or(true),
        turn: style.turn.unwrap_or(0.0),
        columns: Columns {
            // The number of columns is at most 16 (21.1.2.1.1).
            count: style.columns.unwrap_or(1).clamp(1, 16) as u8,
            gap: style.gap.unwrap_or(0).clamp(0, 51_206_400) as f64,
        },
    }
}

/// Reader of a text.
struct TextReader<'r> {
    scope: &'r Scope,
    layers: &'r Layers<'r>,
    /// List style of the shape itself.
    list: ListStyle,
    /// Factors of the autofit.
    fit: Fit,
    /// Resolved styles, by level. Computed on demand.
    levels: [Option<Rc<ParagraphStyle>>; LEVELS],
    /// Formatting of the last run, which most following runs share.
    last: Rc<ComputedStyle>,
}

impl TextReader<'_> {
    /// Returns the style of a level: inherited styles, overridden by those of the shape. Each level is computed only
    /// once.
    fn level(&mut self, level: usize) -> Rc<ParagraphStyle> {
        if let Some(known) = &self.levels[level] {
            return known.clone();
        }
        let mut style = ParagraphStyle::default();
        for list in &self.layers.lists {
            list.level(level).inspect(|below| style.put(below));
        }
        style.run.put(&self.layers.own);
        self.list.level(level).inspect(|own| style.put(own));
        let style = Rc::new(style);
        self.levels[level] = Some(style.clone());
        style
    }

    /// Reads a paragraph (21.1.2.2.6). Its style is the style of its level, overridden by its own properties. Autofit
    /// scales sizes and spacing.
    fn paragraph(&mut self, node: &Node<'_>) -> Paragraph {
        let own = node.child("a", "pPr");
        let level = own.and_then(|own| number(own, "lvl")).unwrap_or(0);
        let level = level.clamp(0, LEVELS as i64 - 1) as usize;
        let mut style = self.level(level);
        // A shared style is copied before it changes.
        if let Some(own) = own {
            Rc::make_mut(&mut style).put(&ParagraphStyle::read(own));
        }
        let mut runs = Vec::new();
        for child in &node.children {
            self.inline(child, &style, &mut runs, 0);
        }
        let end = node.child("a", "endParaRPr");
        let look = self.computed_style(&style, end);
        let spacing = |spacing: Option<Spacing>| match spacing {
            Some(Spacing::Points(points)) => Spacing::Points(points * self.fit.scale),
            Some(lines @ Spacing::Lines(_)) => lines,
            None => Spacing::default(),
        };
        let lines = match style.lines {
            Some(Spacing::Points(points)) => Spacing::Points(points * self.fit.scale),
            Some(Spacing::Lines(lines)) => Spacing::Lines((lines - self.fit.less).max(0.1)),
            None => Spacing::Lines(1.0 - self.fit.less),
        };
        let bullet = match style.bullet.clone().unwrap_or_default() {
            Bullet::Picture(id) => Bullet::Picture(self.scope.part(&id)),
            Bullet::Character(character) => {
                let font = style.bullet_font.as_ref().and_then(Option::as_deref);
                Bullet::Character(in_unicode(font, None, character.into()).into())
            }
            other => other,
        };
        let bullet_colour = style.bullet_colour.clone().flatten();
        let bullet_look = BulletLook {
            font: style.bullet_font.clone().flatten(),
            size: match style.bullet_size {
                Some(BulletSize::Points(points)) => Some(points * self.fit.scale),
                _ => None,
            },
            scale: match style.bullet_size {
                Some(BulletSize::Share(share)) => Some(share.clamp(0.1, 4.0)),
                _ => None,
            },
            colour: bullet_colour.map(|colour| colour.resolve(&self.scope.palette, None)),
        };
        Paragraph {
            level: level as u8,
            bullet,
            bullet_look,
            alignment: match (style.alignment, style.backwards) {
                // In this format, left and right do not depend on the direction of the text; in the deck, start and
                // end do.
                (Some(Alignment::Start), Some(true)) => Some(Alignment::End),
                (Some(Alignment::End), Some(true)) => Some(Alignment::Start),
                (own, _) => own,
            },
            backwards: style.backwards.unwrap_or(false),
            indents: (
                style.margin.unwrap_or(0) as f64,
                style.indent.unwrap_or(0) as f64,
            ),
            before: spacing(style.before),
            after: spacing(style.after),
            lines,
            tabs: style.tabs.clone().unwrap_or_default(),
            runs,
            look,
        }
    }

    /// Reads a run, a line break, a field or a formula. In alternate content, the choices are read and the fallback is
    /// skipped.
    fn inline(
        &mut self,
        node: &Node<'_>,
        style: &ParagraphStyle,
        runs: &mut Vec<Run>,
        depth: usize,
    ) {
        let words = match (node.element.space, node.element.name) {
            ("a", "r") => Words::Text(text(node)),
            ("a", "br") => Words::Break,
            ("a", "fld") => match node.attribute("type").as_deref() {
                Some("slidenum") => Words::Number,
                _ => Words::Text(text(node)),
            },
            // At most four of these elements may be nested, such as two alternatives with their choices. No program
            // writes more.
            ("mc", "AlternateContent" | "Choice") | ("a14", "m") if depth < 4 => {
                for child in &node.children {
                    self.inline(child, style, runs, depth + 1);
                }
                return;
            }
            ("m", "oMath" | "oMathPara") => {
                let look = self.computed_style(style, None);
                runs.extend(omml::formulas(node).into_iter().map(|tex| Run {
                    text: Words::Formula(tex),
                    look: look.clone(),
                }));
                return;
            }
            _ => return,
        };
        if matches!(&words, Words::Text(text) if text.is_empty()) {
            return;
        }
        let own = node.child("a", "rPr");
        let look = self.computed_style(style, own);
        let words = match words {
            Words::Text(text) => {
                let own = own.and_then(|own| own.child("a", "sym"));
                let own = own.and_then(|own| own.attribute("typeface"));
                let symbol = own.as_deref().or(style.run.symbol.as_deref());
                Words::Text(in_unicode(look.font.as_deref(), symbol, text))
            }
            other => other,
        };
        runs.push(Run { text: words, look });
    }

    /// Resolves the formatting of a run. `own` is the element with its properties.
    fn computed_style(
        &mut self,
        style: &ParagraphStyle,
        own: Option<&Node<'_>>,
    ) -> Rc<ComputedStyle> {
        let mut run = style.run.clone();
        let mut link = None;
        if let Some(own) = own {
            run.put(&RunStyle::read(own));
            link = self.scope.link(own);
        }
        let palette = &self.scope.palette;
        // Letters without a fill get the colour of their outline.
        let edge = run.edge.as_ref().and_then(Option::as_ref);
        let edge = edge.filter(|_| run.colour == Some(None) && link.is_none());
        let colour = match (edge, &run.colour) {
            _ if link.is_some() => palette.named("hlink"),
            (Some(colour), _) | (None, Some(Some(colour))) => colour.resolve(palette, None),
            (None, Some(None)) => Rgba {
                alpha: 0.0,
                ..Rgba::BLACK
            },
            (None, None) => palette.named("tx1"),
        };
        let font = |name: &Option<Rc<str>>| {
            let name = name.as_deref()?;
            self.scope.theme.font(name).map(Rc::from)
        };
        let highlight = run.highlight.as_ref();
        let look = ComputedStyle {
            font: font(&run.latin).or_else(|| {
                let minor = &self.scope.theme.minor.latin;
                (!minor.is_empty()).then(|| Rc::from(&**minor))
            }),
            size: run.size.unwrap_or(SIZE) as f64 / 100.0 * self.fit.scale,
            bold: run.bold.unwrap_or(false),
            italic: run.italic.unwrap_or(false),
            underlined: run.underlined.unwrap_or(false) || link.is_some(),
            struck: run.struck.unwrap_or(false),
            caps: run.caps.unwrap_or(Caps::None),
            raised: run.raised.unwrap_or(0.0).clamp(-1.0, 1.0),
            spacing: run.spacing.unwrap_or(0) as f64 / 100.0 * self.fit.scale,
            colour,
            outlined: edge.is_some(),
            highlight: highlight.map(|colour: &Colour| colour.resolve(palette, None)),
            language: run.language,
            link,
        };
        // Consecutive runs with equal formatting share one allocation.
        if *self.last != look {
            self.last = Rc::new(look);
        }
        self.last.clone()
    }
}

/// Converts characters of symbol fonts to Unicode. The font for symbols (`sym`) only applies to characters in the
/// private use area.
fn in_unicode(font: Option<&str>, symbol: Option<&str>, text: String) -> String {
    let is_private = |c: char| ('\u{f000}'..='\u{f0ff}').contains(&c);
    let font = font.filter(|font| office::is_symbol_font(font));
    if font.is_none() && !text.contains(is_private) {
        return text;
    }
    let shown = text.chars().map(|c| {
        let font = font.or(symbol.filter(|_| is_private(c)));
        let shown = font.map_or(c, |font| office::in_symbol_font(font, c));
        // Unknown symbols become a bullet.
        if is_private(shown) { '•' } else { shown }
    });
    shown.collect()
}

/// Returns the text of a run or field.
fn text(node: &Node<'_>) -> String {
    let text = node.child("a", "t").map(|text| text.text.to_string());
    text.unwrap_or_default()
}
