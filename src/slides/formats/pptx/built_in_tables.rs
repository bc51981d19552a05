//! PowerPoint's 74 built-in table styles. Files only name them by identifier, because every program is expected to know
//! them. Each of eleven families has a variant in black and up to six in the accent colours of the theme. Reads no
//! tables. Backgrounds of whole tables, and gaps of double lines, are left out.

use super::{
    styles::RunStyle,
    table_style::{PartStyle, TableStyle},
};
use convertd_office::drawing::{Colour, FillStyle, LineStyle};

/// Width of ordinary lines, in English Metric Units.
const THIN: i64 = 12_700;
/// Width of thick edges, in English Metric Units.
const THICK: i64 = 25_400;
/// Width of double lines with their gap, in English Metric Units.
const DOUBLE: i64 = 50_800;

/// Edges of a part of a table: left, top, right and bottom, between columns, and between rows.
type Sides = [bool; 6];

const ALL: Sides = [true; 6];
const AROUND: Sides = [true, true, true, true, false, false];
const NONE: Sides = [false; 6];
const LEFT: Sides = [true, false, false, false, false, false];
const TOP: Sides = [false, true, false, false, false, false];
const RIGHT: Sides = [false, false, true, false, false, false];
const BOTTOM: Sides = [false, false, false, true, false, false];
const ABOVE_AND_BELOW: Sides = [false, true, false, true, false, false];
const BESIDE: Sides = [true, false, true, false, false, false];

/// Builds the style of a family in a colour of the theme.
type Family = fn(&str) -> TableStyle;

/// Families with the identifiers of their variants: in black, and in the six accents.
static FAMILIES: [(Family, [&str; 7]); 10] = [
    (
        themed_1,
        [
            "2D5ABB26-0587-4C30-8999-92F81FD0307C",
            "3C2FFA5D-87B4-456A-9821-1D502468CF0F",
            "284E427A-3D55-4303-BF80-6455036E1DE7",
            "69C7853C-536D-4A76-A0AE-DD22124D55A5",
            "775DCB02-9BB8-47FD-8907-85C794F793BA",
            "35758FB7-9AC5-4552-8A53-C91805E547FA",
            "08FB837D-C827-4EFA-A057-4D05807E0F7C",
        ],
    ),
    (
        themed_2,
        [
            "5940675A-B579-460E-94D1-54222C63F5DA",
            "D113A9D2-9D6B-4929-AA2D-F23B5EE8CBE7",
            "18603FDC-E32A-4AB5-989C-0864C3EAD2B8",
            "306799F8-075E-4A3A-A7F6-7FBC6576F1A4",
            "E269D01E-BC32-4049-B463-5C60D7B0CCD2",
            "327F97BB-C833-4FB7-BDE5-3F7075034690",
            "638B1855-1B75-4FBE-930C-398BA8C253C6",
        ],
    ),
    (
        light_1,
        [
            "9D7B26C5-4107-4FEC-AEDC-1716B250A1EF",
            "3B4B98B0-60AC-42C2-AFA5-B58CD77FA1E5",
            "0E3FDE45-AF77-4B5C-9715-49D594BDF05E",
            "C083E6E3-FA7D-4D7B-A595-EF9225AFEA82",
            "D27102A9-8310-4765-A935-A1911B00CA55",
            "5FD0F851-EC5A-4D38-B0AD-8093EC10F338",
            "68D230F3-CF80-4859-8CE7-A43EE81993B5",
        ],
    ),
    (
        light_2,
        [
            "7E9639D4-E3E2-4D34-9284-5A2195B3D0D7",
            "69012ECD-51FC-41F1-AA8D-1B2483CD663E",
            "72833802-FEF1-4C79-8D5D-14CF1EAF98D9",
            "F2DE63D5-997A-4646-A377-4702673A728D",
            "17292A2E-F333-43FB-9621-5CBBE7FDCDCB",
            "5A111915-BE36-4E01-A7E5-04B1672EAD32",
            "912C8C85-51F0-491E-9774-3900AFEF0FD7",
        ],
    ),
    (
        light_3,
        [
            "616DA210-FB5B-4158-B5E0-FEB733F419BA",
            "BC89EF96-8CEA-46FF-86C4-4CE0E7609802",
            "5DA37D80-6434-44D0-A028-1B22A696006F",
            "8799B23B-EC83-4686-B30A-512413B5E67A",
            "ED083AE6-46FA-4A59-8FB0-9F97EB10719F",
            "BDBED569-4797-4DF1-A0F4-6AAB3CD982D8",
            "E8B1032C-EA38-4F05-BA0D-38AFFFC7BED3",
        ],
    ),
    (
        medium_1,
        [
            "793D81CF-94F2-401A-BA57-92F5A7B2D0C5",
            "B301B821-A1FF-4177-AEE7-76D212191A09",
            "9DCAF9ED-07DC-4A11-8D7F-57B35C25682E",
            "1FECB4D8-DB02-4DC6-A0A2-4F2EBAE1DC90",
            "1E171933-4619-4E11-9A3F-F7608DF75F80",
            "FABFCF23-3B69-468F-B69F-88F6DE6A72F2",
            "10A1B5D5-9B99-4C35-A422-299274C87663",
        ],
    ),
    (
        medium_2,
        [
            "073A0DAA-6AF3-43AB-8588-CEC1D06C72B9",
            "5C22544A-7EE6-4342-B048-85BDC9FD1C3A",
            "21E4AEA4-8DFA-4A89-87EB-49C32662AFE0",
            "F5AB1C69-6EDB-4FF4-983F-18BD219EF322",
            "00A15C55-8517-42AA-B614-E9B94910E393",
            "7DF18680-E054-41AD-8BC1-D1AEF772440D",
            "93296810-A885-4BE3-A3E7-6D5BEEA58F35",
        ],
    ),
    (
        medium_3,
        [
            "8EC20E35-A176-4012-BC5E-935CFFF8708E",
            "6E25E649-3F16-4E02-A733-19D2CDBF48F0",
            "85BE263C-DBD7-4A20-BB59-AAB30ACAA65A",
            "EB344D84-9AFB-497E-A393-DC336BA19D2E",
            "EB9631B5-78F2-41C9-869B-9F39066F8104",
            "74C1A8A3-306A-4EB7-A6B1-4F7E0EB9C5D6",
            "2A488322-F2BA-4B5B-9748-0D474271808F",
        ],
    ),
    (
        medium_4,
        [
            "D7AC3CCA-C797-4891-BE02-D94E43425B78",
            "69CF1AB2-1976-4502-BF36-3FF5EA218861",
            "8A107856-5554-42FB-B03E-39F5DBC370BA",
            "0505E3EF-67EA-436B-97B2-0124C06EBD24",
            "C4B1156A-380E-4F78-BDF5-A606A8083BF9",
            "22838BEF-8BB2-4498-84A7-C5851F593DF1",
            "16D9F66E-5EB9-4882-86FB-DCBF35E3C3E4",
        ],
    ),
    (
        dark_1,
        [
            "E8034E78-7F5D-4C2E-B375-FC64B27BC917",
            "125E5076-3810-47DD-B79F-674D7AD40C01",
            "37CE84F3-28C3-443E-9E96-99CF82512B78",
            "D03447BB-5D67-496B-8E87-E561075AD55C",
            "E929F9F4-4A8F-4326-A1B4-22849713DDAB",
            "8FD4443E-F989-4FC4-A0C8-D5A2AF1F390B",
            "AF606853-7671-496A-8E4F-DF71F8EC918B",
        ],
    ),
];

/// Variants of Dark Style 2, with the colours of their cells and of their first row.
static DARK_2: [(&str, &str, &str); 4] = [
    ("5202B0CA-FC54-4496-8BCA-5EF66A818D29", "dk1", "dk1"),
    ("0660B408-B3CF-4A94-85FC-2B1E0A45F4A2", "accent1", "accent2"),
    ("91EBBBCC-DAD2-459C-BE2E-F6DE35CF9A28", "accent3", "accent4"),
    ("46F890A9-2807-4EBB-B81D-B2AA78EC7F39", "accent5", "accent6"),
];

/// Returns the built-in style with this identifier. Unknown identifiers get Medium Style 2 in the first accent, the
/// style of new tables.
pub(super) fn get(id: &str) -> TableStyle {
    let id = id.trim_start_matches('{').trim_end_matches('}');
    let has_id = |known: &&str| known.eq_ignore_ascii_case(id);
    if let Some((_, cells, head)) = DARK_2.iter().find(|(known, ..)| has_id(known)) {
        return dark_2(cells, head);
    }
    for (family, variants) in &FAMILIES {
        if let Some(accent) = variants.iter().position(has_id) {
            return family(COLOURS[accent]);
        }
    }
    medium_2("accent1")
}

/// Colours of the variants.
const COLOURS: [&str; 7] = [
    "dk1", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6",
];

fn solid(colour: Colour) -> Option<FillStyle> {
    Some(FillStyle::Solid(colour))
}

fn plain(name: &str) -> Option<FillStyle> {
    solid(Colour::tinted(name, None))
}

fn tinted(name: &str, tint: f64) -> Option<FillStyle> {
    solid(Colour::tinted(name, Some(tint)))
}

/// A part with this fill, lines of one colour and width at these sides, and a colour of the text.
fn part(
    fill: Option<FillStyle>,
    (sides, width, line): (Sides, i64, &str),
    text: Option<&str>,
) -> PartStyle {
    PartStyle {
        fill,
        lines: sides.map(|is_drawn| {
            is_drawn.then(|| LineStyle {
                width: Some(width),
                fill: plain(line),
                ..LineStyle::default()
            })
        }),
        letters: RunStyle {
            colour: text.map(|name| Some(Colour::tinted(name, None))),
            ..RunStyle::default()
        },
    }
}

/// A part with bold text.
fn bold(fill: Option<FillStyle>, line: (Sides, i64, &str), text: Option<&str>) -> PartStyle {
    let mut part = part(fill, line, text);
    part.letters.bold = Some(true);
    part
}

/// The two bands of a banded table: the first has this fill, the second has none.
fn bands(fill: Option<FillStyle>) -> [PartStyle; 2] {
    [part(fill, (NONE, 0, ""), None), PartStyle::default()]
}

/// A part whose only property is bold text.
fn strong() -> PartStyle {
    bold(None, (NONE, 0, ""), None)
}

/// Themed Style 1 in an accent colour. The black variant of this family is the style "No Style, No Grid".
fn themed_1(colour: &str) -> TableStyle {
    if colour == "dk1" {
        return TableStyle::default();
    }
    let fill = solid(Colour::translucent(colour, 0.4));
    TableStyle {
        whole: part(None, (ALL, THIN, colour), Some("dk1")),
        rows: bands(fill.clone()),
        columns: bands(fill),
        first_column: strong(),
        last_column: strong(),
        first_row: bold(plain(colour), (BOTTOM, THICK, "lt1"), Some("lt1")),
        last_row: bold(None, (ABOVE_AND_BELOW, THICK, colour), None),
    }
}

/// Themed Style 2 in an accent colour. The black variant of this family is the style "No Style, Table Grid".
fn themed_2(colour: &str) -> TableStyle {
    if colour == "dk1" {
        return TableStyle {
            whole: part(None, (ALL, THIN, "tx1"), None),
            ..TableStyle::default()
        };
    }
    let white = |sides| (sides, THIN, "lt1");
    TableStyle {
        whole: part(plain(colour), (AROUND, THIN, colour), Some("lt1")),
        rows: bands(tinted(colour, 0.8)),
        columns: bands(tinted(colour, 0.8)),
        first_column: bold(None, white(RIGHT), None),
        last_column: bold(None, white(LEFT), None),
        first_row: bold(None, white(BOTTOM), None),
        last_row: bold(None, white(TOP), None),
    }
}

fn light_1(colour: &str) -> TableStyle {
    let fill = solid(Colour::translucent(colour, 0.2));
    TableStyle {
        whole: part(None, (ABOVE_AND_BELOW, THIN, colour), Some("tx1")),
        rows: bands(fill.clone()),
        columns: bands(fill),
        first_column: strong(),
        last_column: strong(),
        first_row: bold(None, (BOTTOM, THIN, colour), None),
        last_row: bold(None, (TOP, THIN, colour), None),
    }
}

fn light_2(colour: &str) -> TableStyle {
    let beside = || part(None, (BESIDE, THIN, colour), None);
    TableStyle {
        whole: part(None, (AROUND, THIN, colour), Some("tx1")),
        rows: [
            part(None, (ABOVE_AND_BELOW, THIN, colour), None),
            PartStyle::default(),
        ],
        columns: [beside(), beside()],
        first_column: strong(),
        last_column: strong(),
        first_row: bold(plain(colour), (NONE, 0, ""), Some("bg1")),
        last_row: bold(None, (TOP, DOUBLE, colour), None),
    }
}

fn light_3(colour: &str) -> TableStyle {
    let fill = solid(Colour::translucent(colour, 0.2));
    TableStyle {
        whole: part(None, (ALL, THIN, colour), Some("tx1")),
        rows: bands(fill.clone()),
        columns: bands(fill),
        first_column: strong(),
        last_column: strong(),
        first_row: bold(None, (BOTTOM, THICK, colour), Some(colour)),
        last_row: bold(None, (TOP, DOUBLE, colour), None),
    }
}

fn medium_1(colour: &str) -> TableStyle {
    const LINES: Sides = [true, true, true, true, false, true];
    TableStyle {
        whole: part(plain("lt1"), (LINES, THIN, colour), Some("dk1")),
        rows: bands(tinted(colour, 0.2)),
        columns: bands(tinted(colour, 0.2)),
        first_column: strong(),
        last_column: strong(),
        first_row: bold(plain(colour), (NONE, 0, ""), Some("lt1")),
        last_row: bold(plain("lt1"), (TOP, DOUBLE, colour), None),
    }
}

fn medium_2(colour: &str) -> TableStyle {
    let edge_column = || bold(plain(colour), (NONE, 0, ""), Some("lt1"));
    TableStyle {
        whole: part(tinted(colour, 0.2), (ALL, THIN, "lt1"), Some("dk1")),
        rows: bands(tinted(colour, 0.4)),
        columns: bands(tinted(colour, 0.4)),
        first_column: edge_column(),
        last_column: edge_column(),
        first_row: bold(plain(colour), (BOTTOM, 38_100, "lt1"), Some("lt1")),
        last_row: bold(plain(colour), (TOP, 38_100, "lt1"), Some("lt1")),
    }
}

fn medium_3(colour: &str) -> TableStyle {
    let edge_column = || bold(plain(colour), (NONE, 0, ""), Some("lt1"));
    TableStyle {
        whole: part(plain("lt1"), (ABOVE_AND_BELOW, THICK, "dk1"), Some("dk1")),
        rows: bands(tinted("dk1", 0.2)),
        columns: bands(tinted("dk1", 0.2)),
        first_column: edge_column(),
        last_column: edge_column(),
        first_row: bold(plain(colour), (BOTTOM, THICK, "dk1"), Some("lt1")),
        last_row: bold(plain("lt1"), (TOP, DOUBLE, "dk1"), None),
    }
}

fn medium_4(colour: &str) -> TableStyle {
    TableStyle {
        whole: part(tinted(colour, 0.2), (ALL, THIN, colour), Some("dk1")),
        rows: bands(tinted(colour, 0.4)),
        columns: bands(tinted(colour, 0.4)),
        first_column: strong(),
        last_column: strong(),
        first_row: bold(tinted(colour, 0.2), (NONE, 0, ""), Some(colour)),
        last_row: bold(tinted(colour, 0.2), (TOP, THICK, colour), None),
    }
}

fn dark_1(colour: &str) -> TableStyle {
    // The variant in black uses tints of its colour, which are lighter; the other variants use shades, which are
    // darker.
    let is_black = colour == "dk1";
    let [cells, band, edge_fill, last] = match is_black {
        true => [0.2, 0.4, 0.6, 0.6].map(|tint| tinted(colour, tint)),
        false => [
            plain(colour),
            solid(Colour::shaded(colour, 0.6)),
            solid(Colour::shaded(colour, 0.6)),
            solid(Colour::shaded(colour, 0.4)),
        ],
    };
    let text = Some(if is_black { "dk1" } else { "lt1" });
    let white = |sides| (sides, THICK, "lt1");
    TableStyle {
        whole: part(cells, (NONE, 0, ""), text),
        rows: bands(band.clone()),
        columns: bands(band),
        first_column: bold(edge_fill.clone(), white(RIGHT), Some("lt1")),
        last_column: bold(edge_fill, white(LEFT), Some("lt1")),
        first_row: bold(plain("dk1"), white(BOTTOM), Some("lt1")),
        last_row: bold(last, white(TOP), Some("lt1")),
    }
}

fn dark_2(colour: &str, head: &str) -> TableStyle {
    TableStyle {
        whole: part(tinted(colour, 0.2), (NONE, 0, ""), Some("dk1")),
        rows: bands(tinted(colour, 0.4)),
        columns: bands(tinted(colour, 0.4)),
        first_column: strong(),
        last_column: strong(),
        first_row: bold(plain(head), (NONE, 0, ""), Some("lt1")),
        last_row: bold(tinted(colour, 0.2), (TOP, DOUBLE, "dk1"), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use convertd_office::drawing::Palette;

    /// Checks the fills of a cell in the first row and of a cell below it, and the colour of the text.
    #[track_caller]
    fn check(id: &str, head: Option<&str>, cell: Option<&str>, text: &str) {
        let palette = Palette::default();
        let style = get(id);
        let shown = |fill: &Option<FillStyle>| match fill {
            Some(FillStyle::Solid(colour)) => Some(colour.clone()),
            _ => None,
        };
        let hex = |colour: Colour| colour.resolve(&palette, None).hex();
        let expected = |name: &str| hex(Colour::tinted(name, None));
        assert_eq!(
            shown(&style.first_row.fill).map(hex),
            head.map(expected),
            "{id}: head"
        );
        assert_eq!(
            shown(&style.whole.fill).map(hex),
            cell.map(expected),
            "{id}: cell"
        );
        let letters = style.whole.letters.colour.flatten();
        assert_eq!(letters.map(hex), Some(expected(text)), "{id}: text");
    }

    #[test]
    fn every_family_has_its_own_fills() {
        let braced = |id: &str| format!("{{{id}}}");
        let variant = |nth: usize, accent: usize| braced(FAMILIES[nth].1[accent]);
        check(&variant(0, 1), Some("accent1"), None, "dk1");
        check(&variant(1, 2), None, Some("accent2"), "lt1");
        check(&variant(2, 3), None, None, "tx1");
        check(&variant(3, 6), Some("accent6"), None, "tx1");
        check(&variant(4, 0), None, None, "tx1");
        check(&variant(5, 5), Some("accent5"), Some("lt1"), "dk1");
        check(&variant(7, 4), Some("accent4"), Some("lt1"), "dk1");
        check(&variant(9, 2), Some("dk1"), Some("accent2"), "lt1");
        let no_style = get("{2d5abb26-0587-4c30-8999-92f81fd0307c}");
        assert!(no_style.whole.fill.is_none() && no_style.whole.lines[0].is_none());
    }

    #[test]
    fn seventy_four_styles_have_identifiers_of_their_own() {
        let families = FAMILIES.iter().flat_map(|(_, variants)| *variants);
        let mut all: Vec<&str> = families.chain(DARK_2.map(|(id, ..)| id)).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 74);
        assert!(all.iter().all(|id| id.len() == 36));
    }
}
