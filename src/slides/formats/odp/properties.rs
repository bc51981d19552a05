//! Properties of a style (OpenDocument 1.3, part 3, 20). `None` stands for a property that the style does not state.
//! Resolves no names except those of font faces.

use super::{
    place::{emu, percent},
    values::{border, clip, columns, family_of},
};
use crate::{
    containers::xml::{Element, Reader},
    deck::{Caps, Columns, Spacing},
    error::Result,
};
use convertd_tree::{Alignment, Colour, Length, VerticalAlignment};
use std::{collections::HashMap, rc::Rc};

/// Font families by font face.
pub(super) type FontFaces = HashMap<Box<str>, Rc<str>>;

/// A font size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Size {
    Points(f64),
    /// Share of the size in the parent style.
    Share(f64),
}

/// Text properties.
#[derive(Clone, Debug, Default)]
pub(super) struct RunStyle {
    pub(super) size: Option<Size>,
    pub(super) bold: Option<bool>,
    pub(super) italic: Option<bool>,
    pub(super) underlined: Option<bool>,
    pub(super) struck: Option<bool>,
    pub(super) caps: Option<Caps>,
    /// Offset of the baseline, as a fraction of the font size.
    pub(super) raised: Option<f64>,
    /// Additional space after each letter, in points.
    pub(super) spacing: Option<f64>,
    /// Whether only the edges of letters are drawn.
    pub(super) outlined: Option<bool>,
    /// Colour of the text. `Some(None)` is the automatic colour (`style:use-window-font-color`).
    pub(super) colour: Option<Option<Colour>>,
    pub(super) highlight: Option<Option<Colour>>,
    pub(super) font: Option<Rc<str>>,
    pub(super) language: Option<Rc<str>>,
}

/// Paragraph properties.
#[derive(Clone, Debug, Default)]
pub(super) struct ParagraphStyle {
    pub(super) alignment: Option<Alignment>,
    pub(super) backwards: Option<bool>,
    /// Left margin, in English Metric Units.
    pub(super) margin: Option<f64>,
    /// Indentation of the first line, in English Metric Units.
    pub(super) indent: Option<f64>,
    pub(super) before: Option<Spacing>,
    pub(super) after: Option<Spacing>,
    pub(super) lines: Option<Spacing>,
    /// Borders of cells: left, top, right, bottom. `Some(None)` is a border that is switched off.
    pub(super) borders: [Option<Option<Border>>; 4],
}

/// Border of a cell. Its width is in English Metric Units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Border {
    pub(super) width: i64,
    pub(super) colour: Colour,
}

/// Type of a fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filling {
    None,
    Solid,
    Gradient,
    Bitmap,
    Hatch,
}

/// Type of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stroke {
    None,
    Solid,
    Dash,
}

/// Properties of shapes and of page backgrounds.
#[derive(Clone, Debug, Default)]
pub(super) struct ShapeStyle {
    /// Type of the fill. It decides which of the following properties are used.
    pub(super) fill: Option<Filling>,
    pub(super) colour: Option<Colour>,
    /// Opacity of the fill, from 0 to 1.
    pub(super) opacity: Option<f64>,
    /// Name of the gradient of the fill.
    pub(super) gradient: Option<Box<str>>,
    /// Name of the hatch of the fill.
    pub(super) hatch: Option<Box<str>>,
    /// Name of the picture of the fill.
    pub(super) bitmap: Option<Box<str>>,
    /// Type of the line.
    pub(super) stroke: Option<Stroke>,
    /// Name of the dashes of the line.
    pub(super) dash: Option<Box<str>>,
    /// Width of the line, in English Metric Units.
    pub(super) width: Option<f64>,
    pub(super) stroke_colour: Option<Colour>,
    /// Opacity of the line, from 0 to 1.
    pub(super) stroke_opacity: Option<f64>,
    /// Names of the arrowheads at the beginning and the end of a line. Empty for a plain end.
    pub(super) markers: [Option<Box<str>>; 2],
    /// Distances of the text from the edges: left, top, right, bottom, in English Metric Units.
    pub(super) paddings: [Option<f64>; 4],
    pub(super) anchor: Option<VerticalAlignment>,
    /// Whether lines that are not wrapped are centred as a block.
    pub(super) centred: Option<bool>,
    pub(super) wraps: Option<bool>,
    /// Whether the shape grows to the width of its text.
    pub(super) grows: Option<bool>,
    /// Whether the text runs from top to bottom.
    pub(super) turned: Option<bool>,
    /// Parts of a picture that are cropped: left, top, right, bottom, in English Metric Units.
    pub(super) clip: Option<[f64; 4]>,
    /// Columns of the text.
    pub(super) columns: Option<Columns>,
}

/// Properties of drawing pages.
#[derive(Clone, Debug, Default)]
pub(super) struct PageStyle {
    /// Whether the slide is hidden.
    pub(super) hidden: Option<bool>,
    /// Whether the background of the master is shown.
    pub(super) background: Option<bool>,
    /// Whether the objects of the master are shown.
    pub(super) objects: Option<bool>,
    /// Whether header, footer, number and date are shown.
    pub(super) furniture: [Option<bool>; 4],
}

/// All properties of a style.
#[derive(Clone, Debug, Default)]
pub(super) struct Properties {
    pub(super) shape: ShapeStyle,
    pub(super) paragraph: ParagraphStyle,
    pub(super) run: RunStyle,
    pub(super) page: PageStyle,
    /// Width of a column or height of a row, in English Metric Units.
    pub(super) extent: Option<f64>,
    /// Name of the list style.
    pub(super) list: Option<Box<str>>,
}

/// Overrides a property, if the other style states it.
fn put<T: Clone>(own: &mut Option<T>, above: &Option<T>) {
    if above.is_some() {
        own.clone_from(above);
    }
}

/// Overrides several properties.
fn put_all<T: Clone, const N: usize>(own: &mut [Option<T>; N], above: &[Option<T>; N]) {
    own.iter_mut()
        .zip(above)
        .for_each(|(own, above)| put(own, above));
}

impl RunStyle {
    /// Overrides the properties that another style states. A relative size is multiplied with the size so far, if that
    /// is in points; otherwise it replaces the size.
    pub(super) fn put(&mut self, above: &Self) {
        self.size = match (self.size, above.size) {
            (Some(Size::Points(points)), Some(Size::Share(share))) => {
                Some(Size::Points(points * share))
            }
            (own, above) => above.or(own),
        };
        put(&mut self.bold, &above.bold);
        put(&mut self.italic, &above.italic);
        put(&mut self.underlined, &above.underlined);
        put(&mut self.struck, &above.struck);
        put(&mut self.caps, &above.caps);
        put(&mut self.raised, &above.raised);
        put(&mut self.spacing, &above.spacing);
        put(&mut self.outlined, &above.outlined);
        put(&mut self.colour, &above.colour);
        put(&mut self.highlight, &above.highlight);
        put(&mut self.font, &above.font);
        put(&mut self.language, &above.language);
    }

    /// Reads a `style:text-properties` element.
    pub(super) fn read(&mut self, element: &Element<'_>, fonts: &FontFaces) {
        for (name, value) in element.attributes() {
            let value = &*value;
            match name {
                "font-size" => {
                    let share = percent(value).map(Size::Share);
                    let points = Length::parse(value).map(|size| Size::Points(size.to_points()));
                    self.size = share.or(points).or(self.size);
                }
                "font-weight" => {
                    let heavy = value.parse().is_ok_and(|weight: u32| weight >= 600);
                    self.bold = Some(value == "bold" || heavy);
                }
                "font-style" => self.italic = Some(value != "normal"),
                "text-underline-style" => self.underlined = Some(value != "none"),
                "text-line-through-style" => self.struck = Some(value != "none"),
                "font-variant" if value == "small-caps" => self.caps = Some(Caps::Small),
                "text-transform" => {
                    self.caps = Some(match value {
                        "uppercase" => Caps::All,
                        _ => Caps::None,
                    });
                }
                "text-position" => {
                    let first = value.split_whitespace().next().unwrap_or_default();
                    self.raised = Some(match first {
                        "super" => 0.33,
                        "sub" => -0.33,
                        first => percent(first).unwrap_or(0.0).clamp(-1.0, 1.0),
                    });
                }
                "letter-spacing" => {
                    let length = Length::parse(value).map(Length::to_points);
                    self.spacing = length.or((value == "normal").then_some(0.0));
                }
                "text-outline" => self.outlined = Some(value == "true"),
                "color" => self.colour = Some(Colour::parse(value)),
                "use-window-font-color" if value == "true" => self.colour = Some(None),
                "background-color" => self.highlight = Some(Colour::parse(value)),
                "font-name" => {
                    let family = fonts.get(value).cloned();
                    self.font = family.or_else(|| family_of(value)).or(self.font.take());
                }
                "font-family" if self.font.is_none() => self.font = family_of(value),
                "language" if value.len() < 9 && value != "none" && value != "zxx" => {
                    self.language = Some(value.into());
                }
                _ => {}
            }
        }
    }
}

impl ParagraphStyle {
    /// Overrides the properties that another style states.
    pub(super) fn put(&mut self, above: &Self) {
        put(&mut self.alignment, &above.alignment);
        put(&mut self.backwards, &above.backwards);
        put(&mut self.margin, &above.margin);
        put(&mut self.indent, &above.indent);
        put(&mut self.before, &above.before);
        put(&mut self.after, &above.after);
        put(&mut self.lines, &above.lines);
        put_all(&mut self.borders, &above.borders);
    }

    /// Reads a `style:paragraph-properties` element, or the borders of a `style:table-cell-properties` element.
    pub(super) fn read(&mut self, element: &Element<'_>) {
        for (name, value) in element.attributes() {
            let value = &*value;
            let spacing = || {
                let share = percent(value).map(Spacing::Lines);
                share.or(Length::parse(value).map(|length| Spacing::Points(length.to_points())))
            };
            match name {
                "text-align" => {
                    self.alignment = match value {
                        "start" | "left" => Some(Alignment::Start),
                        "end" | "right" => Some(Alignment::End),
                        "center" => Some(Alignment::Centre),
                        "justify" => Some(Alignment::Justify),
                        _ => self.alignment,
                    }
                }
                "writing-mode" => self.backwards = Some(value.starts_with("rl")),
                "margin-left" => self.margin = emu(value).or(self.margin),
                "text-indent" => self.indent = emu(value).or(self.indent),
                "margin-top" => self.before = spacing().or(self.before),
                "margin-bottom" => self.after = spacing().or(self.after),
                "line-height" | "line-height-at-least" => self.lines = spacing().or(self.lines),
                "border" => self.borders = [Some(border(value)); 4],
                "border-left" => self.borders[0] = Some(border(value)),
                "border-top" => self.borders[1] = Some(border(value)),
                "border-right" => self.borders[2] = Some(border(value)),
                "border-bottom" => self.borders[3] = Some(border(value)),
                _ => {}
            }
        }
    }
}

impl ShapeStyle {
    /// Overrides the properties that another style states.
    fn put(&mut self, above: &Self) {
        put(&mut self.fill, &above.fill);
        put(&mut self.colour, &above.colour);
        put(&mut self.opacity, &above.opacity);
        put(&mut self.gradient, &above.gradient);
        put(&mut self.hatch, &above.hatch);
        put(&mut self.bitmap, &above.bitmap);
        put(&mut self.stroke, &above.stroke);
        put(&mut self.dash, &above.dash);
        put(&mut self.width, &above.width);
        put(&mut self.stroke_colour, &above.stroke_colour);
        put(&mut self.stroke_opacity, &above.stroke_opacity);
        put_all(&mut self.markers, &above.markers);
        put_all(&mut self.paddings, &above.paddings);
        put(&mut self.anchor, &above.anchor);
        put(&mut self.centred, &above.centred);
        put(&mut self.wraps, &above.wraps);
        put(&mut self.grows, &above.grows);
        put(&mut self.turned, &above.turned);
        put(&mut self.clip, &above.clip);
        put(&mut self.columns, &above.columns);
    }

    /// Reads a `style:graphic-properties`, `style:drawing-page-properties` or `style:table-cell-properties` element.
    pub(super) fn read(&mut self, element: &Element<'_>) {
        for (name, value) in element.attributes() {
            let value = &*value;
            let named = || Some(value.into());
            match name {
                "fill" => {
                    self.fill = Some(match value {
                        "solid" => Filling::Solid,
                        "gradient" => Filling::Gradient,
                        "bitmap" => Filling::Bitmap,
                        "hatch" => Filling::Hatch,
                        _ => Filling::None,
                    });
                }
                "fill-color" => self.colour = Colour::parse(value).or(self.colour),
                // Fill of table cells, and of pages in older versions.
                "background-color" => match Colour::parse(value) {
                    Some(colour) => {
                        (self.fill, self.colour) = (Some(Filling::Solid), Some(colour));
                    }
                    None => self.fill = self.fill.or(Some(Filling::None)),
                },
                "opacity" => self.opacity = percent(value),
                "fill-gradient-name" => self.gradient = named(),
                "fill-hatch-name" => self.hatch = named(),
                "fill-image-name" => self.bitmap = named(),
                "stroke" => {
                    self.stroke = Some(match value {
                        "none" => Stroke::None,
                        "dash" => Stroke::Dash,
                        _ => Stroke::Solid,
                    });
                }
                "stroke-dash" => self.dash = named(),
                "stroke-width" => self.width = emu(value).or(self.width),
                "stroke-color" => self.stroke_colour = Colour::parse(value).or(self.stroke_colour),
                "stroke-opacity" => self.stroke_opacity = percent(value),
                "marker-start" => self.markers[0] = named(),
                "marker-end" => self.markers[1] = named(),
                "padding" => self.paddings = [emu(value); 4],
                "padding-left" => self.paddings[0] = emu(value),
                "padding-top" => self.paddings[1] = emu(value),
                "padding-right" => self.paddings[2] = emu(value),
                "padding-bottom" => self.paddings[3] = emu(value),
                "textarea-vertical-align" | "vertical-align" => {
                    self.anchor = match value {
                        "middle" => Some(VerticalAlignment::Middle),
                        "bottom" => Some(VerticalAlignment::Bottom),
                        _ => Some(VerticalAlignment::Top),
                    }
                }
                "textarea-horizontal-align" => self.centred = Some(value == "center"),
                "wrap-option" => self.wraps = Some(value != "no-wrap"),
                "auto-grow-width" => self.grows = Some(value == "true"),
                "writing-mode" => self.turned = Some(value.starts_with("tb")),
                "clip" => self.clip = clip(value),
                _ => {}
            }
        }
    }
}

impl PageStyle {
    /// Overrides the properties that another style states.
    fn put(&mut self, above: &Self) {
        put(&mut self.hidden, &above.hidden);
        put(&mut self.background, &above.background);
        put(&mut self.objects, &above.objects);
        put_all(&mut self.furniture, &above.furniture);
    }

    /// Reads a `style:drawing-page-properties` element.
    pub(super) fn read(&mut self, element: &Element<'_>) {
        for (name, value) in element.attributes() {
            let is_true = Some(value == "true");
            match name {
                "visibility" => self.hidden = Some(value == "hidden"),
                "background-visible" => self.background = is_true,
                "background-objects-visible" => self.objects = is_true,
                "display-header" => self.furniture[0] = is_true,
                "display-footer" => self.furniture[1] = is_true,
                "display-page-number" => self.furniture[2] = is_true,
                "display-date-time" => self.furniture[3] = is_true,
                _ => {}
            }
        }
    }
}

impl Properties {
    /// Overrides the properties that another style states.
    pub(super) fn put(&mut self, above: &Self) {
        self.shape.put(&above.shape);
        self.paragraph.put(&above.paragraph);
        self.run.put(&above.run);
        self.page.put(&above.page);
        put(&mut self.extent, &above.extent);
        put(&mut self.list, &above.list);
    }

    /// Reads the children of the open style. `list` reads a list style in its `style:graphic-properties`, and returns
    /// the name of that list style.
    pub(super) fn read(
        &mut self,
        xml: &mut Reader<'_>,
        fonts: &FontFaces,
        list: &mut dyn FnMut(&mut Reader<'_>, &Element<'_>) -> Result<Box<str>>,
    ) -> Result<()> {
        let level = xml.level();
        while let Some(child) = xml.next_element(level)? {
            match child.name {
                "graphic-properties" => {
                    self.shape.read(&child);
                    while let Some(inner) = xml.next_element(level + 1)? {
                        match inner.name {
                            "list-style" => self.list = Some(list(xml, &inner)?),
                            "columns" => self.shape.columns = Some(columns(&inner)),
                            _ => {}
                        }
                    }
                }
                "drawing-page-properties" => {
                    self.shape.read(&child);
                    self.page.read(&child);
                }
                "table-cell-properties" => {
                    self.shape.read(&child);
                    self.paragraph.read(&child);
                }
                "paragraph-properties" => self.paragraph.read(&child),
                "text-properties" => self.run.read(&child, fonts),
                "table-column-properties" => {
                    self.extent = super::place::length(&child, "column-width");
                }
                "table-row-properties" => {
                    let height = super::place::length(&child, "row-height");
                    self.extent = height.or(super::place::length(&child, "min-row-height"));
                }
                _ => {}
            }
        }
        Ok(())
    }
}
