//! Control words of borders (RTF 1.9.1, "Paragraph Borders" and "Table Definitions"). One word selects sides, and the
//! words after it set the properties of their lines. Draws nothing.

use convertd_tree::{Border, Borders, CellStyle, Colour, Length, LineKind, VerticalAlignment};

/// Top, as a bit of [`Lines::chosen`]. The bits are in the order of [`Lines::sides`].
const TOP: u8 = 1;
/// End (right), as a bit of [`Lines::chosen`].
const END: u8 = 2;
/// Bottom, as a bit of [`Lines::chosen`].
const BOTTOM: u8 = 4;
/// Start (left), as a bit of [`Lines::chosen`].
const START: u8 = 8;

/// Max. number of different cell formattings. Further cells have the default formatting.
const MAX_LOOKS: usize = 1 << 12;

/// Line of a border. Its colour is an index in the colour table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Line {
    /// Kind of line. `None` if there is no line: the file only selects the side, or states that it has none.
    kind: Option<LineKind>,
    /// Width, in twips.
    width: u8,
    /// Whether the line has twice the width that `width` states (`\brdrth`).
    thick: bool,
    colour: u16,
    /// Distance to the text, in twips.
    space: u16,
}

impl Default for Line {
    fn default() -> Self {
        Self {
            kind: None,
            // Half a point, in twips.
            width: 10,
            thick: false,
            colour: 0,
            space: 0,
        }
    }
}

/// Lines of the sides that the file states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Lines {
    /// Lines of the four sides, in the order top, end, bottom, start.
    sides: [Option<Line>; 4],
    /// Selected sides, which the next control words apply to.
    chosen: u8,
}

impl Lines {
    /// Handles a control word of paragraph borders. Returns false for any other word.
    pub(super) fn word(&mut self, word: &str, number: Option<i32>) -> bool {
        let sides = match word {
            "brdrt" => TOP,
            "brdrr" => END,
            "brdrb" => BOTTOM,
            "brdrl" => START,
            "box" => TOP | END | BOTTOM | START,
            // Borders between paragraphs, and bars beside them, are ignored.
            "brdrbtw" | "brdrbar" => 0,
            _ => return self.look(word, number),
        };
        self.choose(sides);
        true
    }

    /// Selects these sides, which count as stated from now on.
    fn choose(&mut self, sides: u8) {
        self.chosen = sides;
        self.each(|_| {});
    }

    /// Deselects all sides.
    pub(super) fn forget(&mut self) {
        self.chosen = 0;
    }

    /// Changes the lines of all selected sides.
    fn each(&mut self, change: impl Fn(&mut Line)) {
        for (at, side) in self.sides.iter_mut().enumerate() {
            if self.chosen & 1 << at != 0 {
                change(side.get_or_insert_default());
            }
        }
    }

    /// Handles a control word for a property of lines. Returns false for any other word, and if no side is selected.
    pub(super) fn look(&mut self, word: &str, number: Option<i32>) -> bool {
        let positive = |most: i32| number.unwrap_or(0).clamp(0, most);
        match word {
            _ if self.chosen == 0 => return false,
            "brdrw" => {
                // The width is in twips.
                let width = positive(255) as u8;
                self.each(|line| line.width = width);
            }
            "brdrcf" => {
                let colour = positive(65_535) as u16;
                self.each(|line| line.colour = colour);
            }
            "brsp" => {
                // The distance is in twips; Word allows 31 points.
                let space = positive(620) as u16;
                self.each(|line| line.space = space);
            }
            "brdrth" => self.each(|line| {
                line.kind.get_or_insert(LineKind::Solid);
                line.thick = true;
            }),
            "brdrnone" | "brdrnil" | "brdrtbl" => self.each(|line| line.kind = None),
            _ => {
                let Some(kind) = kind(word) else {
                    return false;
                };
                self.each(|line| line.kind = Some(kind));
            }
        }
        true
    }

    /// Borders, if the file states any.
    pub(super) fn borders(&self, colours: &[Option<Colour>]) -> Option<Borders> {
        let [top, end, bottom, start] = self.sides.map(|line| border(line?, colours));
        (self.sides != [None; 4]).then_some(Borders {
            top,
            end,
            bottom,
            start,
        })
    }
}

/// Converts a line to a border. `None` if there is no line.
fn border(line: Line, colours: &[Option<Colour>]) -> Option<Border> {
    let times = if line.thick { 2 } else { 1 };
    Some(Border {
        kind: line.kind?,
        width: Length::twips((i64::from(line.width) * times).max(2)),
        colour: colours.get(usize::from(line.colour)).copied().flatten(),
        space: Some(Length::twips(line.space.into())),
    })
}

/// Kind of line for a control word. Triple lines are drawn as double lines, and waves as straight lines.
fn kind(word: &str) -> Option<LineKind> {
    Some(match word {
        "brdrs" | "brdrhair" | "brdrsh" | "brdrwavy" | "brdremboss" | "brdrengrave"
        | "brdroutset" | "brdrinset" => LineKind::Solid,
        "brdrdot" => LineKind::Dotted,
        "brdrdash" | "brdrdashsm" | "brdrdashd" | "brdrdashdd" | "brdrdashdotstr" => {
            LineKind::Dashed
        }
        "brdrdb" | "brdrtriple" | "brdrwavydb" => LineKind::Double,
        word if word.starts_with("brdrtnth") || word.starts_with("brdrthtn") => LineKind::Double,
        _ => return None,
    })
}

/// Formatting of a cell. Colours are indices in the colour table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct CellLook {
    /// Borders.
    lines: Lines,
    /// Background colour.
    background: Option<u16>,
    /// Vertical alignment of text.
    vertical: Option<VerticalAlignment>,
    /// Half of the distance between the texts of adjacent cells, in twips.
    gap: u16,
}

impl CellLook {
    /// Handles a control word of a cell. Returns false for any other word.
    pub(super) fn word(&mut self, word: &str, number: Option<i32>) -> bool {
        match word {
            "clbrdrt" => self.lines.choose(TOP),
            "clbrdrr" => self.lines.choose(END),
            "clbrdrb" => self.lines.choose(BOTTOM),
            "clbrdrl" => self.lines.choose(START),
            "clcbpat" => self.background = number.and_then(|number| number.try_into().ok()),
            "clvertalt" => self.vertical = None,
            "clvertalc" => self.vertical = Some(VerticalAlignment::Middle),
            "clvertalb" => self.vertical = Some(VerticalAlignment::Bottom),
            _ => return self.lines.look(word, number),
        }
        true
    }

    /// Ends the selection of a side.
    pub(super) fn forget(&mut self) {
        self.lines.forget();
    }

    /// Returns the formatting of the next cell, and resets the state. `gap` is half of the distance between texts, in
    /// twips.
    pub(super) fn take(&mut self, gap: u16) -> Self {
        let mut look = Self {
            gap,
            ..std::mem::take(self)
        };
        look.forget();
        look
    }

    /// Style of a cell that spans cells up to `last`. The border at its end is the border at the end of `last`.
    pub(super) fn style(&self, last: &Self, colours: &[Option<Colour>]) -> CellStyle {
        let own = self.lines.borders(colours).unwrap_or_default();
        let end = last.lines.borders(colours).unwrap_or_default().end;
        let background = self.background.map(usize::from);
        CellStyle {
            background: background.and_then(|number| colours.get(number).copied().flatten()),
            borders: Borders { end, ..own },
            vertical: self.vertical,
            padding: Some(Length::twips(self.gap.into())),
            ..CellStyle::default()
        }
    }
}

/// Different formattings of the cells of a file.
#[derive(Debug, Default)]
pub(super) struct Looks {
    all: Vec<CellLook>,
    /// Index of each formatting in `all`.
    known: std::collections::HashMap<CellLook, u16>,
}

impl Looks {
    /// Returns the number of a formatting. Equal formattings have the same number.
    pub(super) fn number(&mut self, look: CellLook) -> u16 {
        if let Some(number) = self.known.get(&look) {
            return *number;
        }
        if self.all.len() >= MAX_LOOKS {
            return u16::MAX;
        }
        let number = self.all.len() as u16;
        self.all.push(look);
        self.known.insert(look, number);
        number
    }

    /// Returns the formatting with this number, or the default.
    pub(super) fn get(&self, number: u16) -> CellLook {
        self.all
            .get(usize::from(number))
            .copied()
            .unwrap_or_default()
    }
}
