//! Writes the look of text as attributes and CSS declarations. Writes no elements.

use crate::syntax::escape;
use convertd_tree::{
    Alignment, Colour, Direction, EmphasisShape, Length, LineKind, Stroke, TextStyle, Underline,
};
use std::fmt::Write as _;

/// Writes the attribute that gives the item of a note its reference mark, unless the mark is the number of the item.
pub(super) fn note_marker(label: &str, number: usize, out: &mut String) {
    match label.parse::<u32>() {
        Ok(own) if own as usize == number => {}
        Ok(own) => write!(out, " value=\"{own}\"").unwrap_or_default(),
        Err(_) => {
            // A quotation mark, a backslash or a line break would end or change the string of the style, so such
            // characters are dropped.
            let is_plain = |c: &char| !"\"'\\".contains(*c) && !c.is_control();
            let plain: String = label.chars().filter(is_plain).collect();
            out.push_str(" style=\"list-style-type: '");
            escape::attribute(&plain, out);
            out.push_str(" '\"");
        }
    }
}

/// Writes the `dir` attribute.
pub fn direction(direction: Option<Direction>, out: &mut String) {
    match direction {
        Some(Direction::RightToLeft) => out.push_str(" dir=\"rtl\""),
        Some(Direction::LeftToRight) => out.push_str(" dir=\"ltr\""),
        None => {}
    }
}

/// The alignment of lines as CSS.
pub(super) fn text_align(alignment: Alignment) -> &'static str {
    match alignment {
        Alignment::Start => "text-align: start; ",
        Alignment::Centre => "text-align: center; ",
        Alignment::End => "text-align: end; ",
        Alignment::Justify => "text-align: justify; ",
    }
}

/// Writes a colour as the value of the CSS property `name`.
pub(super) fn colour(name: &str, colour: Option<Colour>, css: &mut String) {
    if let Some(colour) = colour {
        write!(css, "{name}: #{}; ", colour.hex()).unwrap_or_default();
    }
}

/// Writes the look of an underline as CSS. Browsers have no line of dots and dashes, which becomes dashed, and no line
/// that leaves out spaces.
pub(super) fn underline_css(line: Underline, css: &mut String) {
    css.push_str("text-decoration: underline");
    css.push_str(match line.stroke {
        _ if line.double && line.stroke != Stroke::Wavy => " double",
        Stroke::Solid => "",
        Stroke::Dotted => " dotted",
        Stroke::Dashed | Stroke::LongDashed | Stroke::DotDashed | Stroke::DotDotDashed => " dashed",
        Stroke::Wavy => " wavy",
    });
    if line.thick {
        css.push_str(" 0.15em");
    }
    if let Some(colour) = line.colour {
        write!(css, " #{}", colour.hex()).unwrap_or_default();
    }
    css.push_str("; ");
}

/// Writes a text style as CSS.
pub(super) fn text_css(style: &TextStyle, css: &mut String) {
    colour("color", style.colour, css);
    colour("background-color", style.background, css);
    if let Some(size) = style.size {
        write!(css, "font-size: {}pt; ", size.to_points()).unwrap_or_default();
    }
    if let Some(font) = &style.font {
        css.push_str("font-family: ");
        for (number, family) in font.split(',').enumerate() {
            let family: String = family.chars().filter(|c| !"'\"\\;".contains(*c)).collect();
            write!(
                css,
                "{}'{}'",
                if number > 0 { ", " } else { "" },
                family.trim()
            )
            .unwrap_or_default();
        }
        css.push_str("; ");
    }
    if let Some(mark) = style.emphasis {
        let shape = match mark.shape {
            EmphasisShape::Dot => "filled dot",
            EmphasisShape::Disc => "filled circle",
            EmphasisShape::Circle => "open circle",
            EmphasisShape::Comma => "filled sesame",
        };
        write!(css, "text-emphasis: {shape}; ").unwrap_or_default();
        if mark.below {
            css.push_str("text-emphasis-position: under right; ");
        }
    }
    if let Some(border) = style.border {
        let kind = match border.kind {
            LineKind::Solid => "solid",
            LineKind::Double => "double",
            LineKind::Dashed => "dashed",
            LineKind::Dotted => "dotted",
        };
        // The width of a double border in CSS is that of both lines and the gap between them, here three equal parts.
        let width = match border.kind {
            LineKind::Double => border.width.scaled(3.0),
            _ => border.width,
        };
        let colour = border.colour.unwrap_or(Colour(0, 0, 0)).hex();
        write!(css, "border: {}pt {kind} #{colour}; ", width.to_points()).unwrap_or_default();
        if let Some(space) = border.space.filter(|space| *space > Length::ZERO) {
            write!(css, "padding: 0 {}pt; ", space.to_points()).unwrap_or_default();
        }
    }
    if style.capitals {
        css.push_str("text-transform: uppercase; ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_stays_inside_the_string_of_its_style() {
        #[track_caller]
        fn check(label: &str, expected: &str) {
            let mut out = String::new();
            note_marker(label, 1, &mut out);
            assert_eq!(out, expected, "{label:?}");
        }
        check("1", "");
        check("7", " value=\"7\"");
        check("*", " style=\"list-style-type: '* '\"");
        check(
            "*\n'\\; color: red",
            " style=\"list-style-type: '*; color: red '\"",
        );
    }
}
