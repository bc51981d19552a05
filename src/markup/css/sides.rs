//! Mapping of flow-relative property names to physical ones (CSS Logical Properties 1, 4). Parses
//! no values.

use super::style::Writing;

/// All writing modes with directions (`true` for right to left) except horizontal left-to-right, in which flow-relative
/// names need no mapping.
pub(super) fn others() -> impl Iterator<Item = (Writing, bool)> {
    let ways = [
        Writing::Horizontal,
        Writing::VerticalRl,
        Writing::VerticalLr,
        Writing::SidewaysRl,
        Writing::SidewaysLr,
    ];
    let both = ways
        .into_iter()
        .flat_map(|writing| [(writing, false), (writing, true)]);
    // The first one is horizontal left-to-right.
    both.skip(1)
}

/// Physical sides of inline start and end, block start and end (CSS Writing Modes 4, 6.4).
fn ends(writing: Writing, rtl: bool) -> [&'static str; 4] {
    let (mut inline, block) = match writing {
        Writing::Horizontal => (["left", "right"], ["top", "bottom"]),
        Writing::VerticalRl | Writing::SidewaysRl => (["top", "bottom"], ["right", "left"]),
        Writing::VerticalLr => (["top", "bottom"], ["left", "right"]),
        Writing::SidewaysLr => (["bottom", "top"], ["left", "right"]),
    };
    if rtl {
        inline.reverse();
    }
    [inline[0], inline[1], block[0], block[1]]
}

/// Physical name of a flow-relative property in a writing mode and direction. `None` for other
/// properties. The name is rewritten as text: in vertical left-to-right text, `margin-inline-start` becomes
/// `margin-top`.
pub(super) fn physical(name: &str, writing: Writing, rtl: bool) -> Option<String> {
    let vertical = writing != Writing::Horizontal;
    let [start, end, before, after] = ends(writing, rtl);
    // Sizes: the inline size is the width of horizontal text, and the height of vertical text.
    for (own, upright, turned) in [
        ("inline-size", "width", "height"),
        ("block-size", "height", "width"),
    ] {
        if let Some(prefix) = name.strip_suffix(own) {
            return Some(format!(
                "{prefix}{}",
                if vertical { turned } else { upright }
            ));
        }
    }
    // Sides: the word for the side is replaced wherever it occurs in the name.
    for (own, side) in [
        ("inline-start", start),
        ("inline-end", end),
        ("block-start", before),
        ("block-end", after),
    ] {
        if name.contains(own) {
            return Some(name.replace(own, side));
        }
    }
    corner(name, [start, end, before, after])
}

/// Physical name of a flow-relative corner property, such as `border-start-end-radius`, in which the block side comes
/// first. `None` for other properties.
fn corner(name: &str, [start, end, before, after]: [&str; 4]) -> Option<String> {
    for (own, block, inline) in [
        ("start-start", before, start),
        ("start-end", before, end),
        ("end-start", after, start),
        ("end-end", after, end),
    ] {
        if name.contains(own) {
            // Physical names begin with `top` or `bottom`: `top-left`.
            let is_row = |side: &str| matches!(side, "top" | "bottom");
            let (row, column) = match is_row(block) {
                true => (block, inline),
                false => (inline, block),
            };
            return Some(name.replace(own, &format!("{row}-{column}")));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logical_names_map_to_physical_sides() {
        for (name, writing, rtl, expected) in [
            (
                "margin-inline-start",
                Writing::Horizontal,
                true,
                "margin-right",
            ),
            (
                "margin-block-start",
                Writing::VerticalRl,
                false,
                "margin-right",
            ),
            (
                "padding-inline-end",
                Writing::VerticalLr,
                false,
                "padding-bottom",
            ),
            (
                "border-inline-start-width",
                Writing::SidewaysLr,
                false,
                "border-bottom-width",
            ),
            ("max-inline-size", Writing::VerticalRl, false, "max-height"),
            (
                "border-start-end-radius",
                Writing::VerticalRl,
                false,
                "border-bottom-right-radius",
            ),
        ] {
            assert_eq!(physical(name, writing, rtl).as_deref(), Some(expected));
        }
        assert_eq!(physical("margin-left", Writing::VerticalRl, true), None);
    }
}
