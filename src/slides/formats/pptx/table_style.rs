//! Table styles (ECMA-376 part 1, 20.1.4.2): formatting of the parts of a table, such as the first row or alternate
//! rows. Reads no tables.

use super::{built_in_tables, styles::RunStyle};
use crate::containers::xml::Node;
use convertd_office::drawing::{Colour, FillStyle, LineStyle, Theme, flag, number};

/// Limit on table styles of a presentation.
const MAX_STYLES: usize = 1000;

/// Table styles of a presentation, by identifier. They refer to fills and lines of a theme. Since each master has its
/// own theme, these references are resolved later.
#[derive(Default)]
pub(super) struct TableStyles(Vec<(Box<str>, TableStyle<Stored>)>);

/// A table style.
#[derive(Clone, Default)]
pub(super) struct TableStyle<P = PartStyle> {
    /// Formatting of all cells.
    pub(super) whole: P,
    /// Formatting of odd rows and of even rows.
    pub(super) rows: [P; 2],
    /// Formatting of odd columns and of even columns.
    pub(super) columns: [P; 2],
    pub(super) first_column: P,
    pub(super) last_column: P,
    pub(super) first_row: P,
    pub(super) last_row: P,
}

/// Formatting of a part of a table as the file states it.
struct Stored {
    fill: Option<Stated<FillStyle>>,
    lines: [Option<Stated<LineStyle>>; 6],
    letters: RunStyle,
}

/// A fill or line.
enum Stated<T> {
    /// Defined in place.
    Own(T),
    /// Number of a fill or line of the theme, and the colour that replaces the placeholder colour (`phClr`) in it.
    Theme(i64, Option<Colour>),
}

/// Formatting of a part of a table.
#[derive(Clone, Default)]
pub(super) struct PartStyle {
    pub(super) fill: Option<FillStyle>,
    /// Lines on the left, top, right and bottom edge, between columns, and between rows.
    pub(super) lines: [Option<LineStyle>; 6],
    /// Text properties.
    pub(super) letters: RunStyle,
}

/// Parts of the style that a table uses (21.1.3.15).
#[derive(Clone, Copy, Default)]
pub(super) struct Shown {
    pub(super) first_row: bool,
    pub(super) last_row: bool,
    pub(super) first_column: bool,
    pub(super) last_column: bool,
    /// Whether the rows alternate.
    pub(super) rows: bool,
    /// Whether the columns alternate.
    pub(super) columns: bool,
}

impl Shown {
    /// Reads an `a:tblPr`.
    pub(super) fn read(node: Option<&Node<'_>>) -> Self {
        let is_set = |name| node.and_then(|node| flag(node, name)).unwrap_or(false);
        Self {
            first_row: is_set("firstRow"),
            last_row: is_set("lastRow"),
            first_column: is_set("firstCol"),
            last_column: is_set("lastCol"),
            rows: is_set("bandRow"),
            columns: is_set("bandCol"),
        }
    }
}

impl TableStyles {
    /// Reads an `a:tblStyleLst`.
    pub(super) fn read(node: &Node<'_>) -> Self {
        let styles = node.children.iter().take(MAX_STYLES).filter_map(|style| {
            let id = style.attribute("styleId")?;
            let part = |name| {
                let part = style.child("a", name);
                Stored::read(part)
            };
            let own = TableStyle {
                whole: part("wholeTbl"),
                rows: [part("band1H"), part("band2H")],
                columns: [part("band1V"), part("band2V")],
                first_column: part("firstCol"),
                last_column: part("lastCol"),
                first_row: part("firstRow"),
                last_row: part("lastRow"),
            };
            Some((id.as_ref().into(), own))
        });
        Self(styles.collect())
    }

    /// Finds a style by its identifier, among the styles of the file and the built-in styles, which files do not
    /// contain. `theme` is the theme of the slide.
    pub(super) fn get(&self, id: &str, theme: &Theme) -> TableStyle {
        let own = self.0.iter().find(|(known, _)| **known == *id);
        if let Some((_, own)) = own {
            return own.of(theme);
        }
        match id {
            "" => TableStyle::default(),
            id => built_in_tables::get(id),
        }
    }
}

impl TableStyle<Stored> {
    /// Resolves the references to a theme.
    fn of(&self, theme: &Theme) -> TableStyle {
        let all = |parts: &[Stored; 2]| [parts[0].of(theme), parts[1].of(theme)];
        TableStyle {
            whole: self.whole.of(theme),
            rows: all(&self.rows),
            columns: all(&self.columns),
            first_column: self.first_column.of(theme),
            last_column: self.last_column.of(theme),
            first_row: self.first_row.of(theme),
            last_row: self.last_row.of(theme),
        }
    }
}

impl TableStyle {
    /// Combines the formatting of all parts that contain a cell, the most specific last. The arguments give its row
    /// and column and the numbers of rows and columns.
    pub(super) fn cell(
        &self,
        shown: Shown,
        (row, rows): (usize, usize),
        (column, columns): (usize, usize),
    ) -> PartStyle {
        let mut cell = PartStyle::default();
        let edges = |first: bool, last: bool| (first, last);
        let (top, bottom) = edges(row == 0, row + 1 == rows);
        let (left, right) = edges(column == 0, column + 1 == columns);
        cell.put(&self.whole, [left, top, right, bottom]);
        // Bands of columns leave out the first and last column if these have a style of their own; bands of rows leave
        // out the first and last row.
        let is_head = shown.first_row && top;
        let is_foot = shown.last_row && bottom;
        let is_side = shown.first_column && left;
        let is_end = shown.last_column && right;
        if shown.columns && !is_side && !is_end {
            let band = column - usize::from(shown.first_column);
            cell.put(&self.columns[band % 2], [true, top, true, bottom]);
        }
        if shown.rows && !is_head && !is_foot {
            let band = row - usize::from(shown.first_row);
            cell.put(&self.rows[band % 2], [left, true, right, true]);
        }
        if is_side {
            cell.put(&self.first_column, [true, top, true, bottom]);
        }
        if is_end {
            cell.put(&self.last_column, [true, top, true, bottom]);
        }
        if is_head {
            cell.put(&self.first_row, [left, true, right, true]);
        }
        if is_foot {
            cell.put(&self.last_row, [left, true, right, true]);
        }
        cell
    }
}

impl Stored {
    /// Reads an `a:wholeTbl` or an element of the same type.
    fn read(node: Option<&Node<'_>>) -> Self {
        let style = node.and_then(|node| node.child("a", "tcStyle"));
        let theme = |reference: &Node<'_>| {
            let number = number(reference, "idx")?;
            Some((number, Colour::read(reference)))
        };
        let fill = style.and_then(|style| {
            if let Some(fill) = style.child("a", "fill") {
                return FillStyle::read(fill).map(Stated::Own);
            }
            let (number, colour) = theme(style.child("a", "fillRef")?)?;
            Some(Stated::Theme(number, colour))
        });
        let borders = style.and_then(|style| style.child("a", "tcBdr"));
        let lines = ["left", "top", "right", "bottom", "insideV", "insideH"].map(|name| {
            let side = borders?.child("a", name)?;
            if let Some(own) = side.child("a", "ln") {
                return Some(Stated::Own(LineStyle::read(own)));
            }
            let (number, colour) = theme(side.child("a", "lnRef")?)?;
            Some(Stated::Theme(number, colour))
        });
        let letters = node.and_then(|node| node.child("a", "tcTxStyle"));
        let letters = letters.map(|style| RunStyle {
            bold: style.attribute("b").map(|bold| bold == "on"),
            italic: style.attribute("i").map(|italic| italic == "on"),
            colour: Colour::read(style).map(Some),
            ..RunStyle::default()
        });
        Self {
            fill,
            lines,
            letters: letters.unwrap_or_default(),
        }
    }

    /// Resolves the references to a theme. A number that the theme lacks means no fill or line.
    fn of(&self, theme: &Theme) -> PartStyle {
        let fill = self.fill.as_ref().and_then(|fill| match fill {
            Stated::Own(fill) => Some(fill.clone()),
            Stated::Theme(number, colour) => {
                let fill = theme.fill(*number)?;
                let coloured = colour.as_ref().map(|colour| fill.with_placeholder(colour));
                Some(coloured.unwrap_or_else(|| fill.clone()))
            }
        });
        let line = |line: &Stated<LineStyle>| match line {
            Stated::Own(line) => Some(line.clone()),
            Stated::Theme(number, colour) => {
                let line = theme.line(*number)?;
                let coloured = colour.as_ref().map(|colour| line.with_placeholder(colour));
                Some(coloured.unwrap_or_else(|| line.clone()))
            }
        };
        PartStyle {
            fill,
            lines: std::array::from_fn(|side| self.lines[side].as_ref().and_then(line)),
            letters: self.letters.clone(),
        }
    }
}

impl PartStyle {
    /// Overrides formatting with the formatting of another part of the table. `edges` states which edges of the cell
    /// are edges of this part; at the other edges, the inner lines of the part apply.
    fn put(&mut self, above: &Self, edges: [bool; 4]) {
        if above.fill.is_some() {
            self.fill.clone_from(&above.fill);
        }
        for (side, is_edge) in edges.into_iter().enumerate() {
            let between = if side % 2 == 0 { 4 } else { 5 };
            let line = &above.lines[if is_edge { side } else { between }];
            if line.is_some() {
                self.lines[side].clone_from(line);
            }
        }
        self.letters.put(&above.letters);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{containers::xml::Reader, job::testing::with_job};
    use convertd_office::drawing::Palette;

    const A: &str = "xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main'";

    fn node<T>(text: &str, work: impl FnOnce(&Node<'_>) -> T) -> T {
        with_job(|job| {
            let mut xml = Reader::new(job, text, super::super::NAMESPACES);
            let root = xml.root().expect("a root");
            work(&Node::read(&mut xml, root).expect("a node"))
        })
    }

    /// Widths of the lines. The test recognises a line by its width.
    fn widths(part: &PartStyle) -> [Option<i64>; 6] {
        std::array::from_fn(|side| part.lines[side].as_ref().and_then(|line| line.width))
    }

    #[test]
    fn fills_and_lines_are_those_of_the_theme() {
        let theme = format!(
            "<a:theme {A}><a:themeElements><a:fmtScheme><a:fillStyleLst><a:noFill/><a:solidFill><a:srgbClr val='112233'/></a:solidFill></a:fillStyleLst><a:lnStyleLst><a:ln w='777'/></a:lnStyleLst></a:fmtScheme></a:themeElements></a:theme>"
        );
        let theme = with_job(|job| {
            Theme::read(&mut Reader::new(job, &theme, super::super::NAMESPACES)).expect("a theme")
        });
        let list = format!(
            "<a:tblStyleLst {A}><a:tblStyle styleId='x'><a:wholeTbl><a:tcStyle><a:tcBdr><a:left><a:lnRef idx='1'/></a:left></a:tcBdr><a:fillRef idx='2'/></a:tcStyle></a:wholeTbl></a:tblStyle></a:tblStyleLst>"
        );
        let styles = node(&list, TableStyles::read);
        let whole = styles.get("x", &theme).whole;
        let Some(FillStyle::Solid(colour)) = &whole.fill else {
            panic!("no fill");
        };
        assert_eq!(
            colour.resolve(&Palette::default(), None).rgb,
            [0x11, 0x22, 0x33]
        );
        assert_eq!(widths(&whole)[0], Some(777));
        // A theme without this number gives no fill.
        assert!(styles.get("x", &Theme::default()).whole.fill.is_none());
    }

    #[test]
    fn inner_lines_of_bands_are_inside() {
        let side = |name: &str, width: u32| format!("<a:{name}><a:ln w='{width}'/></a:{name}>");
        let sides = [
            ("left", 1),
            ("top", 2),
            ("right", 3),
            ("bottom", 4),
            ("insideV", 5),
            ("insideH", 6),
        ];
        let sides: String = sides.map(|(name, width)| side(name, width)).concat();
        let style = |part: &str| {
            let list = format!(
                "<a:tblStyleLst {A}><a:tblStyle styleId='x'><a:{part}><a:tcStyle><a:tcBdr>{sides}</a:tcBdr></a:tcStyle></a:{part}></a:tblStyle></a:tblStyleLst>"
            );
            node(&list, TableStyles::read).get("x", &Theme::default())
        };
        let (rows, columns) = (
            Shown {
                rows: true,
                ..Shown::default()
            },
            Shown {
                columns: true,
                ..Shown::default()
            },
        );
        #[track_caller]
        fn check(style: &TableStyle, shown: Shown, place: (usize, usize), expected: [i64; 4]) {
            let part = style.cell(shown, (place.0, 3), (place.1, 3));
            assert_eq!(&widths(&part)[..4], expected.map(Some), "{place:?}");
        }
        // Widths of the left, top, right and bottom lines of cells in the first band of rows and of columns.
        check(&style("band1H"), rows, (0, 0), [1, 2, 5, 4]);
        check(&style("band1H"), rows, (2, 1), [5, 2, 5, 4]);
        check(&style("band1V"), columns, (0, 0), [1, 2, 3, 6]);
        check(&style("band1V"), columns, (1, 2), [1, 6, 3, 6]);
        check(&style("band1V"), columns, (2, 0), [1, 6, 3, 4]);
    }
}
