//! Font selection and metrics as in browsers (CSS Fonts 4, 5). Shapes no text.
//!
//! The first available family of the list is used. It may be a font of the page, a bundled font, a font of the
//! operator, or a font with the same widths as a well-known family (Arial, Times New Roman). Other names (Georgia,
//! Verdana) are skipped. If no name matches, the serif family is used, as in Chromium on Linux.

use super::engine::{Engine, Metrics};
use convertd_core::fonts::{Family, more};
use convertd_layout::{
    face::Joining,
    faces::{FaceId, Faces},
    text_format::TextFormat,
};
use convertd_markup::css::{
    style::{FontVariant, Style, TextTransform},
    value::FontUnits,
};
use convertd_tree::{Colour, Direction};
use std::rc::Rc;

/// Limit on ascent, descent and line gap, in em: fonts of web pages may contain arbitrary values.
const HIGHEST: f32 = 10.0;

/// Selects the family for a `font-family` list, at this weight and style (`true` for italic).
pub(crate) fn family(names: &str, kind: (u16, bool), faces: &mut Faces<'_>) -> Family {
    // The list is walked name by name, without being split in advance, because the first name usually matches.
    let mut rest = Some(names);
    while let Some(names) = rest {
        let (name, others) = match names.split_once(',') {
            Some((name, others)) => (name, Some(others)),
            None => (names, None),
        };
        let name = name.trim().to_lowercase();
        let next = |faces: &mut Faces<'_>| family(others.unwrap_or_default(), kind, faces);
        if let Some(found) = faces.brought(&name, kind, next).or_else(|| known(&name)) {
            return found;
        }
        rest = others;
    }
    Family::Serif
}

/// Family for a name in lower case: a compiled-in font, or a font from the operator's directories. `None` if no font
/// has this name.
fn known(name: &str) -> Option<Family> {
    let own = |name: &str| more::named(name).map(|at| Family::More(at as u16));
    // Generic families and the metric-compatible replacements of well-known fonts.
    Some(match name {
        "" => return None,
        "serif" | "ui-serif" | "times" | "times new roman" | "liberation serif" | "tinos"
        | "-webkit-standard" => Family::Serif,
        "sans-serif" | "arial" | "helvetica" | "liberation sans" | "arimo" => Family::Sans,
        "courier" | "courier new" | "liberation mono" | "cousine" => Family::Mono,
        "monospace" | "ui-monospace" => own("dejavu sans mono").unwrap_or(Family::Mono),
        "system-ui" => own("noto sans").unwrap_or(Family::Sans),
        "calibri" | "carlito" => own("carlito").unwrap_or(Family::Calibri),
        "cambria" | "caladea" => Family::Cambria,
        other => return own(other),
    })
}

impl Engine<'_, '_> {
    /// Font and colour of text in a style, for the text shaper.
    pub(crate) fn look(&mut self, style: &Style) -> Rc<TextFormat> {
        let text = &style.text;
        let kind = (text.weight, text.italic);
        let family = family(&text.families, kind, &mut self.layout.faces);
        let [red, green, blue] = text.colour.rgb;
        Rc::new(TextFormat {
            family,
            // A weight of 600 or more gets a bold face.
            bold: text.weight >= 600,
            italic: text.italic,
            size: text.size,
            colour: Colour(red, green, blue),
            capitals: text.transform == TextTransform::Uppercase,
            small_capitals: text.variant == FontVariant::SmallCaps,
            language: text.language.clone(),
            direction: Some(match style.is_rtl() {
                true => Direction::RightToLeft,
                false => Direction::LeftToRight,
            }),
            ..TextFormat::plain()
        })
    }

    /// Metrics of the first available font of a style.
    pub(crate) fn metrics(&mut self, style: &Style) -> Metrics {
        // Text styles are shared by most elements, so their address is a cheap key.
        let key = Rc::as_ptr(&style.text) as usize;
        if let Some(known) = self.metrics.get(&key) {
            return known.1;
        }
        let look = self.look(style);
        let chosen = self
            .layout
            .faces
            .choose(look.family, look.bold, look.italic);
        let metrics = chosen.map_or(Metrics::default(), |chosen| {
            self.face_metrics(chosen.face, look.size)
        });
        self.metrics.insert(key, (style.text.clone(), metrics));
        metrics
    }

    /// Metrics of a face at a font size in px.
    pub(super) fn face_metrics(&self, face: FaceId, size: f32) -> Metrics {
        measured(&self.layout.faces, face, size)
    }

    /// Ascent and height of the strut in px: a line box without content in this style (CSS 2.2,
    /// 10.8.1). The ascent includes half the leading.
    pub(super) fn strut(&mut self, style: &Style) -> (f32, f32) {
        let metrics = self.metrics(style);
        let height = style.line_height(metrics.normal);
        let leading = ((height - metrics.ascent - metrics.descent) / 2.0).floor();
        (metrics.ascent + leading, height)
    }
}

/// Metrics of a face at a font size in px, ascent and descent rounded as in browsers.
fn measured(faces: &Faces<'_>, face: FaceId, size: f32) -> Metrics {
    let face = faces.face(face);
    // Metrics are in design units of the font.
    let scale = size / face.units();
    let own = &face.font.metrics;
    // Broken fonts must not produce enormous line boxes.
    let rounded = |units: f32| {
        (units * scale)
            .clamp(-HIGHEST * size, HIGHEST * size)
            .round()
    };
    let (ascent, descent) = (rounded(own.ascent), rounded(-own.descent));
    Metrics {
        ascent,
        descent,
        normal: (ascent + descent + rounded(own.leading.max(0.0))).max(0.0),
        x_height: own.x_height.unwrap_or(face.units() * 0.5) * scale,
    }
}

/// Distance between the tab stops of a block, in px: `tab-size` counts spaces, with the spacing around them (CSS Text 3,
/// 4.2).
pub(crate) fn tab(style: &Style, faces: &mut Faces<'_>) -> f32 {
    let text = &style.text;
    let family = family(&text.families, (text.weight, text.italic), faces);
    let chosen = faces.choose(family, text.weight >= 600, text.italic);
    let space = chosen.map_or(0.5, |chosen| {
        let space = faces.word(chosen, " ", false, Joining::FINE, None);
        space.advance as f32 / faces.face(chosen.face).units()
    });
    let space = space * text.size + text.letter_spacing + text.word_spacing;
    (text.tab_size * space).max(1.0)
}

/// Bases of font-relative units (`ch`, `ex`, `lh`) for a style (CSS Values 4, 6.1.1). The fields of [`FontUnits`] state
/// which are in em and which in px.
pub(crate) fn units(style: &Style, faces: &mut Faces<'_>) -> FontUnits {
    let text = &style.text;
    let size = text.size.max(0.01);
    let family = family(&text.families, (text.weight, text.italic), faces);
    let Some(chosen) = faces.choose(family, text.weight >= 600, text.italic) else {
        return FontUnits::estimated(size);
    };
    let metrics = measured(faces, chosen.face, size);
    let zero = faces.word(chosen, "0", false, Joining::FINE, None);
    FontUnits {
        lh: style.line_height(metrics.normal),
        ch: zero.advance as f32 / faces.face(chosen.face).units(),
        ex: metrics.x_height / size,
    }
}
