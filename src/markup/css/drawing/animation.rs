//! Animations of drawings in a still picture: the last frame if it persists (`forwards`, `freeze`), otherwise the
//! first. Runs no animation.
//!
//! A drawing that fades in begins invisible and would convert to an empty page. Its lasting state
//! is what its author wants on paper, and what browsers show after the animation.

use super::values::is_property;
use crate::css::{
    sheet::{Keyframes, Written},
    tokens::{Token, closing, tokens},
    value::Cursor,
};
use resvg::usvg::roxmltree::Node;
use std::rc::Rc;

/// An animation that an element specifies (CSS Animations 1, 3). Fields: its keyframes, its time,
/// the order of iterations, and the time outside of them.
#[derive(Clone)]
struct Animation {
    name: Option<Rc<str>>,
    /// Duration in the unit as written: only whether it is above zero matters.
    duration: f32,
    /// Delay in the unit as written: only whether it is above zero matters.
    delay: f32,
    /// Number of iterations.
    count: f32,
    runs_backwards: bool,
    /// Whether every second iteration runs in reverse.
    alternates: bool,
    /// Whether the animation applies after its end (`forwards`), and before its start
    /// (`backwards`).
    fills: (bool, bool),
}

impl Default for Animation {
    fn default() -> Self {
        Self {
            name: None,
            duration: 0.0,
            delay: 0.0,
            count: 1.0,
            runs_backwards: false,
            alternates: false,
            fills: (false, false),
        }
    }
}

impl Animation {
    /// Parses one animation of the `animation` shorthand. The first time is the duration, the
    /// second the delay.
    fn shorthand(tokens: &[Token]) -> Self {
        let mut animation = Self::default();
        let mut times = 0;
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match token {
                Token::Dimension(..) => {
                    let property = ["animation-duration", "animation-delay"];
                    animation.set(property[usize::from(times > 0)], token);
                    times += 1;
                }
                Token::Number(_) => animation.set("animation-iteration-count", token),
                Token::Text(_) => animation.set("animation-name", token),
                // Each keyword belongs to one longhand; a word that is not a keyword is the name of
                // the keyframes.
                Token::Ident(word) => {
                    let property = match word.to_ascii_lowercase().as_str() {
                        "infinite" => "animation-iteration-count",
                        "normal" | "reverse" | "alternate" | "alternate-reverse" => {
                            "animation-direction"
                        }
                        "none" | "forwards" | "backwards" | "both" => "animation-fill-mode",
                        // These keywords have no effect on a still picture.
                        "running" | "paused" | "linear" | "ease" | "ease-in" | "ease-out"
                        | "ease-in-out" | "step-start" | "step-end" => "",
                        _ => "animation-name",
                    };
                    animation.set(property, token);
                }
                Token::Function(_) | Token::Open(_) => at = closing(tokens, at),
                _ => {}
            }
            at += 1;
        }
        animation
    }

    /// Sets the value of a longhand property; a value of another type is ignored.
    fn set(&mut self, property: &str, token: &Token) {
        // Keywords are compared without case.
        let lower = match token {
            Token::Ident(word) => word.to_ascii_lowercase(),
            _ => String::new(),
        };
        match (property, token) {
            ("animation-name", Token::Ident(name) | Token::Text(name)) => {
                self.name = (lower != "none").then(|| name.clone());
            }
            ("animation-duration", Token::Dimension(time, _)) => self.duration = *time,
            ("animation-delay", Token::Dimension(time, _)) => self.delay = *time,
            ("animation-iteration-count", Token::Number(count)) => self.count = *count,
            ("animation-iteration-count", _) if lower == "infinite" => self.count = f32::INFINITY,
            ("animation-direction", _) => {
                self.runs_backwards = lower.ends_with("reverse");
                self.alternates = lower.starts_with("alternate");
            }
            ("animation-fill-mode", _) => {
                self.fills = (
                    matches!(&*lower, "forwards" | "both"),
                    matches!(&*lower, "backwards" | "both"),
                );
            }
            _ => {}
        }
    }

    /// Declarations of the frame that is shown; empty if the animation does not apply. The last
    /// frame is `to`, or `from` if the last iteration runs in reverse.
    fn state(self, frames: &Keyframes) -> &[Written] {
        let is_turned = match self.fills.0 && self.count.is_finite() {
            true => self.runs_backwards != (self.alternates && self.count.ceil() % 2.0 == 0.0),
            // An animation without duration has ended. One with a delay has not started, and applies before its start
            // only with `backwards`.
            false if self.duration <= 0.0 || self.delay > 0.0 && !self.fills.1 => return &[],
            false => !self.runs_backwards,
        };
        match is_turned {
            true => &frames.first,
            false => &frames.last,
        }
    }
}

/// Animations of an element, from declarations in cascade order.
///
/// The longhands are parallel lists, whose n-th values describe the n-th animation (CSS Animations
/// 1); a later shorthand overrides all earlier longhands.
fn animations(declared: &[Written]) -> Vec<Animation> {
    let mut all: Vec<Animation> = Vec::new();
    // Lists of the other longhands are repeated to the length of `animation-name`.
    let mut lists: Vec<(&str, Vec<Cursor<'_>>)> = Vec::new();
    for (name, tokens, _) in declared {
        let name = name.trim_start_matches("-webkit-");
        let parts = || Cursor::new(tokens).parts();
        match name {
            "animation" => {
                lists.clear();
                let parts = parts().into_iter();
                all = parts
                    .map(|part| Animation::shorthand(part.rest()))
                    .collect();
            }
            "animation-name" => {
                let named = |(at, part): (usize, Cursor<'_>)| {
                    // Only the name changes: other values that a shorthand has set remain.
                    let mut animation = match all.len() {
                        0 => Animation::default(),
                        len => all[at % len].clone(),
                    };
                    if let Some(token) = part.rest().first() {
                        animation.set(name, token);
                    }
                    animation
                };
                all = parts().into_iter().enumerate().map(named).collect();
            }
            _ if name.starts_with("animation-") => lists.push((name, parts())),
            _ => {}
        }
    }
    for (name, parts) in lists {
        for (animation, part) in all.iter_mut().zip(parts.iter().cycle()) {
            if let Some(token) = part.rest().first() {
                animation.set(name, token);
            }
        }
    }
    all
}

/// Declarations that animations of style sheets add to an element.
pub(super) fn of_sheets(declared: &[Written], keyframes: &[Keyframes]) -> Vec<Written> {
    if keyframes.is_empty() {
        return Vec::new();
    }
    let mut all = Vec::new();
    for animation in animations(declared) {
        // The last rule with a name wins.
        let mut rules = keyframes.iter().rev();
        let Some(name) = animation.name.clone() else {
            continue;
        };
        if let Some(frames) = rules.find(|frames| frames.name == name) {
            let state = animation.state(frames).iter();
            // `!important` in keyframes is ignored (CSS Animations 1, 2).
            all.extend(state.filter(|(.., important)| !important).cloned());
        }
    }
    all
}

/// Declarations by animation elements inside an element (SVG 1.1, 19; SVG Animations 2).
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
        // Path data and transforms are not written in CSS syntax in attributes. [`transform`] handles transforms;
        // animated paths stay as they are.
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

/// Value of the `transform` attribute after `animateTransform` children; `None` without any.
pub(super) fn transform(node: Node<'_, '_>) -> Option<String> {
    // Animations are added to one another if `additive` says so; otherwise only the last one applies.
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
        // `sum` adds to the transform so far, which is the attribute at first.
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

/// Value that an animation element shows; `None` if it has not started or has no such value.
///
/// A frozen animation shows its last value, and a running one its first. `set` has a single value, which it shows after
/// its start.
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
    // The list of begin times may also name events, such as a click, which never happen here.
    let begin = element.attribute("begin").unwrap_or("0s");
    let times = begin.split(';').filter_map(|time| seconds(time.trim()));
    let first = times.min_by(f32::total_cmp);
    let begins = first.is_some();
    let begins_at_once = first.is_some_and(|seconds| seconds <= 0.0);
    let has_first = element.attribute("values").is_some() || element.attribute("from").is_some();
    // Order: whether the element is `set`, whether its last value persists, and whether it runs from the start.
    match (is_set, stays && begins, begins_at_once) {
        (true, _, true) | (true, true, _) => element.attribute("to").map(str::to_owned),
        (false, true, _) => values.last().map(|last| (*last).to_owned()),
        (false, false, true) if has_first => values.first().map(|first| (*first).to_owned()),
        _ => None,
    }
}

/// Offset of a begin time in seconds (SMIL 3.0, clock values): `1.5s`, `500ms`, `-2min`, `01:30`, or seconds without a
/// unit. `None` for events.
fn seconds(time: &str) -> Option<f32> {
    let (sign, clock) = match time.strip_prefix('-') {
        Some(clock) => (-1.0, clock),
        None => (1.0, time.strip_prefix('+').unwrap_or(time)),
    };
    let clock = clock.trim();
    if !clock.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let units = [("ms", 0.001), ("min", 60.0), ("s", 1.0), ("h", 3600.0)];
    let unit = units
        .iter()
        .find_map(|(unit, scale)| Some((clock.strip_suffix(unit)?, *scale)));
    let (number, scale) = unit.unwrap_or((clock, 1.0));
    // `hh:mm:ss` and `mm:ss` are numbers to the base 60.
    let total = number.split(':').try_fold(0.0, |sum, part| {
        let part: f32 = part.trim().parse().ok()?;
        Some(sum * 60.0 + part)
    })?;
    Some(sign * total * scale)
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn clock_values_are_distinguished_from_events() {
        #[track_caller]
        fn check(time: &str, expected: Option<f32>) {
            assert_eq!(seconds(time), expected, "{time}");
        }
        check("0s", Some(0.0));
        check(".5s", Some(0.5));
        check("+1", Some(1.0));
        check("-250ms", Some(-0.25));
        check("2min", Some(120.0));
        check("01:30", Some(90.0));
        for event in ["click", "a.end+1s", "indefinite", "s", "", "1:x"] {
            check(event, None);
        }
    }
}
