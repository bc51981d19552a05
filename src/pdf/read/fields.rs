//! Simple appearances of form fields and free text annotations: their text in Helvetica, in the size and colour that
//! they specify (ISO 32000-2, 12.7.4.3). Shows neither passwords nor the unselected entries of a list.

use super::text::strings;
use encoding_rs::WINDOWS_1252;
use hayro::hayro_syntax::object::{Array, Dict, Name, Object, Rect, String as Text};
use std::{fmt::Write as _, io::Write as _};

/// Limit on the ancestors of a field.
const MAX_DEPTH: usize = 64;

/// Limit on the characters of a field.
const MAX_LETTERS: usize = 4000;

/// Limit on the options of a field that are searched for a value.
const MAX_CHOICES: usize = 200;

/// Limit on the selected values that are shown.
const MAX_CHOSEN: usize = 8;

/// Annotation flags for invisible annotations: Hidden and NoView (12.5.3).
pub(super) const UNSEEN: i32 = 1 << 1 | 1 << 5;

/// Flag of a text field with several lines (`Multiline`, 12.7.5.3).
const MULTILINE: i32 = 1 << 12;
/// Flag of a text field for a password (12.7.5.3).
const PASSWORD: i32 = 1 << 13;
/// Flag of a text field whose characters are spread over equal cells (`Comb`, 12.7.5.3).
const COMB: i32 = 1 << 24;

/// Average width of a Helvetica letter, in em. An estimate suffices, because viewers also lay out fields in different
/// ways.
const LETTER: f32 = 0.52;
/// Line spacing in a field, in em.
const LEADING: f32 = 1.15;

/// Distance of the text from the edges, in points.
const PADDING: f32 = 2.0;

/// Range of automatic font sizes, in points.
const SIZES: (f32, f32) = (4.0, 12.0);

/// A field or annotation: its text, its geometry, its style, and its kind of layout.
pub(super) struct Field {
    /// Text, trimmed.
    text: String,
    /// Width of the upright appearance in points.
    width: f32,
    /// Height of the upright appearance in points.
    height: f32,
    /// Rotation in degrees counterclockwise, a multiple of 90.
    rotation: i32,
    /// Font size in points; 0 for an automatic size.
    size: f32,
    /// Colour operator with its operands.
    colour: String,
    /// Quadding (12.7.4.3): 0 is left, 1 centred, 2 right.
    align: i32,
    /// Whether the field may have several lines.
    has_lines: bool,
    /// Number of cells of a comb field; 0 for other fields.
    cells: usize,
}

impl Field {
    /// Reads an annotation. `None` if it has no text, is invisible, or has a side that is shorter than 1 or longer than
    /// 14 400 units. Buttons and signatures have no text.
    pub(super) fn of(annotation: &Dict<'_>, form: Option<&Dict<'_>>) -> Option<Self> {
        if annotation.get::<i32>("F").unwrap_or(0) & UNSEEN != 0 {
            return None;
        }
        let area = annotation.get::<Rect>("Rect")?;
        let (mut width, mut height) = (area.width() as f32, area.height() as f32);
        // A side of a page has at most 14 400 units (annex C), so larger annotations are invalid. Those below 1 unit
        // have no space for text.
        let side = 1.0..=14_400.0;
        if !side.contains(&width) || !side.contains(&height) {
            return None;
        }
        // A field inherits attributes from its ancestors.
        let number = |key: &str| holder(annotation, key)?.get::<i32>(key);
        let string = |key: &str| holder(annotation, key)?.get::<Text<'_>>(key).map(decoded);
        let kind = annotation.get::<Name<'_>>("Subtype")?;
        let flags = number("Ff").unwrap_or(0);
        // Text by kind: free text annotations, text fields, choice fields.
        let (text, has_lines) = match &*kind {
            b"FreeText" => (annotation.get::<Text<'_>>("Contents").map(decoded)?, true),
            b"Widget" => match &*holder(annotation, "FT")?.get::<Name<'_>>("FT")? {
                b"Tx" if flags & PASSWORD == 0 => (string("V")?, flags & MULTILINE != 0),
                b"Ch" => (chosen(annotation)?, false),
                _ => return None,
            },
            _ => return None,
        };
        let text: String = text.trim().chars().take(MAX_LETTERS).collect();
        if text.is_empty() {
            return None;
        }
        // The appearance is written upright; its matrix rotates it.
        let characteristics = annotation.get::<Dict<'_>>("MK");
        let rotation = characteristics
            .and_then(|characteristics| characteristics.get::<i32>("R"))
            .unwrap_or(0);
        let rotation = rotation.rem_euclid(360);
        if rotation % 180 == 90 {
            (width, height) = (height, width);
        }
        // The default appearance string gives font size and colour (12.7.4.3).
        let default = || {
            form.and_then(|form| form.get::<Text<'_>>("DA"))
                .map(decoded)
        };
        let style = string("DA").or_else(default).unwrap_or_default();
        // A comb field divides its width into equal cells (12.7.5.3).
        let cells = match flags & COMB {
            0 => 0,
            _ => number("MaxLen")
                .and_then(|most| usize::try_from(most).ok())
                .unwrap_or(0),
        };
        Some(Self {
            text,
            width,
            height,
            rotation,
            size: operands(&style, "Tf", 1).map_or(0.0, |numbers| numbers[0].clamp(0.0, 300.0)),
            colour: [("g", 1), ("rg", 3), ("k", 4)]
                .into_iter()
                .find_map(|(name, count)| {
                    let mut colour = String::new();
                    for number in operands(&style, name, count)? {
                        let _ = write!(colour, "{number} ");
                    }
                    Some(colour + name)
                })
                .unwrap_or_default(),
            align: number("Q").unwrap_or(0),
            has_lines,
            cells: if has_lines { 0 } else { cells.min(MAX_LETTERS) },
        })
    }

    /// Writes the appearance as a form XObject (8.10). Returns whether it has characters outside of Windows-1252, which
    /// the font may lack.
    pub(super) fn write(&self, out: &mut Vec<u8>) -> bool {
        let (width, height) = (self.width, self.height);
        let available = (width - 2.0 * PADDING).max(1.0);
        let (least, most) = SIZES;
        let letters = self.text.chars().count().max(1) as f32;
        // The height limits a stated size. An automatic size depends on the height and, for a single line, also on the
        // width.
        let size = match (self.size > 0.0, self.has_lines) {
            (true, _) => self.size.min(height),
            (false, true) => (height * 0.7).clamp(least, most),
            (false, false) => (height * 0.7)
                .min(available / (LETTER * letters))
                .clamp(least, most),
        };
        let mut beyond = Vec::new();
        // The text is clipped to the field, 1 point inside its edge.
        let mut content = format!(
            "/Tx BMC q 1 1 {} {} re W n BT {} /F {size} Tf\n",
            width - 2.0,
            height - 2.0,
            self.colour
        );
        let mut show = |x: f32, y: f32, text: &str| {
            let _ = write!(content, "1 0 0 1 {x} {y} Tm <");
            for letter in text.chars() {
                let _ = write!(content, "{:02x}", code(letter, &mut beyond));
            }
            content.push_str("> Tj\n");
        };
        let middle = (height - size) / 2.0 + 0.22 * size;
        // Each letter of a comb is centred in its cell.
        if self.cells > 0 {
            let cell = width / self.cells as f32;
            for (letter, place) in self.text.chars().zip(0..self.cells) {
                let x = (place as f32 + 0.5) * cell - LETTER * size / 2.0;
                show(x, middle, letter.encode_utf8(&mut [0; 4]));
            }
        } else {
            // The text of a field with several lines begins at the top if there is space for two lines. Any other text
            // is centred vertically.
            let top = height - PADDING - size * 0.9;
            let is_high = self.has_lines && height > 2.0 * LEADING * size;
            let mut y = if is_high { top } else { middle };
            for line in self.lines((available / (LETTER * size)).max(1.0) as usize) {
                let left = available - LETTER * size * line.chars().count() as f32;
                let x = match self.align {
                    1 => PADDING + left.max(0.0) / 2.0,
                    2 => PADDING + left.max(0.0),
                    _ => PADDING,
                };
                show(x, y, &line);
                y -= LEADING * size;
            }
        }
        content.push_str("ET Q EMC");
        // After the rotation, the appearance is moved back into its box.
        let matrix = match self.rotation {
            90 => format!("0 1 -1 0 {height} 0"),
            180 => format!("-1 0 0 -1 {width} {height}"),
            270 => format!("0 -1 1 0 0 {width}"),
            _ => "1 0 0 1 0 0".into(),
        };
        // Characters outside of Windows-1252 get glyph names of the form `uniXXXX`.
        let mut names = String::new();
        for letter in &beyond {
            let _ = write!(names, "/uni{:04X}", u32::from(*letter));
        }
        let _ = write!(
            out,
            "<</Type/XObject/Subtype/Form/BBox[0 0 {width} {height}]/Matrix[{matrix}]/Resources<</Font<</F<</Type/Font\
             /Subtype/Type1/BaseFont/Helvetica/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[1{names}]>>>>>>>>\
             /Length {}>>stream\n{content}\nendstream\n",
            content.len()
        );
        !beyond.is_empty()
    }

    /// Breaks the text into lines of at most `max_chars` characters. A longer word gets a line of its own. A
    /// single-line field stays one line.
    fn lines(&self, max_chars: usize) -> Vec<String> {
        if !self.has_lines {
            return vec![self.text.replace(['\r', '\n'], " ")];
        }
        let mut lines = Vec::new();
        for paragraph in self.text.replace("\r\n", "\n").split(['\r', '\n']) {
            // Greedy: a line takes as many words as fit.
            let (mut line, mut len) = (String::new(), 0);
            for word in paragraph.split(' ') {
                let more = word.chars().count();
                if len > 0 && len + 1 + more > max_chars {
                    lines.push(std::mem::take(&mut line));
                    len = 0;
                }
                if len > 0 {
                    line.push(' ');
                    len += 1;
                }
                line.push_str(word);
                len += more;
            }
            lines.push(line);
        }
        lines
    }
}

/// Character code in the appearance's font. Characters outside of Windows-1252 get the codes 1 to 31 in order of
/// appearance, and further ones become `?`. Control characters become spaces.
fn code(letter: char, beyond: &mut Vec<char>) -> u8 {
    let mut buffer = [0; 4];
    // Windows-1252 is the base encoding of the font in the appearance.
    let (encoded, _, failed) = WINDOWS_1252.encode(letter.encode_utf8(&mut buffer));
    match *encoded {
        [code] if !failed && code >= b' ' => return code,
        _ if letter.is_control() => return b' ',
        _ => {}
    }
    let known = beyond.iter().position(|known| *known == letter);
    let place = known.unwrap_or_else(|| {
        beyond.push(letter);
        beyond.len() - 1
    });
    match place {
        0..31 => place as u8 + 1,
        _ => {
            beyond.truncate(31);
            b'?'
        }
    }
}

/// The field or its nearest ancestor that has this key (12.7.4.1).
pub(super) fn holder<'a>(field: &Dict<'a>, key: &str) -> Option<Dict<'a>> {
    let mut field = field.clone();
    for _ in 0..MAX_DEPTH {
        if field.contains_key(key) {
            return Some(field);
        }
        field = field.get::<Dict<'_>>("Parent")?;
    }
    None
}

/// Text of the selected values of a choice field.
fn chosen(field: &Dict<'_>) -> Option<String> {
    let values = chosen_values(field);
    (!values.is_empty()).then(|| values.join(", "))
}

/// Selected values of a choice field (12.7.5.4), as they are displayed.
pub(super) fn chosen_values(field: &Dict<'_>) -> Vec<String> {
    let choices = holder(field, "Opt").and_then(|field| field.get::<Array<'_>>("Opt"));
    // A value may be the export value of an option. The option then states the displayed text.
    let shown = |value: String| {
        // An option is a text, or a pair of export value and text.
        let pairs = choices
            .iter()
            .flat_map(|choices| choices.iter::<Object<'_>>());
        let mut pairs = pairs.take(MAX_CHOICES).filter_map(|choice| {
            let mut pair = choice.into_array()?.iter::<Text<'_>>().map(decoded);
            Some((pair.next()?, pair.next()?))
        });
        match pairs.find(|(known, _)| *known == value) {
            Some((_, shown)) => shown,
            None => value,
        }
    };
    let Some(field) = holder(field, "V") else {
        return Vec::new();
    };
    // `V` is one value, or an array of several values.
    let one = field.get::<Text<'_>>("V").map(decoded);
    let several = field.get::<Array<'_>>("V");
    let several = several.iter().flat_map(|all| all.iter::<Text<'_>>());
    let values = one.into_iter().chain(several.take(MAX_CHOSEN).map(decoded));
    values
        .filter(|value| !value.is_empty())
        .map(shown)
        .collect()
}

/// Decodes only the beginning of a text, because many fields may share a string that is as long as the file.
fn decoded(text: Text<'_>) -> String {
    let bytes = text.as_bytes();
    strings::decode(&bytes[..bytes.len().min(4 * MAX_LETTERS)])
}

/// The `count` operands before the last occurrence of an operator in a default appearance string.
fn operands(style: &str, operator: &str, count: usize) -> Option<Vec<f32>> {
    let words: Vec<&str> = style.split_ascii_whitespace().take(64).collect();
    let at = words.iter().rposition(|word| *word == operator)?;
    let numbers = words.get(at.checked_sub(count)?..at)?.iter();
    let number = |word: &&str| word.parse::<f32>().ok().filter(|number| number.is_finite());
    numbers.map(number).collect()
}
