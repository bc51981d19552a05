//! State of animations in a picture that stands still: the last state where it stays (`forwards`, `freeze`), and else the first.
//! Moves nothing.

use super::values::is_property;
use crate::css::{
    sheet::{Keyframes, Written},
    tokens::{Token, tokens},
};
use resvg::usvg::roxmltree::Node;

/// Declarations of the animations that an element names (CSS Animations 1).
pub(super) fn of_sheets(declared: &[Written], keyframes: &[Keyframes]) -> Vec<Written> {
    if keyframes.is_empty() {
        return Vec::new();
    }
    let of = |wanted: &str| {
        let mut all = declared.iter().rev();
        all.find(|(name, ..)| name.trim_start_matches("-webkit-") == wanted)
            .map_or(&[][..], |(_, tokens, _)| tokens.as_slice())
    };
    let shorthand = of("animation");
    let has = |tokens: &[Token], wanted: &str| {
        tokens
            .iter()
            .any(|token| matches!(token, Token::Ident(word) if word.eq_ignore_ascii_case(wanted)))
    };
    let says = |name: &str, word: &str| has(shorthand, word) || has(of(name), word);
    let stays = says("animation-fill-mode", "forwards") || says("animation-fill-mode", "both");
    let is_endless = says("animation-iteration-count", "infinite");
    // Of the times in the shorthand, the second is the delay.
    let seconds = |tokens: &[Token], at: usize| {
        let mut times = tokens.iter().filter_map(|token| match token {
            Token::Dimension(number, unit) if matches!(&**unit, "s" | "ms") => Some(*number),
            _ => None,
        });
        times.nth(at).unwrap_or(0.0)
    };
    let waits = seconds(of("animation-delay"), 0) > 0.0 || seconds(shorthand, 1) > 0.0;
    let begins =
        !waits || says("animation-fill-mode", "backwards") || says("animation-fill-mode", "both");
    let mut all = Vec::new();
    for frames in keyframes {
        let is_named = |tokens: &[Token]| {
            let mut tokens = tokens.iter();
            tokens.any(|token| matches!(token, Token::Ident(name) | Token::Text(name) if *name == frames.name))
        };
        if is_named(shorthand) || is_named(of("animation-name")) {
            match (stays && !is_endless, begins) {
                (true, _) => all.extend(frames.last.iter().cloned()),
                (false, true) => all.extend(frames.first.iter().cloned()),
                (false, false) => {}
            }
        }
    }
    all
}

/// Values that the animation elements within an element set (SVG 1.1, 19; SVG Animations 2).
pub(super) fn of_elements(node: Node<'_, '_>) -> Vec<Written> {
    let mut all = Vec::new();
    for child in node.children().filter(|child| child.is_element()) {
        let name = child.tag_name().name();
        if !matches!(
            name,
            "animate" | "animateColor" | "set" | "animateTransform"
        ) {
            continue;
        }
        let Some(property) = child.attribute("attributeName") else {
            continue;
        };
        // Numbers without units, as in the attribute, are not what CSS has.
        if !is_property(property) || matches!(property, "d" | "transform") {
            continue;
        }
        let Some(value) = state(child, name == "set") else {
            continue;
        };
        all.push((property.to_owned(), tokens(&value), false));
    }
    all
}

/// The value of the attribute `transform` that the elements within an element animate.
pub(super) fn transform(node: Node<'_, '_>) -> Option<String> {
    let mut turned: Option<String> = None;
    for child in node.children().filter(|child| child.is_element()) {
        if child.tag_name().name() != "animateTransform" {
            continue;
        }
        let Some(value) = state(child, false) else {
            continue;
        };
        let kind = child.attribute("type").unwrap_or("translate");
        let own = format!("{kind}({value})");
        turned = Some(match (child.attribute("additive"), turned) {
            (Some("sum"), Some(before)) => format!("{before} {own}"),
            (Some("sum"), None) => {
                format!("{} {own}", node.attribute("transform").unwrap_or_default())
            }
            _ => own,
        });
    }
    turned
}

/// Value of an animation element; `None` if it has not begun.
fn state(element: Node<'_, '_>, is_set: bool) -> Option<String> {
    let values: Vec<&str> = match element.attribute("values") {
        Some(values) => {
            let values = values.split(';').map(str::trim);
            values.filter(|value| !value.is_empty()).collect()
        }
        None => {
            let ends = [element.attribute("from"), element.attribute("to")];
            ends.into_iter().flatten().collect()
        }
    };
    let is_endless = |name: &str| element.attribute(name) == Some("indefinite");
    let stays = element.attribute("fill") == Some("freeze")
        && !is_endless("repeatCount")
        && !is_endless("repeatDur");
    let begin = element.attribute("begin").unwrap_or("0s").trim();
    let begins_at_once = begin
        .strip_suffix('s')
        .unwrap_or(begin)
        .parse::<f32>()
        .is_ok_and(|seconds| seconds <= 0.0);
    // What a click begins does not begin.
    let begins = begins_at_once || begin.starts_with(|c: char| c.is_ascii_digit());
    let has_first = element.attribute("values").is_some() || element.attribute("from").is_some();
    match (is_set, stays && begins, begins_at_once) {
        (true, _, true) | (true, true, _) => element.attribute("to").map(str::to_owned),
        (false, true, _) => values.last().map(|last| (*last).to_owned()),
        (false, false, true) if has_first => values.first().map(|first| (*first).to_owned()),
        _ => None,
    }
}
