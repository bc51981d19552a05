//! Control words of borders (1.9.1, "Paragraph Borders" and "Table Definitions"): one names sides, and those behind it
//! say how their lines look. Draws none.

use convertd_tree::{Border, Borders, CellStyle, Colour, Length, LineKind, VerticalAlignment};

/// Sides, a bit each.
const TOP: u8 = 1;
const END: u8 = 2;
const BOTTOM: u8 = 4;
const START: u8 = 8;

/// The most different looks of cells that are kept. Later ones look like no other cell.
const MAX_LOOKS: usize = 1 << 12;

/// A line. Its colour is a number in the colour table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Line {
    /// `None` if there is no line, as where only its side was named.
    kind: Option<LineKind>,
    width: u8,
    thick: bool,
    colour: u16,
    space: u16,
}

impl Default for Line {
    fn default() -> Self {
        Self {
            kind: None,
            // Half a point.
            width: 10,
            thick: false,
            colour: 0,
            space: 0,
        }
    }
}

/// The lines around something, as far as they were stated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Lines {
    /// Top, end, bottom, start.
    sides: [Option<Line>; 4],
    /// The sides that are spoken of.
    chosen: u8,
}

impl Lines {
    /// Handles a control word of the borders of a paragraph. Returns false for any other word.
    pub(super) fn word(&mut self, word: &str, number: Option<i32>) -> bool {
        let sides = match word {
            "brdrt" => TOP,
            "brdrr" => END,
            "brdrb" => BOTTOM,
            "brdrl" => START,
            "box" => TOP | END | BOTTOM | START,
            "brdrbtw" | "brdrbar" => 0,
            _ => return self.look(word, number),
        };
        self.choose(sides);
        true
    }

    /// Goes on with these sides.
    fn choose(&mut self, sides: u8) {
        self.chosen = sides;
        self.each(|_| {});
    }

    /// Speaks of none.
    pub(super) fn forget(&mut self) {
        self.chosen = 0;
    }

    fn each(&mut self, change: impl Fn(&mut Line)) {
        for (at, side) in self.sides.iter_mut().enumerate() {
            if self.chosen & 1 << at != 0 {
                change(side.get_or_insert_default());
            }
        }
    }

    /// Handles a control word that says how lines look. Returns false for any other word, also for words about other
    /// lines.
    fn look(&mut self, word: &str, number: Option<i32>) -> bool {
        let positive = |most: i32| number.unwrap_or(0).clamp(0, most);
        match word {
            _ if self.chosen == 0 => return false,
            "brdrw" => {
                let width = positive(255) as u8;
                self.each(|line| line.width = width);
            }
            "brdrcf" => {
                let colour = positive(65_535) as u16;
                self.each(|line| line.colour = colour);
            }
            "brsp" => {
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

    /// The borders, if anything was said of them.
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

fn border(line: Line, colours: &[Option<Colour>]) -> Option<Border> {
    let times = if line.thick { 2 } else { 1 };
    Some(Border {
        kind: line.kind?,
        width: Length::twips((i64::from(line.width) * times).max(2)),
        colour: colours.get(usize::from(line.colour)).copied().flatten(),
        space: Some(Length::twips(line.space.into())),
    })
}

/// The kind of line that a control word asks for. Those of three lines are drawn as double ones, and waves as plain
/// ones.
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

/// Look of a cell. Colours are numbers in the colour table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct CellLook {
    lines: Lines,
    background: Option<u16>,
    vertical: Option<VerticalAlignment>,
    /// Half of the room between the text of neighbours, in twips.
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

    /// Goes on with something else.
    pub(super) fn forget(&mut self) {
        self.lines.forget();
    }

    /// The look of the next cell of a row with this room between text.
    pub(super) fn take(&mut self, gap: u16) -> Self {
        let mut look = Self {
            gap,
            ..std::mem::take(self)
        };
        look.forget();
        look
    }

    /// The style of a cell that ends with another one.
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

/// The looks of all cells of a file, each once.
#[derive(Debug, Default)]
pub(super) struct Looks {
    all: Vec<CellLook>,
    known: std::collections::HashMap<CellLook, u16>,
}

impl Looks {
    /// The number of a cell look. Equal looks share one.
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

    pub(super) fn get(&self, number: u16) -> CellLook {
        self.all
            .get(usize::from(number))
            .copied()
            .unwrap_or_default()
    }
}
