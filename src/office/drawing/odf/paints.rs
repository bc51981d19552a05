//! Named paints of shapes' styles (OpenDocument 1.3, part 3, 16.40): gradients, pictures, hatches and dashes. Draws
//! nothing, and decodes no pictures.

use super::place::{emu, percent};
use crate::{
    containers::xml::{Element, Reader},
    drawing::{Arrow, Crop, Fill, Gradient, GradientPath, PictureFill, Rgba, dashes},
    error::Result,
};
use convertd_tree::{Colour, POINT};
use std::collections::HashMap;

/// Max. number of definitions of a kind. As soon as one kind reaches it, no further definitions of any kind are read.
const MAX_KNOWN: usize = 4096;

/// Named paints of a document, by their names.
#[derive(Debug, Default)]
pub struct Paints {
    gradients: HashMap<Box<str>, Gradient<Rgba>>,
    /// Pictures, as returned by [`picture`].
    pictures: HashMap<Box<str>, Box<str>>,
    /// Colours of hatches.
    hatches: HashMap<Box<str>, Rgba>,
    /// Lengths of dashes and gaps, relative to the width of the line.
    dashes: HashMap<Box<str>, &'static [f32]>,
}

impl Paints {
    /// Reads a definition, which is the innermost open element. Other elements are ignored.
    pub fn read(&mut self, xml: &mut Reader<'_>, element: &Element<'_>) -> Result<()> {
        let name: Box<str> = element.attribute("name").unwrap_or_default().into();
        let known = [
            self.gradients.len(),
            self.pictures.len(),
            self.hatches.len(),
            self.dashes.len(),
        ];
        if element.space != "draw" || known.iter().any(|known| *known >= MAX_KNOWN) {
            return Ok(());
        }
        match element.name {
            "gradient" => {
                let gradient = gradient(xml, element)?;
                self.gradients.insert(name, gradient);
            }
            "fill-image" => {
                let picture = picture(xml, element)?;
                self.pictures.extend(picture.map(|picture| (name, picture)));
            }
            "hatch" => {
                let colour = colour(element, "color").unwrap_or(Rgba::BLACK);
                self.hatches.insert(name, colour);
            }
            "stroke-dash" => {
                self.dashes.insert(name, dash(element));
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the gradient with this name, drawn with this opacity.
    pub fn gradient(&self, name: &str, alpha: f32) -> Option<Fill> {
        let gradient = self.gradients.get(name)?;
        let stops = gradient.stops.iter();
        let stops = stops.map(|(at, colour)| (*at, Rgba { alpha, ..*colour }));
        Some(Fill::Gradient(Gradient {
            stops: stops.collect(),
            path: gradient.path,
        }))
    }

    /// Returns the picture with this name, drawn with this opacity. Its identifier is a name as returned by
    /// [`picture`].
    pub fn picture(&self, name: &str, alpha: f32) -> Option<Fill> {
        let picture = self.pictures.get(name)?;
        Some(Fill::Picture(PictureFill {
            id: picture.clone(),
            crop: Crop::default(),
            tiled: false,
            alpha,
        }))
    }

    /// Returns a fill of one colour that stands for the hatch with this name: the colour of its lines, with 30 % of
    /// this opacity. Unknown hatches are black.
    pub fn hatch(&self, name: &str, alpha: f32) -> Fill {
        let colour = self.hatches.get(name).copied().unwrap_or(Rgba::BLACK);
        Fill::Solid(Rgba {
            alpha: alpha * 0.3,
            ..colour
        })
    }

    /// Returns the dashes with this name. Unknown names result in the preset `dash`.
    pub fn dashes(&self, name: &str) -> &'static [f32] {
        self.dashes.get(name).copied().unwrap_or(dashes("dash"))
    }
}

/// Converts a colour to an opaque colour of DrawingML.
pub fn opaque(Colour(red, green, blue): Colour) -> Rgba {
    Rgba::opaque([red, green, blue])
}

/// Reads a colour in an attribute.
fn colour(element: &Element<'_>, name: &str) -> Option<Rgba> {
    let colour = element.attribute(name)?;
    Colour::parse(&colour).map(opaque)
}

/// Returns the decoration at the end of a line by the name that programs give it. Unknown names result in a triangle.
pub fn arrow(name: Option<&str>) -> Arrow {
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        return Arrow::None;
    };
    let name = name.to_ascii_lowercase();
    let contains_word = |word: &str| name.contains(word);
    match () {
        () if contains_word("circle") || contains_word("oval") || contains_word("dot") => {
            Arrow::Oval
        }
        () if contains_word("diamond") || contains_word("square") => Arrow::Diamond,
        () if contains_word("open") || contains_word("line_20_arrow") => Arrow::Open,
        () if contains_word("stealth") || contains_word("concave") => Arrow::Stealth,
        () => Arrow::Triangle,
    }
}

/// Returns the preset that is most similar to a `draw:stroke-dash`.
fn dash(element: &Element<'_>) -> &'static [f32] {
    let value = |name| element.attribute(name);
    let length = |name| {
        let value = value(name)?;
        // A share of the line's width, or an absolute length. Absolute lengths up to one point become dots, others
        // dashes.
        percent(&value).or(emu(&value).map(|emu| if emu > POINT { 4.0 } else { 1.0 }))
    };
    let dots = |name| value(name).and_then(|dots| dots.parse::<u32>().ok());
    let first = length("dots1-length").unwrap_or(1.0);
    let second = dots("dots2").filter(|dots| *dots > 0).map(|dots| {
        let length = length("dots2-length").unwrap_or(1.0);
        (length, dots)
    });
    match second {
        Some((_, 2..)) => dashes("lgDashDotDot"),
        Some((second, _)) if second != first => dashes("dashDot"),
        _ if first < 2.0 => dashes("sysDot"),
        _ if first < 6.0 => dashes("dash"),
        _ => dashes("lgDash"),
    }
}

/// Reads a `draw:gradient`.
fn gradient(xml: &mut Reader<'_>, element: &Element<'_>) -> Result<Gradient<Rgba>> {
    let share = |name| element.attribute(name).and_then(|value| percent(&value));
    let start = colour(element, "start-color").unwrap_or(Rgba::BLACK);
    let end = colour(element, "end-color").unwrap_or(Rgba::opaque([255; 3]));
    let mut stops = Vec::new();
    // Newer files have any number of colours (`loext:gradient-stop`), which replace the start and end colours.
    let level = xml.level();
    while let Some(stop) = xml.next_element(level)? {
        let at = stop.attribute("offset");
        let at = at.and_then(|at| at.trim().parse::<f32>().ok());
        if let (Some(at), Some(colour)) = (at, colour(&stop, "color-value"))
            && stops.len() < 100
        {
            stops.push((at.clamp(0.0, 1.0), colour));
        }
    }
    if stops.is_empty() {
        stops = vec![(0.0, start), (1.0, end)];
    }
    stops.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let border = share("border").unwrap_or(0.0).clamp(0.0, 1.0) as f32;
    let style = element.attribute("style").unwrap_or_default();
    // Returns the stops in reverse order, in the part of the range that begins at `from` and has the length `span`.
    let reversed = |stops: &[(f32, Rgba)], from: f32, span: f32| -> Vec<(f32, Rgba)> {
        let stops = stops.iter().rev();
        stops
            .map(|(at, colour)| (from + (1.0 - at) * span, *colour))
            .collect()
    };
    let angle = element.attribute("angle").unwrap_or_default();
    let degrees = match angle.strip_suffix("deg") {
        Some(degrees) => degrees.parse().unwrap_or(0.0),
        // Numbers without a unit are tenths of a degree.
        None => angle.parse::<f64>().unwrap_or(0.0) / 10.0,
    };
    let line = GradientPath::Line((90.0 - degrees).rem_euclid(360.0));
    Ok(match &*style {
        "linear" | "" => Gradient {
            stops: stops
                .iter()
                .map(|(at, colour)| (border + at * (1.0 - border), *colour))
                .collect(),
            path: line,
        },
        // From the middle to both sides.
        "axial" => {
            let mut both = reversed(&stops, 0.0, 0.5);
            both.extend(stops.iter().map(|(at, colour)| (0.5 + at * 0.5, *colour)));
            Gradient {
                stops: both,
                path: line,
            }
        }
        _ => Gradient {
            stops: reversed(&stops, 0.0, 1.0 - border),
            path: GradientPath::Point(share("cx").unwrap_or(0.5), share("cy").unwrap_or(0.5)),
        },
    })
}

/// Returns the name of the picture in a `draw:image`, `draw:fill-image` or `style:background-image`, which is the
/// innermost open element. In a package it is the name of a part, in a flat file `#` and the position of the picture's
/// data. `None` if the element refers to no picture in the file.
pub fn picture(xml: &mut Reader<'_>, element: &Element<'_>) -> Result<Option<Box<str>>> {
    let level = xml.level();
    while let Some(child) = xml.next_element(level)? {
        if child.name == "binary-data" {
            return Ok(Some(format!("#{}", xml.position()).into()));
        }
    }
    let address = element.attribute("href").unwrap_or_default();
    let name = address.strip_prefix("./").unwrap_or(&address);
    let outside = name.starts_with("../") || name.starts_with('/') || name.contains(':');
    Ok((!outside && !name.is_empty()).then(|| name.into()))
}
