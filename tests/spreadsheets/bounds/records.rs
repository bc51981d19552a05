//! Out-of-range numbers in the binary formats, whose files are built record by record.

use super::{RELATIONS, Zip, check};
use crate::{
    biff::{begin, book, compound, longs, short, shorts},
    harness::convert_with,
};

/// Converts an xls with these records in its globals and its sheet.
fn xls(what: &str, globals: &[u8], sheet: &[u8]) {
    check(what, "a.xls", &book(globals, sheet));
}

/// A number cell of an xls.
fn number(column: u16, number: f64) -> Vec<u8> {
    let content = [&shorts(&[0, column, 16])[..], &number.to_le_bytes()].concat();
    short(0x203, &content)
}

/// Cell formats: sixteen default ones, and one with this font and this number format.
fn looks(font: u16, format: u16) -> Vec<u8> {
    let look = |font, format| short(0xe0, &[&shorts(&[font, format])[..], &[0; 16]].concat());
    [vec![look(0, 0); 16].concat(), look(font, format)].concat()
}

/// A font record of an xls.
fn font(height: u16) -> Vec<u8> {
    let head = shorts(&[height, 0, 0x7fff, 400, 0, 0, 0]);
    short(0x31, &[&head[..], &[1, 0, b'F']].concat())
}

const NUMBERS: [f64; 8] = [
    -1e300,
    -1.0,
    60.0,
    2_958_466.0,
    1e300,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

fn numbers() -> Vec<u8> {
    (0..)
        .zip(NUMBERS)
        .flat_map(|(at, one)| number(at, one))
        .collect()
}

#[test]
fn styles_of_an_xls_may_exceed_all_limits() {
    let code = "0;".repeat(4000);
    let head = shorts(&[164, code.len() as u16]);
    let format = short(0x41e, &[&head[..], &[0], code.as_bytes()].concat());
    let usual = font(200);
    xls(
        "sections",
        &[&usual[..], &format, &looks(0, 164)].concat(),
        &numbers(),
    );
    xls("dates", &[&usual[..], &looks(0, 22)].concat(), &numbers());
    xls("styles of nothing", &looks(60_000, 60_000), &numbers());
    let fonts = vec![font(u16::MAX); 64_000].concat();
    xls("fonts", &[fonts, looks(63_999, 0)].concat(), &numbers());
}

#[test]
fn sizes_of_an_xls_may_be_out_of_all_bounds() {
    let ranges = [
        0, 0xffff, 0, 0xff, 0, 1, 0, 1, 0, 8, 1, 2, 9, 1, 2, 1, 0, 0xffff, 0, 0xffff,
    ];
    let merged = short(0xe5, &[shorts(&[5]), shorts(&ranges)].concat());
    let widths = short(0x7d, &shorts(&[0, 0xffff, 0xffff, 0xffff, 0, 0]));
    let row = short(0x208, &shorts(&[0, 0, 9, 0x7fff, 0, 0, 0x40, 16]));
    let margin = |kind, inches: f64| short(kind, &inches.to_le_bytes());
    let margins = [
        margin(0x26, 1e9),
        margin(0x27, -1.0),
        margin(0x28, f64::NAN),
    ]
    .concat();
    let setup = short(
        0xa1,
        &[&[255; 16][..], &f64::INFINITY.to_le_bytes(), &[255; 10]].concat(),
    );
    let sheet = [merged, widths, row, margins, setup, numbers()].concat();
    xls("sizes", &looks(0, 0), &sheet);
    // The print area and the repeated rows of the first sheet.
    let own = [
        short(0x1ae, &shorts(&[1, 0x401])),
        short(0x17, &shorts(&[1, 0, 0, 0])),
    ]
    .concat();
    let name = |letter: u8, area: [u16; 4]| {
        let tokens = [&[0x3b][..], &shorts(&[0]), &shorts(&area)].concat();
        let head = [
            &[0x20, 0, 0, 1][..],
            &shorts(&[tokens.len() as u16, 0, 1]),
            &[0; 4],
        ]
        .concat();
        short(0x18, &[&head[..], &[0, letter], &tokens].concat())
    };
    for (what, names) in [
        ("area at the corner", name(6, [0xffff, 0xffff, 0xff, 0xff])),
        ("area of everything", name(6, [0, 0xffff, 0, 0xff])),
        ("rows repeated", name(7, [0, 0xffff, 0, 0xff])),
    ] {
        xls(what, &[looks(0, 0), own.clone(), names].concat(), &sheet);
    }
}

#[test]
fn rules_texts_and_drawings_of_an_xls_may_be_out_of_all_bounds() {
    let ranges = [
        &shorts(&[1, 0, 0, 0xffff, 0, 0xff, 1])[..],
        &shorts(&[0, 0xffff, 0, 0xff]),
    ]
    .concat();
    let begin = short(0x879, &[&[0; 12][..], &ranges].concat());
    let limit = |number: f64| [&[1, 0, 0][..], &number.to_le_bytes()].concat();
    let bar = [
        &[0, 0, 0, 2, 255, 255, 2, 0, 0, 0, 1, 2, 3, 255][..],
        &f64::NAN.to_le_bytes(),
    ];
    let limits = [limit(f64::NEG_INFINITY), limit(f64::INFINITY)].concat();
    let head = [
        &[0; 12][..],
        &[4, 0, 0, 0, 0, 0],
        &[0; 6],
        &[0, 0, 1, 255, 255, 3, 0, 16],
        &[0; 16],
    ];
    let rule = short(
        0x87a,
        &[&head.concat()[..], &bar.concat(), &limits].concat(),
    );
    let rules = [
        &begin[..],
        &rule,
        &short(0x87b, &[255; 60]),
        &short(0x87a, &[255; 90]),
    ]
    .concat();
    // The text of a formula, divided into several records.
    let mut formula = shorts(&[0, 9, 16]);
    formula.extend([
        0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0, 3, 0, 0x1e, 1, 0,
    ]);
    let piece = [&[0][..], &[b'x'; 8000]].concat();
    let text = [
        short(0x06, &formula),
        short(0x207, &[&shorts(&[32_767])[..], &piece].concat()),
        vec![short(0x3c, &piece); 4].concat(),
    ]
    .concat();
    let art = |kind: u16, version: u16, content: &[u8]| {
        [
            &shorts(&[version, kind])[..],
            &longs(&[content.len() as u32]),
            content,
        ]
        .concat()
    };
    let shape = |anchor: &[u16]| {
        let parts = [
            art(0xf00a, 0x12, &[0; 8]),
            art(0xf010, 0, &shorts(anchor)),
            art(0xf011, 0, &[]),
        ];
        art(0xf004, 15, &parts.concat())
    };
    let shapes = [
        art(0xf004, 15, &[]),
        shape(&[
            0, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
        ]),
        shape(&[0, 300, 0, 5, 0, 2, 0, 1, 0]),
    ];
    let drawing = art(0xf002, 15, &art(0xf003, 15, &shapes.concat()));
    let object = short(0x5d, &shorts(&[0x15, 0x12, 8, 1, 0, 0, 0, 0, 0, 0, 0]));
    let drawings = [&short(0xec, &drawing)[..], &object, &object].concat();
    let sheet = [numbers(), rules, text, drawings].concat();
    xls("rules, texts and drawings", &looks(0, 0), &sheet);
}

/// A record of an xlsb file.
fn long(kind: u16, content: &[u8]) -> Vec<u8> {
    let mut record = match kind {
        0..128 => vec![kind as u8],
        _ => vec![kind as u8 | 0x80, (kind >> 7) as u8],
    };
    let mut len = content.len();
    while len >= 128 {
        record.push(len as u8 | 0x80);
        len >>= 7;
    }
    record.push(len as u8);
    record.extend(content);
    record
}

/// A string of an xlsb file.
fn words(text: &str) -> Vec<u8> {
    let units: Vec<u16> = text.encode_utf16().collect();
    [longs(&[units.len() as u32]), shorts(&units)].concat()
}

/// Converts an xlsb with these styles, records after its list of sheets, and a sheet.
fn xlsb(what: &str, styles: &[u8], names: &[u8], sheet: &[u8]) {
    let to = |kind: &str, target: &str, id: u32| {
        format!("<Relationship Id='r{id}' Type='x/{kind}' Target='{target}'/>")
    };
    let references = [to("worksheet", "s.bin", 1), to("styles", "st.bin", 2)].concat();
    let named = long(156, &[&[0; 8][..], &words("r1"), &words("A")].concat());
    let file = Zip::default()
        .add("[Content_Types].xml", b"<Types/>")
        .add("xl/workbook.bin", &[&named[..], names].concat())
        .add(
            "xl/_rels/workbook.bin.rels",
            format!("{RELATIONS}{references}</Relationships>").as_bytes(),
        )
        .add("xl/st.bin", styles)
        .add("xl/s.bin", sheet)
        .finish();
    check(what, "a.xlsb", &file);
}

/// A row with [`NUMBERS`], whose cells have the second style.
fn row() -> Vec<u8> {
    let height = shorts(&[0xffff]);
    let begin = long(0, &[&longs(&[0, 0])[..], &height, &[0; 15]].concat());
    let cells = (0..).zip(NUMBERS).map(|(column, number): (u32, f64)| {
        long(
            5,
            &[&longs(&[column, 1])[..], &number.to_le_bytes()].concat(),
        )
    });
    let text = [&longs(&[9, 1])[..], &words(&"x".repeat(32_767)), &[0, 0]].concat();
    let tokens = [&longs(&[3])[..], &[0x1e, 1, 0], &longs(&[0])].concat();
    [
        begin,
        cells.collect::<Vec<_>>().concat(),
        long(8, &[text, tokens].concat()),
    ]
    .concat()
}

/// The cell formats that cells refer to: a default one, and one with these numbers.
fn combinations(font: u16, format: u16, others: u16) -> Vec<u8> {
    let one = |font, format, others| {
        let parts = shorts(&[0, format, font, others, others]);
        long(47, &[&parts[..], &[0; 6]].concat())
    };
    [
        long(617, &[]),
        one(0, 0, 0),
        one(font, format, others),
        long(618, &[]),
    ]
    .concat()
}

#[test]
fn an_xlsb_may_be_out_of_all_bounds() {
    let code = "0.0\"a\";".repeat(10_000);
    let format = long(44, &[shorts(&[164]), words(&code)].concat());
    xlsb(
        "sections",
        &[format, combinations(0, 164, 0)].concat(),
        &[],
        &row(),
    );
    xlsb("dates", &combinations(0, 22, 0), &[], &row());
    xlsb(
        "styles of nothing",
        &combinations(60_000, 60_000, 60_000),
        &[],
        &row(),
    );
    let font = long(43, &[&[255; 21][..], &words("F")].concat());
    let fonts = [vec![font; 64_000].concat(), combinations(63_999, 0, 0)].concat();
    xlsb("fonts", &fonts, &[], &row());
    let range = |all: [u32; 4]| long(176, &longs(&all));
    let merged = [
        range([0, 1_048_575, 0, 16_383]),
        range([0, 1, 0, 1]),
        range([0, 8, 1, 2]),
        range([9, 1, 2, 1]),
    ];
    let widths = long(
        60,
        &[longs(&[0, 16_383, u32::MAX, 0]), shorts(&[0])].concat(),
    );
    let usual = long(485, &[255; 12]);
    let margins = long(
        476,
        &[f64::NAN, 1e9, -1.0, f64::INFINITY, 9.0, 9.0]
            .map(f64::to_le_bytes)
            .concat(),
    );
    let page = long(478, &[255; 40]);
    let sizes = [usual, widths, row(), merged.concat(), margins, page].concat();
    xlsb("sizes", &combinations(0, 0, 0), &[], &sizes);
    // Names for a print area and for repeated rows, on the sheet that an external reference of the workbook leads to.
    let own = [long(357, &[]), long(362, &longs(&[1, 0, 0, 0]))].concat();
    for (name, area) in [
        (
            "_xlnm.Print_Area",
            [1_048_575, 1_048_575, 16_383 << 16 | 16_383],
        ),
        ("_xlnm.Print_Area", [0, 1_048_575, 16_383 << 16]),
        ("_xlnm.Print_Titles", [0, 1_048_575, 16_383 << 16]),
    ] {
        let tokens = [&[0x3b, 0, 0][..], &longs(&area)].concat();
        let head = [&longs(&[0x20])[..], &[0], &longs(&[0])].concat();
        let formula = [&longs(&[tokens.len() as u32])[..], &tokens, &longs(&[0])].concat();
        let named = long(39, &[head, words(name), formula].concat());
        xlsb(
            name,
            &combinations(0, 0, 0),
            &[own.clone(), named].concat(),
            &sizes,
        );
    }
    let limit = |number: f64| {
        long(
            471,
            &[&longs(&[1])[..], &number.to_le_bytes(), &longs(&[1, 1, 0])].concat(),
        )
    };
    let colour = long(564, &[5, 0, 0, 0, 1, 2, 3, 255]);
    let bar = [
        long(461, &longs(&[1, 0, 1, 0, 1_048_575, 0, 16_383])),
        long(
            463,
            &[
                longs(&[4, 3, u32::MAX, 1, 0, 0, 0]),
                vec![0; 14],
                longs(&[u32::MAX]),
            ]
            .concat(),
        ),
        [
            long(467, &[255, 255, 1]),
            limit(f64::NEG_INFINITY),
            limit(f64::INFINITY),
        ]
        .concat(),
        [colour, long(468, &[]), long(464, &[]), long(462, &[])].concat(),
        [limit(-1e308), limit(1e308)].concat(),
    ];
    xlsb(
        "rules",
        &combinations(0, 0, 0),
        &[],
        &[row(), bar.concat()].concat(),
    );
}

#[test]
fn a_sheet_of_an_xls_may_be_a_chart() {
    let end = short(0x0a, &[]);
    let sheet = [begin(0x10), number(0, 1.0), end.clone()].concat();
    let named = |place: usize, kind: u8, name: u8| {
        short(
            0x85,
            &[&longs(&[place as u32])[..], &[0, kind, 1, 0, name]].concat(),
        )
    };
    let series = shorts(&[1, 1, 1, 1, 1, 0]);
    let group = [&[0; 16][..], &shorts(&[0, 0])].concat();
    let chart = [
        begin(0x20),
        short(0x14, &[]),
        short(0x1003, &series),
        short(0x1033, &[]),
        short(0x1034, &[]),
        short(0x1014, &group),
        short(0x1033, &[]),
        short(0x1017, &shorts(&[0, 100, 0])),
        short(0x1034, &[]),
        end.clone(),
    ]
    .concat();
    let globals = [begin(5), looks(0, 0)].concat();
    let place = globals.len() + 2 * named(0, 0, b'A').len() + end.len();
    let names = [named(place, 0, b'A'), named(place + sheet.len(), 2, b'C')].concat();
    let file = compound([globals, names, end, sheet, chart].concat());
    // The series of the chart has no values, and a note names the sheet.
    let (_, notes) = convert_with("a.xls", &file, "pdf", &[]).unwrap();
    assert!(notes.0[0].contains("on the sheet \"C\""), "{notes:?}");
    let refused = convert_with("a.xls", &file, "csv", &[("sheet", "C")]).unwrap_err();
    assert!(
        refused.message().contains("a chart"),
        "{}",
        refused.message()
    );
}
