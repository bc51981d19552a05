//! Parser of the codes in headers and footers, such as `&L`, `&P` and `&"Arial,Bold"` (ECMA-376 part 1, 18.3.1.39,
//! 18.3.1.46). Does no layout.
//!
//! Excel prints the current date and time. This program prints those of the last save instead, so that two conversions
//! of a file have the same result.

use super::style::{Font, Position, Underline};
use convertd_tree::Colour;

/// Values of the fields on one page.
pub(crate) struct Facts<'a> {
    /// Number of this page.
    pub(crate) page: u32,
    /// Number of all pages.
    pub(crate) pages: u32,
    /// Name of the sheet.
    pub(crate) sheet: &'a str,
    /// Name of the file.
    pub(crate) file: &'a str,
    /// Time of the last save, if it is known.
    pub(crate) saved: Option<&'a Saved>,
}

/// Date and time of the last save, as text in the US format.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Saved {
    date: String,
    time: String,
}

impl Saved {
    /// Parses a date and time in ISO 8601, such as `2024-02-09T17:05:00Z`. A missing time is midnight.
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

/// A stretch of text in one font. It may contain line ends.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    /// Text of the piece, with the codes already replaced.
    pub(crate) text: String,
    /// Font of the piece.
    pub(crate) font: Font,
    /// Whether the piece is the picture of its section instead of text.
    pub(crate) picture: bool,
}

/// Content of a header or footer: left, centre and right section.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sections {
    /// Pieces of the three sections.
    pub(crate) pieces: [Vec<Piece>; 3],
    /// Whether a date or time was inserted.
    pub(crate) dated: bool,
    /// Whether a date or time was left out because it is not known.
    pub(crate) left_out: bool,
}

/// Maximum number of pieces in a section.
const MAX_PIECES: usize = 256;

/// Parses the codes of a header or footer. `normal` is the font with which each section begins.
pub(crate) fn read(codes: &str, facts: &Facts<'_>, normal: &Font) -> Sections {
    let mut reader = Reader {
        rest: codes.chars().collect::<Vec<_>>().into_iter(),
        // Text before the first section code belongs to the centre section.
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

/// State of the parser.
struct Reader<'a> {
    /// Characters that are not parsed yet.
    rest: std::vec::IntoIter<char>,
    /// Index of the current section.
    at: usize,
    /// Text of the current piece so far.
    text: String,
    /// Font of the current piece.
    font: Font,
    /// Default font of the workbook, with which each section begins.
    normal: &'a Font,
    /// Result so far.
    sections: Sections,
}

impl Reader<'_> {
    /// Ends the current piece and adds it to its section.
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

    /// Inserts the date or time of the last save.
    fn moment(&mut self, known: Option<&str>) {
        self.sections.dated |= known.is_some();
        self.sections.left_out |= known.is_none();
        self.text.push_str(known.unwrap_or_default());
    }

    /// Inserts the picture of the section. A section has at most one.
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

    /// Starts a section, in the font that every section starts with.
    fn section(&mut self, at: usize) {
        self.flush();
        self.at = at;
        self.font = self.normal.clone();
    }

    /// Interprets the code after an ampersand (ECMA-376 part 1, 18.3.1.46): a section, a field such as the page
    /// number, or a change of the font.
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
            // Folder of the file. It is left out, because it is private.
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

    /// Toggles a property of the font. The two underlines exclude one another, and so do superscript and subscript.
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

    /// Parses the optional number after the page code: `+1` or `-2` shift the page number.
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

    /// Parses the name and style of a font, `"Arial,Bold Italic"`. A hyphen stands for the current font.
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

    /// Parses a font size in points. `first` is its first digit. 409 is the maximum of Excel.
    fn size(&mut self, first: char) {
        self.flush();
        let mut number = first.to_digit(10).unwrap_or(0);
        while let Some(digit) = self.rest.as_slice().first().and_then(|c| c.to_digit(10)) {
            self.rest.next();
            number = number.saturating_mul(10).saturating_add(digit);
        }
        self.font.size = (number.clamp(1, 409)) as f32;
    }

    /// Parses a colour of six hexadecimal digits. Theme colours, such as `01+000`, have no effect.
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
