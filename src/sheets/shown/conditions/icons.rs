//! Icon sets (ECMA-376 part 1, 18.18.42), with a character in place of each image. The characters are in all usual
//! fonts.

use crate::shown::book::Icon;
use convertd_tree::Colour;

const RED: Colour = Colour(0xd6, 0x4a, 0x3f);
const AMBER: Colour = Colour(0xe8, 0xa3, 0x3d);
const GREEN: Colour = Colour(0x4e, 0xa7, 0x5c);
const GREY: Colour = Colour(0x7f, 0x7f, 0x7f);

/// Icons of a set, from the lowest value to the highest. Unknown sets become coloured circles.
pub(crate) fn icons(name: &str, count: usize) -> Vec<Icon> {
    let grey = name.contains("Gray") || name == "5Quarters" || name.ends_with("Rating");
    let shapes: &[char] = match name {
        "3Arrows" | "3ArrowsGray" | "3Triangles" => &['▼', '►', '▲'],
        "4Arrows" | "4ArrowsGray" => &['▼', '►', '►', '▲'],
        "5Arrows" | "5ArrowsGray" => &['▼', '▼', '►', '▲', '▲'],
        "3Symbols" | "3Symbols2" => &['×', '!', '√'],
        _ => &['●'],
    };
    let colours: &[Colour] = match count {
        _ if grey => &[GREY],
        0..=3 => &[RED, AMBER, GREEN],
        4 => &[RED, AMBER, AMBER, GREEN],
        _ => &[RED, AMBER, AMBER, GREEN, GREEN],
    };
    let nth = |at: usize, all: usize| at.min(all - 1);
    (0..count)
        .map(|at| Icon {
            shape: shapes[nth(at, shapes.len())],
            colour: colours[nth(at, colours.len())],
        })
        .collect()
}
