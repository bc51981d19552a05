//! The codes of headers and footers (ECMA-376 part 1, 18.3.1.39, 18.3.1.46): `&L`, `&P`, `&"Arial,Bold"`. Places nothing.
//!
//! Excel prints the date and time of printing. Here they are replaced by those at which the workbook was last saved, so that
//! two conversions of a file have the same result.

use super::style::{Font, Position, Underline};
use convertd_tree::Colour;

/// Values of the codes on a page.
pub(crate) struct Facts<'a> {
    pub(crate) page: u32,
    pub(crate) pages: u32,
    /// The name of the sheet.
    pub(crate) sheet: &'a str,
    /// The name of the file.
    pub(crate) file: &'a str,
    pub(crate) saved: Option<&'a Saved>,
}

/// The date and time at which a workbook was last saved, as text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Saved {
    date: String,
    time: String,
}

impl Saved {
    /// Parses a date and time in ISO 8601, such as `2024-02-09T17:05:00Z`. Without a time it is midnight.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let number = |at: std::ops::Range<usize>| text.get(at)?.parse::<u32>().ok();
        let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
        let (hour, minute) = (number(11..13).unwrap_or(0), number(14..16).unwrap_or(0));
        let is_one = (1..=12).contains(&month) && (1..=31).contains(&day);
        let half = if hour < 12 { "AM" } else { "PM" };
        let clock = (hour + 11) % 12 + 1;
        (is_one && hour < 24 && minute < 60).then(|| Self {
            date: format!("{month}/{day}/{year}"),
            time: format!("{clock}:{minute:02} {half}"),
        })
    }
}

/// A text and how it looks. Line ends are in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) font: Font,
    /// The picture of the section stands here, and no text.
    pub(crate) picture: bool,
}

/// The pieces at the left, in the middle and at the right.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sections {
    pub(crate) pieces: [Vec<Piece>; 3],
    /// A date or a time was asked for; if it is not known, it is left out.
    pub(crate) dated: bool,
    pub(crate) left_out: bool,
}

/// The limit on pieces of one header.
const MAX_PIECES: usize = 256;

/// Reads the codes of a header or footer. `normal` is the font that it begins with.
pub(crate) fn read(codes: &str, facts: &Facts<'_>, normal: &Font) -> Sections {
    let mut reader = Reader {
        rest: codes.chars().collect::<Vec<_>>().into_iter(),
        // Text before the first section code belongs to the middle section.
        at: 1,
        text: String::new(),
        font: normal.clone(),
        normal,
        sections: Sections::default(),
    };
    while let Some(character) = reader.rest.next() {
        match character {
            '&' => reader.code(facts),
            '\r' => {}
            _ => reader.text.push(character),
        }
    }
    reader.flush();
    reader.sections
}

struct Reader<'a> {
    rest: std::vec::IntoIter<char>,
    at: usize,
    text: String,
    font: Font,
    normal: &'a Font,
    sections: Sections,
}

impl Reader<'_> {
    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        let pieces = &mut self.sections.pieces[self.at];
        if !text.is_empty() && pieces.len() < MAX_PIECES {
            let font = self.font.clone();
            pieces.push(Piece {
                text,
                font,
                picture: false,
            });
        }
    }

    /// The day or the time at which the workbook was last saved.
    fn moment(&mut self, known: Option<&str>) {
        self.sections.dated |= known.is_some();
        self.sections.left_out |= known.is_none();
        self.text.push_str(known.unwrap_or_default());
    }

    /// Inserts the picture of the section, which has at most one.
    fn picture(&mut self) {
        self.flush();
        let pieces = &mut self.sections.pieces[self.at];
        if pieces.len() < MAX_PIECES && !pieces.iter().any(|piece| piece.picture) {
            pieces.push(Piece {
                text: String::new(),
                font: self.font.clone(),
                picture: true,
            });
        }
    }

    fn section(&mut self, at: usize) {
        self.flush();
        self.at = at;
        self.font = self.normal.clone();
    }

    /// Interprets the code after an ampersand (ECMA-376 part 1, 18.3.1.46): a section, a field such as the page number, or a
    /// change of the font.
    fn code(&mut self, facts: &Facts<'_>) {
        let Some(code) = self.rest.next() else {
            return;
        };
        match code {
            'L' | 'l' => self.section(0),
            'C' | 'c' => self.section(1),
            'R' | 'r' => self.section(2),
            'P' | 'p' => {
                let by = self.addend();
                let page = i64::from(facts.page) + by;
                self.text.push_str(&page.to_string());
            }
            'N' | 'n' => self.text.push_str(&facts.pages.to_string()),
            'A' | 'a' => self.text.push_str(facts.sheet),
            'F' | 'f' => self.text.push_str(facts.file),
            // The folder of the file, which is not disclosed.
            'Z' | 'z' => {}
            'D' | 'd' => self.moment(facts.saved.map(|saved| &*saved.date)),
            'T' | 't' => self.moment(facts.saved.map(|saved| &*saved.time)),
            'G' | 'g' => self.picture(),
            '"' => self.font_name(),
            'K' | 'k' => self.colour(),
            '0'..='9' => self.size(code),
            '&' => self.text.push('&'),
            _ => self.toggle(code),
        }
    }

    /// Toggles a property of the font. The two kinds of underlines exclude one another, and so do superscript and subscript.
    fn toggle(&mut self, code: char) {
        self.flush();
        let font = &mut self.font;
        let flip = |one: &mut Underline, kind| {
            *one = if *one == kind { Underline::None } else { kind };
        };
        let raise = |one: &mut Position, kind| {
            *one = if *one == kind {
                Position::Baseline
            } else {
                kind
            };
        };
        match code.to_ascii_uppercase() {
            'B' => font.bold = !font.bold,
            'I' => font.italic = !font.italic,
            'S' => font.strike = !font.strike,
            'U' => flip(&mut font.underline, Underline::Single),
            'E' => flip(&mut font.underline, Underline::Double),
            'X' => raise(&mut font.position, Position::Superscript),
            'Y' => raise(&mut font.position, Position::Subscript),
            _ => {}
        }
    }

    /// `+1` or `-2` behind the code of the page.
    fn addend(&mut self) -> i64 {
        let rest = self.rest.as_slice();
        let sign = match rest.first() {
            Some('+') => 1,
            Some('-') => -1,
            _ => return 0,
        };
        let digits: String = rest[1..]
            .iter()
            .take_while(|digit| digit.is_ascii_digit())
            .take(6)
            .collect();
        let Ok(number) = digits.parse::<i64>() else {
            return 0;
        };
        self.rest.by_ref().take(digits.len() + 1).for_each(drop);
        sign * number
    }

    /// Parses `"Arial,Bold Italic"`. A hyphen stands for the default font.
    fn font_name(&mut self) {
        self.flush();
        let name: String = self.rest.by_ref().take_while(|c| *c != '"').collect();
        let (name, style) = name.split_once(',').unwrap_or((&name, ""));
        if name.trim() != "-" && !name.trim().is_empty() {
            self.font.name = name.trim().into();
        }
        let style = style.to_lowercase();
        self.font.bold = style.contains("bold");
        self.font.italic = style.contains("italic") || style.contains("oblique");
    }

    fn size(&mut self, first: char) {
        self.flush();
        let mut number = first.to_digit(10).unwrap_or(0);
        while let Some(digit) = self.rest.as_slice().first().and_then(|c| c.to_digit(10)) {
            self.rest.next();
            number = number.saturating_mul(10).saturating_add(digit);
        }
        self.font.size = (number.clamp(1, 409)) as f32;
    }

    /// Parses six hexadecimal digits. Theme colours, such as `01+000`, have no effect.
    fn colour(&mut self) {
        self.flush();
        let digits: String = self.rest.by_ref().take(6).collect();
        let rgb = convertd_office::drawing::hexadecimal(&digits);
        if let Some([red, green, blue]) = rgb {
            self.font.colour = Some(Colour(red, green, blue));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_become_pieces() {
        #[track_caller]
        fn check(codes: &str, expected: [&str; 3]) {
            let saved = Saved::parse("2024-02-09T17:05:00Z");
            let facts = Facts {
                saved: saved.as_ref(),
                page: 3,
                pages: 12,
                sheet: "Costs",
                file: "budget.xlsx",
            };
            let sections = read(codes, &facts, &Font::default());
            let texts = sections.pieces.map(|pieces| {
                let texts = pieces.iter().map(|piece| match piece.font.bold {
                    _ if piece.picture => "(picture)".to_owned(),
                    true => format!("*{}*", piece.text),
                    false => piece.text.clone(),
                });
                texts.collect::<Vec<_>>().join("|")
            });
            assert_eq!(texts, expected);
        }
        check(
            "&LLeft&CPage &P of &N&R&A",
            ["Left", "Page 3 of 12", "Costs"],
        );
        check("middle", ["", "middle", ""]);
        check("&L&D&R&T", ["2/9/2024", "", "5:05 PM"]);
        check("&L&\"Arial,Bold\"&14 7 days&R&P+1", ["* 7 days*", "", "4"]);
        check("R&&D &F", ["", "R&D budget.xlsx", ""]);
        check("&Bbold&B plain&", ["", "*bold*| plain", ""]);
        check("&KFF0000red&P-5x", ["", "red-2x", ""]);
        check("&L&Ga&G&R&G", ["(picture)|a", "", "(picture)"]);
    }

    #[test]
    fn moments_are_those_of_iso_8601() {
        let shown = |text| Saved::parse(text).map(|saved| (saved.date, saved.time));
        let midnight = Some(("12/31/1999".to_owned(), "12:00 AM".to_owned()));
        assert_eq!(shown("1999-12-31"), midnight);
        assert_eq!(shown("2024-02-09T12:30").unwrap().1, "12:30 PM");
        for text in [
            "",
            "2024",
            "2024-13-01",
            "2024-01-00",
            "2024-01-01T24:00",
            "ä€-ä€-ä€-ä€",
        ] {
            assert_eq!(shown(text), None, "{text}");
        }
    }
}
