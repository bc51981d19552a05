//! Form controls as in browsers (HTML, 15.5): checkboxes, sliders and meters become SVG drawings; text fields and
//! buttons only get their usual borders. A control with `appearance: none` is an ordinary box, unless it is a meter or
//! a progress bar. Lays out nothing.

use super::{
    decor::{Frame, grown},
    generate::Generator,
    outlines::rounded,
    paint::opaque,
    tree::Replaced,
};
use crate::error::Result;
use convertd_layout::item::Segment;
use convertd_markup::{
    css::{
        colour::{Paint, hex},
        rgba::Rgba,
        style::{LineStyle, Size, Style},
    },
    dom::NodeId,
};

/// Default accent colour of browsers, which marks checked and filled controls.
const CHOSEN: Rgba = Rgba::opaque(0x00, 0x75, 0xff);
/// Colour of a meter whose value is in the preferred range.
const OPTIMUM: Rgba = Rgba::opaque(0x10, 0x7c, 0x10);
/// Colour of a meter with any other value.
const SUBOPTIMUM: Rgba = Rgba::opaque(0xff, 0xb9, 0x00);
/// Colour of borders.
const EDGE: Rgba = Rgba::opaque(0x76, 0x76, 0x76);

/// Writes a colour in the syntax of SVG, without its alpha.
fn written(colour: Rgba) -> String {
    format!("#{}", opaque(colour).hex())
}

/// Returns a width or height in px (1 to 10,000) if the style gives it as a length without a percentage, and otherwise
/// `other`.
fn fixed(size: &Size, other: f32) -> f32 {
    match size {
        Size::Length(length) if !length.has_percentage() => length.of(0.0).clamp(1.0, 10_000.0),
        _ => other,
    }
}

impl Generator<'_, '_> {
    /// Text that a form control shows: its value, its placeholder, or the text that browsers show instead. A no-break
    /// space keeps an empty `input` one line high. `None` for other elements.
    pub(crate) fn shown_value(&self, dom: NodeId) -> Option<String> {
        let element = self.dom.element(dom)?;
        let value = || element.get("value").map(str::to_owned);
        let shown = || {
            let value = value().filter(|text| !text.is_empty());
            let hint = || element.get("placeholder").map(str::to_owned);
            value.or_else(hint).filter(|text| !text.is_empty())
        };
        match self.dom.tag(dom) {
            "input" => Some(
                match element.get("type").map(str::to_ascii_lowercase).as_deref() {
                    // Drawn and hidden controls have no text.
                    Some("checkbox" | "radio" | "range" | "color" | "hidden") => String::new(),
                    Some("file") => "Choose File  No file chosen".to_owned(),
                    Some("submit") => value().unwrap_or_else(|| "Submit".to_owned()),
                    Some("reset") => value().unwrap_or_else(|| "Reset".to_owned()),
                    // A password is shown as bullets, one per character.
                    Some("password") => {
                        let hidden: String =
                            value().unwrap_or_default().chars().map(|_| '•').collect();
                        match hidden.is_empty() {
                            true => shown().unwrap_or_else(|| "\u{a0}".to_owned()),
                            false => hidden,
                        }
                    }
                    // Chromium shows dates in the order of the user's language, here American
                    // English.
                    Some("date") => value().filter(|text| !text.is_empty()).map_or_else(
                        || "mm/dd/yyyy".to_owned(),
                        |date| match date.split('-').collect::<Vec<_>>()[..] {
                            [year, month, day] => format!("{month}/{day}/{year}"),
                            _ => date,
                        },
                    ),
                    Some("time") => shown().unwrap_or_else(|| "--:-- --".to_owned()),
                    // The no-break space makes an empty field as high as a line.
                    _ => shown().unwrap_or_else(|| "\u{a0}".to_owned()),
                },
            ),
            "textarea" => {
                let text = self.dom.text(dom);
                let hint = || element.get("placeholder").unwrap_or_default().to_owned();
                Some(if text.is_empty() { hint() } else { text })
            }
            _ => None,
        }
    }

    /// Draws a control as a replaced element. Returns `None` for an element that is laid out instead. Equal drawings
    /// are shared, because a form has many equal controls.
    pub(crate) fn control(&mut self, dom: NodeId, style: &Style) -> Result<Option<Replaced>> {
        let size = (fixed(&style.width, 16.0), fixed(&style.height, 16.0));
        let has = |name: &str| self.dom.attribute(dom, name).is_some();
        // The accent colour is grey for a disabled control, and otherwise the colour that the style specifies or the
        // default.
        let chosen = match style.text.accent {
            _ if has("disabled") => "#b5b5b5".to_owned(),
            Some(accent) => written(accent.or(style.text.colour)),
            None => written(CHOSEN),
        };
        let tag = self.dom.tag(dom);
        let kind = self.dom.attribute(dom, "type").unwrap_or_default();
        let kind = kind.to_ascii_lowercase();
        // `appearance: none` has no effect on meters and progress bars, because they have no other form here.
        let drawing = match (tag, kind.as_str()) {
            ("progress", _) => bar(size, self.share(dom, 0.0), &chosen),
            ("meter", _) => bar(size, self.share(dom, 0.0), &written(self.measured(dom))),
            ("input", _) if !style.native => return Ok(None),
            ("input", "checkbox") => checkbox(has("checked"), &chosen),
            ("input", "radio") => radio(has("checked"), &chosen),
            ("input", "range") => slider(size, self.share(dom, 0.5), &chosen),
            ("input", "color") => swatch(self.dom.attribute(dom, "value")),
            _ => return Ok(None),
        };
        // A drawing that was made before is used again.
        let picture = match self.drawn.get(&drawing) {
            Some(known) => *known,
            None => {
                let made = self.gallery.drawing(&drawing)?;
                self.drawn.insert(drawing, made);
                made
            }
        };
        Ok(Some(Replaced {
            picture: Some(picture),
            words: "".into(),
            natural: (Some(size.0), Some(size.1)),
            missing: false,
        }))
    }

    /// Parses an attribute of the control as a finite number.
    fn number(&self, dom: NodeId, name: &str) -> Option<f32> {
        let number = self.dom.attribute(dom, name)?.trim().parse::<f32>().ok()?;
        number.is_finite().then_some(number)
    }

    /// Position of a control's value between its minimum (0) and maximum (1). `default` is used
    /// without a value.
    fn share(&self, dom: NodeId, default: f32) -> f32 {
        let least = self.number(dom, "min").unwrap_or(0.0);
        // Sliders run from 0 to 100 by default, meters and progress bars to 1.
        let unit = if self.dom.tag(dom) == "input" {
            100.0
        } else {
            1.0
        };
        let most = self.number(dom, "max").unwrap_or(unit);
        let share = |value: f32| (value - least) / (most - least);
        let own = self.number(dom, "value").map(share);
        own.filter(|own| own.is_finite())
            .unwrap_or(default)
            .clamp(0.0, 1.0)
    }

    /// Colour of a meter: good if its value lies in the same range (low, middle, high) as its
    /// optimum (HTML, 4.10.14).
    fn measured(&self, dom: NodeId) -> Rgba {
        let value = self.number(dom, "value").unwrap_or(0.0);
        let low = self.number(dom, "low").unwrap_or(f32::MIN);
        let high = self.number(dom, "high").unwrap_or(f32::MAX);
        // Range of a value: low, middle or high. Without `optimum`, the middle range is the preferred one.
        let place = |value: f32| (value >= low, value > high);
        let best = self.number(dom, "optimum");
        let best = best.map_or((true, false), place);
        if place(value) == best {
            OPTIMUM
        } else {
            SUBOPTIMUM
        }
    }
}

/// SVG document of this size in px. It is stretched to the size of the box.
fn drawing((width, height): (f32, f32), content: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"none\">{content}</svg>"
    )
}

/// Checkbox of 13 px, the size in Chromium.
fn checkbox(checked: bool, colour: &str) -> String {
    let edge = written(EDGE);
    let content = match checked {
        true => format!(
            "<rect width=\"13\" height=\"13\" rx=\"2\" fill=\"{colour}\"/><path d=\"M2.7 6.8 5.3 9.4 10.4 3.9\" fill=\"none\" \
             stroke=\"white\" stroke-width=\"1.9\"/>"
        ),
        false => format!(
            "<rect x=\"0.5\" y=\"0.5\" width=\"12\" height=\"12\" rx=\"2\" fill=\"white\" stroke=\"{edge}\"/>"
        ),
    };
    drawing((13.0, 13.0), &content)
}

/// Radio button of 13 px.
fn radio(checked: bool, colour: &str) -> String {
    let edge = written(EDGE);
    let content = match checked {
        true => format!(
            "<circle cx=\"6.5\" cy=\"6.5\" r=\"6\" fill=\"white\" stroke=\"{colour}\"/>\
             <circle cx=\"6.5\" cy=\"6.5\" r=\"3.8\" fill=\"{colour}\"/>"
        ),
        false => {
            format!("<circle cx=\"6.5\" cy=\"6.5\" r=\"6\" fill=\"white\" stroke=\"{edge}\"/>")
        }
    };
    drawing((13.0, 13.0), &content)
}

/// Progress bar or meter, half as high as its box; `share` (0 to 1) of its width is filled.
fn bar(size: (f32, f32), share: f32, colour: &str) -> String {
    let (height, filled) = (size.1 / 2.0, size.0 * share);
    let (top, round) = (height / 2.0, height / 2.0);
    drawing(
        size,
        &format!(
            "<rect x=\"0.5\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{round}\" fill=\"#efefef\" stroke=\"#c8c8c8\"/>\
             <path d=\"M{round} {top}H{filled}V{}H{round}A{round} {round} 0 0 1 {round} {top}Z\" fill=\"{colour}\"/>",
            top + 0.5,
            (size.0 - 1.0).max(0.0),
            (height - 1.0).max(0.0),
            top + height,
        ),
    )
}

/// Range slider, with its thumb at `share` (0 to 1) of the track.
fn slider(size: (f32, f32), share: f32, colour: &str) -> String {
    let radius = (size.1 / 2.0).min(size.0 / 2.0);
    let at = radius + (size.0 - 2.0 * radius) * share;
    let middle = size.1 / 2.0;
    drawing(
        size,
        &format!(
            "<rect x=\"0.5\" y=\"{}\" width=\"{}\" height=\"7\" rx=\"3.5\" fill=\"#efefef\" stroke=\"#b2b2b2\"/>\
             <rect y=\"{}\" width=\"{at}\" height=\"8\" rx=\"4\" fill=\"{colour}\"/>\
             <circle cx=\"{at}\" cy=\"{middle}\" r=\"{radius}\" fill=\"{colour}\"/>",
            middle - 3.5,
            (size.0 - 1.0).max(0.0),
            middle - 4.0,
        ),
    )
}

/// Colour well (`type=color`) with the chosen colour; invalid values are black.
fn swatch(value: Option<&str>) -> String {
    let digits = value.and_then(|value| value.trim().strip_prefix('#'));
    let colour = digits.filter(|digits| digits.len() == 6).and_then(hex);
    let (colour, edge) = (written(colour.unwrap_or(Rgba::BLACK)), written(EDGE));
    drawing(
        (50.0, 27.0),
        &format!(
            "<rect x=\"0.5\" y=\"0.5\" width=\"49\" height=\"26\" rx=\"3\" fill=\"#efefef\" stroke=\"{edge}\"/>\
             <rect x=\"4.5\" y=\"4.5\" width=\"41\" height=\"18\" fill=\"{colour}\" stroke=\"{edge}\"/>"
        ),
    )
}

/// Border of a control whose border no style sheet has changed: browsers draw it 1 px wide with rounded corners,
/// although its computed width is 2 px. Returns `None` for any other box.
pub(crate) fn border(frame: &Frame) -> Option<(Vec<Segment>, Rgba)> {
    let style = &frame.style;
    let first = style.border[0];
    let edge = Paint::Rgba(EDGE);
    let is_plain = style.native
        && style.border.iter().all(|side| *side == first)
        && first.thickness == 2.0
        && first.colour == edge
        && !frame.is_round();
    let radius = match first.style {
        LineStyle::Inset => 2.5,
        LineStyle::Outset => 3.0,
        _ => return None,
    };
    if !is_plain {
        return None;
    }
    // Two outlines leave a ring between them, because the fill rule is even-odd.
    let mut ring = rounded(frame.area, [(radius, radius); 4]);
    ring.extend(rounded(
        grown(frame.area, -1.0),
        [(radius - 1.0, radius - 1.0); 4],
    ));
    Some((ring, EDGE))
}
