//! Adds the SVG drawings of a page as pictures. Does not interpret their content.

use super::state::PageReader;
use crate::{
    css::look as css,
    dom::{Drawing, Start},
    error::Result,
    syntax::tag::Tag,
};
use convertd_tree::{Length, Picture, PictureSource, Width, losses::Loss};

static DRAWINGS: Loss = Loss {
    one: "An SVG drawing in the page was left out, or a part of it: it is too large, or refers to missing parts.",
    many: "{} SVG drawings in the page were left out, or parts of them: they are too large, or refer to missing parts.",
};

static DECORATIONS: Loss = Loss {
    one: "An SVG drawing that the page marks as decoration was left out.",
    many: "{} SVG drawings that the page marks as decoration were left out.",
};

/// The size of the font around a drawing, in points, if the page states none.
const FONT_SIZE: f64 = 12.0;

impl PageReader<'_, '_, '_> {
    /// Adds a drawing, which is a picture in the line around it.
    pub(super) fn drawing(&mut self, root: &Start<'_>, drawing: &Drawing) -> Result<()> {
        if self.capture.is_some() || self.hidden > 0 || self.look(root).hidden {
            return Ok(());
        }
        // The cover page of many books is a drawing whose only purpose is to scale a picture.
        for image in &drawing.images {
            self.image(&Start::in_drawing(Tag::Image, image))?;
        }
        if root.get("aria-hidden") == Some("true") && drawing.words.is_empty() {
            self.build.lost(&DECORATIONS);
            return Ok(());
        }
        if drawing.lost {
            self.build.lost(&DRAWINGS);
        }
        let Some(file) = &drawing.file else {
            return Ok(());
        };
        let (width, height) = self.extent(root);
        let file = self
            .build
            .resource(file.clone().into_bytes(), "", Some("image/svg+xml"))?;
        let picture = Picture {
            source: PictureSource::Resource(file),
            alternative: (&*drawing.words).into(),
            title: "".into(),
            width,
            height,
            frame: None,
        };
        self.picture(root, picture)
    }

    /// The width and height of a drawing. If it states only one, the other follows from its `viewBox`. If it states
    /// neither, its own units count as pixels here, while a browser fits it into the space that the style sheets give
    /// it.
    fn extent(&self, root: &Start<'_>) -> (Option<Length>, Option<Length>) {
        let look = self.look(root);
        let attribute = |name| root.get(name).and_then(length);
        let width = match look.width {
            Some(Width::Fixed(width)) => Some(width),
            _ => attribute("width"),
        };
        let height = look.height.or_else(|| attribute("height"));
        let numbers = root.get("viewbox").unwrap_or_default();
        let mut numbers = numbers
            .split([' ', ',', '\t', '\n'])
            .filter_map(|number| number.parse::<f64>().ok())
            .skip(2)
            .map(|number| number.clamp(0.01, 10_000.0));
        let (Some(across), Some(down)) = (numbers.next(), numbers.next()) else {
            return (width, height);
        };
        match (width, height) {
            (None, None) => (Some(Length::pixels(across)), Some(Length::pixels(down))),
            (Some(width), None) => (Some(width), Some(width.scaled(down / across))),
            (None, Some(height)) => (Some(height.scaled(across / down)), Some(height)),
            both => both,
        }
    }
}

/// Parses a positive length: a number of pixels, or a number with an absolute unit, `rem`, `em` or `ex`.
fn length(text: &str) -> Option<Length> {
    let relative = |unit: &str, points: f64| {
        let number: f64 = text.trim().strip_suffix(unit)?.parse().ok()?;
        Some(Length::points(number * points))
    };
    css::length(text)
        .or_else(|| relative("rem", FONT_SIZE))
        .or_else(|| relative("em", FONT_SIZE))
        .or_else(|| relative("ex", FONT_SIZE / 2.0))
        .filter(|length| *length > Length::ZERO)
}
