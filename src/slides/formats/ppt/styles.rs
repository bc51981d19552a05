//! Reads text styles (MS-PPT 2.9.13 to 2.9.20, 2.9.35): properties of runs and paragraphs, and the styles of masters
//! for each type of text and each level. A bit mask states which properties are present. Reads no text.

use crate::containers::fields::Fields;

/// Number of list levels.
const LEVELS: usize = 5;

/// Number of text types.
const KINDS: usize = 9;

/// Properties of a paragraph. `None` if they are not stated.
#[derive(Clone, Debug, Default)]
pub(super) struct ParagraphStyle {
    /// Whether the paragraph has a bullet.
    pub(super) has_bullet: Option<bool>,
    /// Character of the bullet.
    pub(super) bullet: Option<char>,
    /// Number of the bullet's font.
    pub(super) bullet_font: Option<u16>,
    /// Size of the bullet: percentage of the text's size, or points if negative.
    pub(super) bullet_size: Option<i16>,
    /// Colour of the bullet, in the notation of [`RunStyle::colour`].
    pub(super) bullet_colour: Option<u32>,
    /// Alignment: 0 left, 1 centre, 2 right, 3 justified.
    pub(super) alignment: Option<u16>,
    /// Line spacing: percentage of a line, or master units if negative.
    pub(super) lines: Option<i16>,
    /// Space before the paragraph, in the units of the line spacing.
    pub(super) before: Option<i16>,
    /// Space after the paragraph, in the units of the line spacing.
    pub(super) after: Option<i16>,
    /// Left edge of the lines after the first one, in master units.
    pub(super) margin: Option<i16>,
    /// Left edge of the first line, in master units.
    pub(super) indent: Option<i16>,
}

/// Properties of a run. `None` if they are not stated.
#[derive(Clone, Debug, Default)]
pub(super) struct RunStyle {
    pub(super) bold: Option<bool>,
    pub(super) italic: Option<bool>,
    pub(super) underlined: Option<bool>,
    /// Number of the font.
    pub(super) font: Option<u16>,
    /// Font size in points.
    pub(super) size: Option<i16>,
    /// Colour: an index into the scheme, or red, green and blue.
    pub(super) colour: Option<u32>,
    /// Offset of the baseline, as a percentage of the font size.
    pub(super) raised: Option<i16>,
}

/// Sequential reader of fields.
pub(super) struct Cursor<'a>(pub(super) Fields<'a>);

impl Cursor<'_> {
    pub(super) fn u16(&mut self) -> u16 {
        let value = self.0.u16(0);
        self.0 = self.0.from(2);
        value
    }

    pub(super) fn i16(&mut self) -> i16 {
        self.u16().cast_signed()
    }

    pub(super) fn u32(&mut self) -> u32 {
        let value = self.0.u32(0);
        self.0 = self.0.from(4);
        value
    }
}

impl ParagraphStyle {
    /// Reads the stated properties (2.9.20). They follow the mask in a fixed order, which differs from the order of
    /// the bits in the mask.
    pub(super) fn read(cursor: &mut Cursor<'_>) -> Self {
        let mask = cursor.u32();
        let is_stated = |bit: u32| mask & 1 << bit != 0;
        let mut style = Self::default();
        if mask & 0xf != 0 {
            let flags = cursor.u16();
            style.has_bullet = is_stated(0).then_some(flags & 1 != 0);
        }
        if is_stated(7) {
            style.bullet = char::from_u32(cursor.u16().into());
        }
        style.bullet_font = is_stated(4).then(|| cursor.u16());
        style.bullet_size = is_stated(6).then(|| cursor.i16());
        style.bullet_colour = is_stated(5).then(|| cursor.u32());
        style.alignment = is_stated(11).then(|| cursor.u16());
        style.lines = is_stated(12).then(|| cursor.i16());
        style.before = is_stated(13).then(|| cursor.i16());
        style.after = is_stated(14).then(|| cursor.i16());
        style.margin = is_stated(8).then(|| cursor.i16());
        style.indent = is_stated(10).then(|| cursor.i16());
        // These properties are skipped: default tab, tab stops, alignment of fonts, wrapping and direction of text.
        if is_stated(15) {
            cursor.u16();
        }
        if is_stated(20) {
            let count = usize::from(cursor.u16());
            cursor.0 = cursor.0.from(count * 4);
        }
        if is_stated(16) {
            cursor.u16();
        }
        if mask & 7 << 17 != 0 {
            cursor.u16();
        }
        if is_stated(21) {
            cursor.u16();
        }
        style
    }

    /// Overrides properties with those that `over` states.
    pub(super) fn apply(&mut self, over: &Self) {
        let own = std::mem::take(self);
        *self = Self {
            has_bullet: over.has_bullet.or(own.has_bullet),
            bullet: over.bullet.or(own.bullet),
            bullet_font: over.bullet_font.or(own.bullet_font),
            bullet_size: over.bullet_size.or(own.bullet_size),
            bullet_colour: over.bullet_colour.or(own.bullet_colour),
            alignment: over.alignment.or(own.alignment),
            lines: over.lines.or(own.lines),
            before: over.before.or(own.before),
            after: over.after.or(own.after),
            margin: over.margin.or(own.margin),
            indent: over.indent.or(own.indent),
        };
    }
}

impl RunStyle {
    /// Reads the stated properties (2.9.14), in the order of the format.
    pub(super) fn read(cursor: &mut Cursor<'_>) -> Self {
        let mask = cursor.u32();
        let is_stated = |bit: u32| mask & 1 << bit != 0;
        let mut style = Self::default();
        if mask & 0xffff != 0 {
            let flags = cursor.u16();
            let flag = |bit: u32| is_stated(bit).then_some(flags & 1 << bit != 0);
            style.bold = flag(0);
            style.italic = flag(1);
            style.underlined = flag(2);
        }
        style.font = is_stated(16).then(|| cursor.u16());
        // Skips the fonts for other scripts.
        for bit in 21..=23 {
            if is_stated(bit) {
                cursor.u16();
            }
        }
        style.size = is_stated(17).then(|| cursor.i16());
        style.colour = is_stated(18).then(|| cursor.u32());
        style.raised = is_stated(19).then(|| cursor.i16());
        style
    }

    /// Overrides properties with those that `over` states.
    pub(super) fn apply(&mut self, over: &Self) {
        let own = std::mem::take(self);
        *self = Self {
            bold: over.bold.or(own.bold),
            italic: over.italic.or(own.italic),
            underlined: over.underlined.or(own.underlined),
            font: over.font.or(own.font),
            size: over.size.or(own.size),
            colour: over.colour.or(own.colour),
            raised: over.raised.or(own.raised),
        };
    }
}

/// Properties of a level.
pub(super) type Level = (ParagraphStyle, RunStyle);

/// Styles of a master, by types of text.
#[derive(Clone, Debug, Default)]
pub(super) struct MasterStyles([Vec<Level>; KINDS]);

impl MasterStyles {
    /// Reads the style of a type of text. In the styles of derived types (from 5), the number of each level precedes
    /// its properties.
    pub(super) fn read(&mut self, text: u16, data: Fields<'_>) {
        let Some(style) = self.0.get_mut(usize::from(text)) else {
            return;
        };
        let mut cursor = Cursor(data);
        let levels = usize::from(cursor.u16()).min(LEVELS);
        style.clear();
        for _ in 0..levels {
            if text >= 5 {
                cursor.u16();
            }
            // Each level states its differences from the level above it.
            let (mut paragraph, mut run) = style.last().cloned().unwrap_or_default();
            paragraph.apply(&ParagraphStyle::read(&mut cursor));
            run.apply(&RunStyle::read(&mut cursor));
            style.push((paragraph, run));
        }
    }

    /// Returns the properties of a type of text at a level. The derived types of bodies and titles inherit from the
    /// basic types.
    pub(super) fn level(&self, text: u16, level: u16) -> Level {
        let base = match text {
            5 | 7 | 8 => 1,
            6 => 0,
            other => other,
        };
        let stated_level = |kind: u16| {
            let style = self.0.get(usize::from(kind)).map(Vec::as_slice);
            let style = style.unwrap_or_default();
            style.get(usize::from(level)).or(style.last()).cloned()
        };
        let (mut paragraph, mut run) = stated_level(base).unwrap_or_default();
        if let Some((own, own_run)) = stated_level(text).filter(|_| text != base) {
            paragraph.apply(&own);
            run.apply(&own_run);
        }
        (paragraph, run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_inherit_from_the_level_above() {
        let mut data = vec![2, 0];
        // First level: centred, 40 points. Second level: a margin, and bold.
        data.extend(b"\x00\x08\x00\x00\x01\x00\x00\x00\x02\x00\x28\x00");
        data.extend(b"\x00\x01\x00\x00\x20\x00\x01\x00\x00\x00\x01\x00");
        let mut styles = MasterStyles::default();
        styles.read(1, Fields(&data));
        let (paragraph, run) = styles.level(8, 1);
        assert_eq!((paragraph.alignment, paragraph.margin), (Some(1), Some(32)));
        assert_eq!((run.size, run.bold), (Some(40), Some(true)));
        assert_eq!(styles.level(0, 3).1.size, None);
    }
}
