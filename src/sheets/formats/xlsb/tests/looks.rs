//! Sheets with their styles, sizes, formulas and conditional formats.

use super::*;
use crate::{
    job::Notes,
    sheet::{Looks, View},
    shown::{
        book::{Book, Range, Value},
        print::Scale,
        style::HorizontalAlignment,
    },
};
use convertd_tree::{Builder, Colour};

/// Reads the first sheet of a workbook with its styles.
fn shown(file: &[u8]) -> Book {
    with_job(|job| {
        let mut input = Cursor::new(file);
        let mut workbook = (ROW.open)(job, &mut input, View::Exact).unwrap();
        let mut build = Builder::new(job);
        match workbook
            .shown(&[0], &mut build, &mut Notes::default())
            .unwrap()
        {
            Looks::Read(book) => *book,
            Looks::None | Looks::TooMany => panic!("it has looks"),
        }
    })
}

/// Builds 32-bit numbers, such as the first and last row and column of a range.
fn numbers(all: &[u32]) -> Vec<u8> {
    all.iter().flat_map(|one| one.to_le_bytes()).collect()
}

/// Builds a formula: tokens and additional data, each preceded by its length.
fn formula(tokens: &[u8], extra: &[u8]) -> Vec<u8> {
    let len = |bytes: &[u8]| (bytes.len() as u32).to_le_bytes();
    [&len(tokens)[..], tokens, &len(extra), extra].concat()
}

#[test]
fn sheets_have_styles() {
    let pane = [
        &2.0_f64.to_le_bytes()[..],
        &1.0_f64.to_le_bytes(),
        &[0; 12],
        &[1],
    ]
    .concat();
    let page = [&numbers(&[9, 50, 0, 0, 1, 0, 0, 0])[..], &[3, 0]].concat();
    let book = shown(&book(&[
        record(147, &[0, 0, 0]),
        record(151, &pane),
        record(60, &[&numbers(&[1, 2, 2560, 1])[..], &[1, 0]].concat()),
        row(1, false),
        cell(5, 0, 1, &43_831.0_f64.to_le_bytes()),
        cell(7, 1, 0, &[0; 4]),
        record(146, &[]),
        record(176, &numbers(&[1, 2, 0, 3])),
        record(478, &page),
    ]));
    let grid = &book.grids[0];
    assert_eq!(grid.frozen, (1, 2));
    let merged = Range {
        first: (1, 0),
        last: (2, 3),
    };
    assert_eq!(grid.merged, [merged]);
    let column = grid.column(2).unwrap();
    assert!(column.hidden && column.width == Some(70.0), "{column:?}");
    assert!(grid.print.landscape && grid.print.over_first);
    assert_eq!(grid.print.scale, Scale::By(50));
    let line = grid.row(1).unwrap();
    assert_eq!(line.cells[1].value, Value::Text("shared 😀".into()));
    let style = book.style(line.cells[0].style);
    assert!(style.font.bold && style.align.wrap && style.align.shrink);
    assert_eq!(style.font.colour, Some(Colour(255, 0, 0)));
    assert_eq!(
        style.fill.map(|fill| fill.colour),
        Some(Colour(0, 128, 255))
    );
    assert_eq!(
        (style.align.across, style.align.indent),
        (HorizontalAlignment::Centre, 3)
    );
    assert_eq!(&*style.format.code, "yyyy-mm-dd");
}

#[test]
fn formulas_are_shared_and_kept() {
    let number = 4.0_f64.to_le_bytes();
    let value =
        |tokens: &[u8], extra: &[u8]| [&number[..], &[0, 0], &formula(tokens, extra)].concat();
    let own = value(&[0x44, 0, 0, 0, 0, 0, 0xc0, 0x1e, 2, 0, 0x05], &[]);
    let same = value(&[0x01, 1, 0, 0, 0], &[1, 0, 0, 0]);
    let left = [0x4c, 0, 0, 0, 0, 0xff, 0xff];
    let shared = [&numbers(&[1, 2, 1, 1])[..], &formula(&left, &[])].concat();
    let mut records = vec![
        row(1, false),
        cell(9, 0, 0, &own),
        cell(9, 1, 0, &same),
        record(427, &shared),
        row(2, false),
        cell(9, 1, 0, &same),
    ];
    assert_eq!(shown(&super::book(&records)).lost(), None);
    // A data table, of which only the value is kept.
    let table = value(&[0x02, 9, 0, 0, 0], &[9, 0, 0, 0]);
    records.push(cell(9, 2, 0, &table));
    let book = shown(&super::book(&records));
    let cells = book.grids[0].rows.iter().flat_map(|line| &line.cells);
    let formulas: Vec<_> = cells.map(|cell| cell.formula.as_deref()).collect();
    assert_eq!(formulas, [Some("A1*2"), Some("A2"), Some("A3"), None]);
    assert!(book.lost().unwrap().contains("formulas"));
}

/// Builds the beginning of a rule: type, template, format, priority, parameter, flags, and formulas preceded by
/// their lengths.
fn rule(kind: [u32; 5], flags: u8, formulas: &[&[u8]]) -> Vec<u8> {
    let mut content = numbers(&kind);
    content.extend([0; 8]);
    content.extend([flags, 0]);
    let lens = (0..3).map(|at| formulas.get(at).map_or(0, |tokens| tokens.len()));
    content.extend(lens.flat_map(|len| (len as u32).to_le_bytes()));
    content.extend(u32::MAX.to_le_bytes());
    content.extend(formulas.iter().flat_map(|tokens| formula(tokens, &[])));
    record(463, &content)
}

/// Builds a limit of a rule. A value equal to the limit reaches it.
fn limit(kind: u32, number: f64) -> Vec<u8> {
    let head = numbers(&[kind]);
    let content = [&head[..], &number.to_le_bytes(), &numbers(&[1, 1, 0])].concat();
    record(471, &content)
}

#[test]
fn rules_change_the_styles_of_cells() {
    let colour = |red| record(564, &[5, 0, 0, 0, red, 0, 0, 255]);
    let number = |column, number: f64| cell(5, column, 0, &number.to_le_bytes());
    let none = u32::MAX;
    let book = shown(&book(&[
        row(1, false),
        number(0, 1.0),
        number(1, 2.0),
        number(2, 3.0),
        record(146, &[]),
        record(461, &numbers(&[1, 0, 1, 1, 1, 0, 2])),
        // Greater than 2.
        rule([1, 0, 0, 5, 5], 0, &[&[0x1e, 2, 0]]),
        record(464, &[]),
        rule([3, 2, none, 4, 0], 0, &[]),
        [record(469, &[]), limit(2, 0.0), limit(3, 0.0)].concat(),
        [colour(0), colour(100), record(470, &[]), record(464, &[])].concat(),
        rule([4, 3, none, 3, 0], 0, &[]),
        [record(467, &[10, 90, 0]), limit(1, 0.0), limit(1, 4.0)].concat(),
        [colour(9), record(468, &[]), record(464, &[])].concat(),
        rule([6, 4, none, 2, 0], 0, &[]),
        record(465, &[3, 0, 0, 0, 4, 0]),
        [limit(4, 0.0), limit(4, 33.0), limit(4, 67.0)].concat(),
        [record(466, &[]), record(464, &[])].concat(),
        // Only the lowest value. Rules of lower priority are skipped.
        rule([5, 5, 0, 1, 1], 8 | 2, &[]),
        [record(464, &[]), record(462, &[])].concat(),
        // A rule without its colours, and a limit outside a rule.
        rule([3, 2, none, 2, 0], 0, &[]),
        [record(464, &[]), limit(1, f64::NAN)].concat(),
    ]));
    let look = |column| &book.grids[0].overlays[&(1, column)];
    let style = |column| look(column).style.as_ref().unwrap();
    let fill = |column| style(column).fill.unwrap().colour;
    assert_eq!([0, 1, 2].map(|at| style(at).font.bold), [true, false, true]);
    assert_eq!(fill(0), Colour(0, 200, 0));
    assert!(look(0).bar.is_none() && look(0).icon.is_none());
    assert_eq!(fill(1), Colour(50, 0, 0));
    let bar = look(1).bar.unwrap();
    assert_eq!((bar.from, bar.to, bar.colour), (0.0, 0.5, Colour(9, 0, 0)));
    assert!(look(1).hides_value);
    // In reverse order, the last icon is red.
    let icon = look(2).icon.unwrap();
    assert!(icon.colour.0 > icon.colour.1, "{icon:?}");
    assert_eq!(book.unseen(), None);
}

#[test]
fn headers_contain_pictures() {
    let drawing = "<xml xmlns:v='urn:schemas-microsoft-com:vml' xmlns:o='urn:schemas-microsoft-com:office:office'><v:shape id='CH' style='width:90pt;height:30pt'><v:imagedata o:relid='p'/></v:shape></xml>";
    let relationship = |id, kind, target| {
        format!(
            "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'><Relationship Id='{id}' Type='x/{kind}' Target='{target}'/></Relationships>"
        )
    };
    let of_sheet = relationship("h", "vmlDrawing", "h.vml");
    let of_drawing = relationship("p", "image", "p.svg");
    let parts = [
        ("xl/_rels/s.bin.rels", &*of_sheet),
        ("xl/h.vml", drawing),
        ("xl/_rels/h.vml.rels", &*of_drawing),
        (
            "xl/p.svg",
            "<svg xmlns='http://www.w3.org/2000/svg' width='3' height='1'/>",
        ),
    ];
    let sheet = [row(1, false), record(146, &[]), record(552, &text("h"))];
    let book = shown(&book_with(&sheet, &parts));
    let pictures = &book.grids[0].margin_pictures;
    assert_eq!(pictures.len(), 1);
    assert_eq!(
        (&*pictures[0].place, pictures[0].size),
        ("CH", (90.0, 30.0))
    );
    // A missing part does not prevent the conversion of the workbook.
    let sheet = [row(1, false), record(146, &[]), record(552, &text("other"))];
    let book = shown(&book_with(&sheet, &parts));
    assert!(book.grids[0].margin_pictures.is_empty());
}

/// Builds a rule of Excel 2010: type, template, format, priority and identifier.
fn late_rule(kind: [u32; 5], name: u8) -> Vec<u8> {
    let head = [numbers(&[0]), numbers(&kind)].concat();
    let name = [name; 16];
    record(1048, &[&head[..], &[0; 26], &name, &[1, 0, 0, 0]].concat())
}

/// Builds a limit of a rule of Excel 2010.
fn late_limit(kind: u32, number: f64) -> Vec<u8> {
    let number = number.to_le_bytes();
    let content = [&numbers(&[0, kind])[..], &number, &numbers(&[1, 1, 0])].concat();
    record(1050, &content)
}

#[test]
fn rules_of_excel_2010_change_the_styles_of_cells() {
    let number = |column, number: f64| cell(5, column, 0, &number.to_le_bytes());
    let none = u32::MAX;
    let late_colour = |green| record(1055, &[0, 0, 0, 0, 5, 0, 0, 0, 0, green, 0, 255]);
    let book = shown(&book(&[
        row(1, false),
        number(0, -5.0),
        number(1, 5.0),
        record(146, &[]),
        record(461, &numbers(&[1, 0, 1, 1, 1, 0, 1])),
        rule([4, 3, none, 3, 0], 0, &[]),
        [record(467, &[10, 90, 1]), limit(2, 0.0), limit(3, 0.0)].concat(),
        [record(564, &[5, 0, 0, 0, 9, 0, 0, 255]), record(468, &[])].concat(),
        // The rule has an identifier, to which its extension refers.
        [
            record(35, &[0; 4]),
            record(1146, &[&[0; 4][..], &[7; 16]].concat()),
        ]
        .concat(),
        [record(36, &[]), record(464, &[]), record(462, &[])].concat(),
        [
            record(35, &[0; 4]),
            record(1046, &numbers(&[2, 1, 0, 1, 1, 1, 0, 1])),
        ]
        .concat(),
        late_rule([4, 0, none, none, 0], 7),
        // The value stays visible. Negative bars have a colour and an axis.
        record(1051, &[0, 0, 0, 0, 0, 100, 1, 0, 0, 4, 0]),
        [late_limit(8, 0.0), late_limit(9, 0.0)].concat(),
        [late_colour(90), late_colour(80), record(1049, &[])].concat(),
        // Three triangles.
        late_rule([6, 4, none, 1, 0], 8),
        record(1052, &[0, 0, 0, 0, 18, 0, 0, 0, 0, 0]),
        [late_limit(4, 0.0), late_limit(4, 33.0), late_limit(4, 67.0)].concat(),
        record(1049, &[]),
        [record(1047, &[]), record(36, &[])].concat(),
    ]));
    let look = |column| &book.grids[0].overlays[&(1, column)];
    let (below, above) = (look(0).bar.unwrap(), look(1).bar.unwrap());
    assert_eq!(
        (below.from, below.to, below.colour),
        (0.0, 0.5, Colour(0, 90, 0))
    );
    assert_eq!(
        (above.from, above.to, above.colour),
        (0.5, 1.0, Colour(9, 0, 0))
    );
    assert_eq!(below.axis, Some((0.5, Colour(0, 80, 0))));
    let icons = [0, 1].map(|column| look(column).icon.unwrap().shape);
    assert_eq!(icons, ['▼', '▲']);
    assert_eq!(book.unseen(), None);
    // A rule with a formula refers to another sheet.
    let book = shown(&self::book(&[
        record(1046, &numbers(&[2, 1, 0, 1, 1, 1, 0, 1])),
        [record(1048, &numbers(&[4, 1, 0, 9])), record(1049, &[])].concat(),
        [
            record(1046, &[255; 40]),
            record(1050, &[1]),
            record(1051, &[]),
        ]
        .concat(),
    ]));
    assert!(book.grids[0].overlays.is_empty());
}

#[test]
fn damaged_records_are_tolerated() {
    // Cells and ranges outside the sheet, and truncated records.
    let book = shown(&book(&[
        cell(1, 0, 0, &[]),
        row(5, false),
        cell(1, u32::MAX, 9, &[]),
        row(1, false),
        cell(1, 0, 200, &[]),
        record(176, &numbers(&[5, 1, 0, u32::MAX])),
        record(60, &numbers(&[9, 2, 0, 0])),
        record(494, &[1, 2, 3]),
        record(64, &numbers(&[0, u32::MAX, 0, 0])),
        record(427, &[0; 20]),
        record(478, &[]),
        record(479, &[255; 9]),
        record(151, &[255; 40]),
        record(461, &[255; 40]),
        record(463, &[255; 60]),
        record(471, &[255; 40]),
        record(465, &[]),
        record(464, &[]),
    ]));
    let grid = &book.grids[0];
    assert_eq!(grid.rows.len(), 2);
    assert!(grid.rows.iter().any(|row| row.cells.is_empty()) && grid.merged.is_empty());
    assert!(grid.validations.is_empty() && grid.links.is_empty());
}
