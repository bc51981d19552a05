//! Vertical writing: columns from top to bottom and from right to left, by fonts with a vertical writing mode and by
//! letters of a horizontal font that are placed below one another.

use crate::{
    harness::{convert, convert_with},
    make,
};
use std::fmt::Write as _;

/// Three columns of a novel, with punctuation.
const COLUMNS: [&str; 3] = [
    "吾輩は猫である。名前はまだ無い。",
    "どこで生れたかとんと見当がつかぬ。",
    "何でも薄暗い所で泣いていた。",
];

/// Hexadecimal text in UTF-16.
fn hex(text: &str) -> String {
    text.encode_utf16()
        .map(|unit| format!("{unit:04x}"))
        .collect()
}

/// A file of one page with this content. Font `/J` has the codes of UTF-16, and is not embedded.
fn file(encoding: &str, content: &str) -> Vec<u8> {
    let mut map = String::from(
        "/CIDInit /ProcSet findresource begin begincmap /CMapName /U def 1 begincodespacerange <0000> <ffff> endcodespacerange\n",
    );
    for high in (0x00..=0x00).chain(0x30..=0x9f).chain(0xac..=0xd7) {
        writeln!(
            map,
            "1 beginbfrange <{high:02x}00> <{high:02x}ff> <{high:02x}00> endbfrange"
        )
        .unwrap();
    }
    map.push_str("endcmap end");
    let mut file = make::File::new();
    file.object("<< /Type /Catalog /Pages 2 0 R >>");
    file.object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
    file.object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 600] /Contents 4 0 R /Resources << /Font << /J 5 0 R /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>");
    file.stream("", content);
    file.object(format!("<< /Type /Font /Subtype /Type0 /BaseFont /Test /Encoding /{encoding} /DescendantFonts [6 0 R] /ToUnicode 8 0 R >>"));
    file.object("<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Test /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 7 0 R /DW 1000 >>");
    file.object("<< /Type /FontDescriptor /FontName /Test /Flags 4 /FontBBox [0 -120 1000 880] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >>");
    file.stream("", map);
    file.finish()
}

/// Letters below one another, from this place on, as programs without vertical fonts draw them.
fn column(text: &str, size: f32, (x, mut y): (f32, f32)) -> String {
    let mut content = String::new();
    for letter in text.chars() {
        let code = hex(&letter.to_string());
        writeln!(content, "BT /J {size} Tf 1 0 0 1 {x} {y} Tm <{code}> Tj ET").unwrap();
        y -= size;
    }
    content
}

fn text(bytes: &[u8], to: &str) -> String {
    let found = convert("a.pdf", bytes, to).unwrap_or_else(|err| panic!("{}", err.message()));
    String::from_utf8(found).unwrap()
}

/// Checks that the columns are lines of the text, in their order.
#[track_caller]
fn check(bytes: &[u8], columns: &[&str]) {
    let found = text(bytes, "txt");
    let lines: Vec<&str> = found.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines, columns);
    // A paragraph has no spaces where its lines end.
    let paragraph = text(bytes, "md");
    let joined: String = paragraph.split_whitespace().collect();
    assert_eq!(joined, columns.concat());
}

#[test]
fn columns_in_vertical_fonts_become_lines() {
    let mut content = String::new();
    for (at, column) in COLUMNS.iter().enumerate() {
        let x = 350 - 20 * at;
        writeln!(
            content,
            "BT /J 12 Tf 1 0 0 1 {x} 550 Tm <{}> Tj ET",
            hex(column)
        )
        .unwrap();
    }
    check(&file("Identity-V", &content), &COLUMNS);
}

#[test]
fn stacked_characters_form_columns() {
    let places = (0..).map(|at| (340.0 - 20.0 * at as f32, 550.0));
    let columns = COLUMNS.iter().zip(places);
    let content: String = columns
        .map(|(text, place)| column(text, 12.0, place))
        .collect();
    check(&file("Identity-H", &content), &COLUMNS);
}

#[test]
fn digits_stay_in_their_column() {
    // Two digits side by side, and a year that is turned by 90 degrees.
    let mut content = column("平成", 12.0, (340.0, 550.0));
    content += "BT /F 11 Tf 1 0 0 1 339.9 526 Tm (12) Tj ET\n";
    content += &column("年の春に生れた猫", 12.0, (340.0, 514.0));
    content += &column("西暦", 12.0, (320.0, 550.0));
    content += "BT /F 12 Tf 0 -1 1 0 322.0 536.5 Tm (2026) Tj ET\n";
    content += &column("年の秋に死んだ猫", 12.0, (320.0, 500.0));
    check(
        &file("Identity-H", &content),
        &["平成12年の春に生れた猫", "西暦2026年の秋に死んだ猫"],
    );
}

#[test]
fn ruby_readings_are_left_out_of_the_lines() {
    // A reading right of a column.
    let mut content = column("この書生というのは我々を", 12.0, (340.0, 550.0));
    content += &column("しょせい", 6.0, (352.5, 532.0));
    content += &column("捕えて煮て食うという話", 12.0, (315.0, 550.0));
    let vertical = file("Identity-H", &content);
    check(
        &vertical,
        &["この書生というのは我々を", "捕えて煮て食うという話"],
    );
    let (_, notes) = convert_with("a.pdf", &vertical, "txt", "medium", &[]).unwrap();
    let note = "Readings above or beside characters (furigana) were left out: 1.";
    assert!(notes.0.iter().any(|said| said == note), "{notes:?}");
    // A reading above a line.
    let mut content = String::from("BT /J 6 Tf 1 0 0 1 62 561.5 Tm ");
    writeln!(content, "<{}> Tj ET", hex("しょせい")).unwrap();
    for (text, y) in [
        ("の書生というのは我々を", 550),
        ("捕えて煮て食うという話", 530),
    ] {
        writeln!(
            content,
            "BT /J 12 Tf 1 0 0 1 50 {y} Tm <{}> Tj ET",
            hex(text)
        )
        .unwrap();
    }
    check(
        &file("Identity-H", &content),
        &["の書生というのは我々を", "捕えて煮て食うという話"],
    );
}

#[test]
fn lines_and_tables_stay_horizontal() {
    let line = |text: &str, x: u32, y: u32| {
        format!("BT /J 12 Tf 1 0 0 1 {x} {y} Tm <{}> Tj ET\n", hex(text))
    };
    let lines = [line(COLUMNS[0], 50, 550), line(COLUMNS[1], 50, 530)].concat();
    let found = text(&file("Identity-H", &lines), "txt");
    assert_eq!(found.trim_end(), format!("{}\n{}", COLUMNS[0], COLUMNS[1]));
    // Marks of a column that is drawn first.
    let mut table = String::new();
    for (at, mark) in ["男", "女", "男", "女", "女", "男"].iter().enumerate() {
        table += &line(mark, 50, 550 - 16 * at as u32);
    }
    for (at, name) in [
        "山田太郎",
        "鈴木花子",
        "田中一郎",
        "高橋恵子",
        "伊藤幸子",
        "渡辺健一",
    ]
    .iter()
    .enumerate()
    {
        table += &line(name, 120, 550 - 16 * at as u32);
    }
    let found = text(&file("Identity-H", &table), "txt");
    assert!(found.lines().next().unwrap().starts_with('男'), "{found}");
    assert!(found.contains("山田太郎"), "{found}");
}
