//! Translation of OfficeArt shapes to DrawingML, so that they are drawn by the same code as those of later workbooks
//! (MS-ODRAW 2.2.14, 2.3; ECMA-376 part 1, 20.5). Draws nothing.

use super::{objects::Object, styles::Fonts};
use crate::{coding::escape::escaped, containers::fields::Fields, shown::book::Palette};
use convertd_office::{
    art::{Properties, Record, geometry, is_line, property},
    drawing::{Command, Geometry, Outline},
};
use convertd_tree::{Colour, POINT};
use std::fmt::Write as _;

// Types of OfficeArt records (MS-ODRAW 2.2).
/// A group of shapes (`OfficeArtSpgrContainer`).
const GROUP: u16 = 0xf003;
/// A shape (`OfficeArtSpContainer`).
const SHAPE: u16 = 0xf004;
/// Coordinate system of a group (`OfficeArtFSPGR`).
const SPACE: u16 = 0xf009;
/// Type and flags of a shape (`OfficeArtFSP`).
const ATOM: u16 = 0xf00a;
/// Position of a shape in its group (`OfficeArtChildAnchor`).
const CHILD_ANCHOR: u16 = 0xf00f;
/// Marker of an object record (`OfficeArtClientData`).
const OBJECT: u16 = 0xf011;

/// Shape type of a text box.
const TEXT_BOX: u16 = 202;

/// Maximum nesting of groups.
const MAX_DEPTH: usize = 32;
/// Maximum length of the result, in bytes.
const MAX: usize = 4 << 20;

/// A rectangle: left, top, width and height.
type Frame = [i64; 4];

/// Translator of a shape or group.
pub(super) struct Markup<'m> {
    /// Colours to which shapes refer by index.
    palette: &'m Palette,
    /// Fonts to which texts refer by index.
    fonts: &'m Fonts,
    /// Objects of its shapes, in the same order.
    objects: std::slice::Iter<'m, &'m Object>,
    /// Result so far.
    xml: String,
}

impl<'m> Markup<'m> {
    /// Creates a translator. `objects` are the objects of the shape or of all shapes in the group.
    pub(super) fn new(palette: &'m Palette, fonts: &'m Fonts, objects: &'m [&'m Object]) -> Self {
        Self {
            palette,
            fonts,
            objects: objects.iter(),
            xml: String::new(),
        }
    }

    /// Translates an anchored drawing with a width and height in points. `None` if the result is too long.
    pub(super) fn write(
        mut self,
        record: Record<'_>,
        (width, height): (f32, f32),
    ) -> Option<String> {
        let emu = |points: f32| (points.clamp(0.0, 1e5) * POINT as f32) as i64;
        let frame = [0, 0, emu(width), emu(height)];
        self.xml.push_str(
            "<xdr:wsDr xmlns:xdr=\"http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing\" \
             xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\">",
        );
        self.record(record, Some(frame), MAX_DEPTH)?;
        self.xml.push_str("</xdr:wsDr>");
        Some(self.xml)
    }

    /// Translates a shape or group. Without a `frame` its position is the one that it states within its group.
    fn record(&mut self, record: Record<'_>, frame: Option<Frame>, depth: usize) -> Option<()> {
        if self.xml.len() > MAX {
            return None;
        }
        match record.kind {
            SHAPE => self.shape(record, frame.or_else(|| child_frame(record))),
            GROUP if depth > 0 => {
                let first = record.child(SHAPE)?;
                self.object(first);
                let frame = frame.or_else(|| child_frame(first));
                let within = first.child(SPACE).map(|space| frame_of_edges(space.data));
                let (Some(frame), Some(within)) = (frame, within) else {
                    return Some(());
                };
                self.xml.push_str("<xdr:grpSp><xdr:grpSpPr><a:xfrm>");
                self.frame(frame, ["off", "ext"]);
                self.frame(within, ["chOff", "chExt"]);
                self.xml.push_str("</a:xfrm></xdr:grpSpPr>");
                for inner in record.records().skip(1) {
                    self.record(inner, None, depth - 1)?;
                }
                self.xml.push_str("</xdr:grpSp>");
            }
            _ => {}
        }
        Some(())
    }

    /// Returns the next object if the shape has an object record.
    fn object(&mut self, shape: Record<'_>) -> Option<&'m Object> {
        shape.child(OBJECT)?;
        self.objects.next().copied()
    }

    /// Translates a shape. Angles are in 65,536ths of a degree in OfficeArt, and in 60,000ths in DrawingML.
    fn shape(&mut self, shape: Record<'_>, frame: Option<Frame>) {
        let object = self.object(shape);
        let (Some(frame), Some(atom)) = (frame, shape.child(ATOM)) else {
            return;
        };
        let flags = atom.data.u32(4);
        let properties = Properties::of(shape);
        let turn = properties.value(property::ROTATION).unwrap_or(0);
        let turn = f64::from(turn.cast_signed()) / 65_536.0 * 60_000.0;
        let _ = write!(
            self.xml,
            "<xdr:sp><xdr:spPr><a:xfrm rot=\"{}\" flipH=\"{}\" flipV=\"{}\">",
            turn.round(),
            u8::from(flags & 0x40 != 0),
            u8::from(flags & 0x80 != 0)
        );
        self.frame(frame, ["off", "ext"]);
        self.xml.push_str("</a:xfrm>");
        self.geometry(atom.instance, &properties, frame);
        self.fill(&properties, is_line(atom.instance));
        self.line(&properties);
        self.xml.push_str("</xdr:spPr>");
        if let Some(object) = object {
            self.text(object, atom.instance == TEXT_BOX);
        }
        self.xml.push_str("</xdr:sp>");
    }

    /// Writes the geometry of a shape: its own outline, or the preset of DrawingML for its type.
    fn geometry(&mut self, kind: u16, properties: &Properties<'_>, frame: Frame) {
        let [_, _, width, height] = frame.map(|side| side as f64);
        match geometry(kind, properties, (width, height)) {
            Some(Geometry::Drawn(outline, size)) => self.outline(&outline, size),
            Some(Geometry::Preset(name, adjusts)) => {
                let _ = write!(self.xml, "<a:prstGeom prst=\"{name}\"><a:avLst>");
                for (name, value) in adjusts {
                    let _ = write!(self.xml, "<a:gd name=\"{name}\" fmla=\"val {value:.0}\"/>");
                }
                self.xml.push_str("</a:avLst></a:prstGeom>");
            }
            _ => self.xml.push_str("<a:prstGeom prst=\"rect\"/>"),
        }
    }

    /// Writes a position and size under the given element names.
    fn frame(&mut self, [x, y, width, height]: Frame, [corner, extent]: [&str; 2]) {
        let _ = write!(
            self.xml,
            "<a:{corner} x=\"{x}\" y=\"{y}\"/><a:{extent} cx=\"{width}\" cy=\"{height}\"/>"
        );
    }

    /// Writes the fill: solid, a vertical gradient between two colours, or no fill.
    fn fill(&mut self, properties: &Properties<'_>, is_open: bool) {
        if is_open || !properties.flag(property::FILL_FLAGS, 4).unwrap_or(true) {
            self.xml.push_str("<a:noFill/>");
            return;
        }
        let white = Colour(255, 255, 255);
        let fore = self.colour(properties.value(property::FILL_COLOUR), white);
        let kind = properties.value(property::FILL_KIND).unwrap_or(0);
        if (4..=8).contains(&kind) {
            let back = self.colour(properties.value(property::FILL_BACK), white);
            let _ = write!(
                self.xml,
                "<a:gradFill><a:gsLst><a:gs pos=\"0\">{}</a:gs><a:gs pos=\"100000\">{}</a:gs></a:gsLst><a:lin ang=\"5400000\"/></a:gradFill>",
                srgb(fore, None),
                srgb(back, None)
            );
            return;
        }
        let opacity = properties.value(property::FILL_OPACITY);
        let _ = write!(
            self.xml,
            "<a:solidFill>{}</a:solidFill>",
            srgb(fore, opacity)
        );
    }

    /// Writes the line of a shape. Widths are in English Metric Units in both formats.
    fn line(&mut self, properties: &Properties<'_>) {
        if !properties.flag(property::LINE_FLAGS, 3).unwrap_or(true) {
            self.xml.push_str("<a:ln><a:noFill/></a:ln>");
            return;
        }
        let colour = self.colour(properties.value(property::LINE_COLOUR), Colour(0, 0, 0));
        let width = properties.value(property::LINE_WIDTH).unwrap_or(9525);
        let dash = match properties.value(property::LINE_DASH).unwrap_or(0) {
            1 => "sysDash",
            2 | 5 => "sysDot",
            3 => "sysDashDot",
            4 => "sysDashDotDot",
            6 => "dash",
            7 => "lgDash",
            8 => "dashDot",
            9 => "lgDashDot",
            10 => "lgDashDotDot",
            _ => "solid",
        };
        let _ = write!(
            self.xml,
            "<a:ln w=\"{}\"><a:solidFill>{}</a:solidFill><a:prstDash val=\"{dash}\"/>",
            width.min(20_000_000),
            srgb(colour, None)
        );
        for (number, name) in property::LINE_ENDS.into_iter().zip(["headEnd", "tailEnd"]) {
            let end = match properties.value(number).unwrap_or(0) {
                1 => "triangle",
                2 => "stealth",
                3 => "diamond",
                4 => "oval",
                5 => "arrow",
                _ => continue,
            };
            let _ = write!(self.xml, "<a:{name} type=\"{end}\"/>");
        }
        self.xml.push_str("</a:ln>");
    }

    /// Resolves a colour (2.2.2): red, green and blue, or an index of the workbook's palette. A system colour becomes
    /// the default.
    fn colour(&self, value: Option<u32>, default: Colour) -> Colour {
        let Some([red, green, blue, flags]) = value.map(u32::to_le_bytes) else {
            return default;
        };
        match flags {
            _ if flags & 0x08 != 0 => self.palette.get(red.into()).unwrap_or(default),
            _ if flags & 0x10 != 0 => default,
            _ => Colour(red, green, blue),
        }
    }

    /// Writes an outline as paths.
    fn outline(&mut self, outline: &Outline, (width, height): (f64, f64)) {
        self.xml.push_str("<a:custGeom><a:pathLst>");
        for path in &outline.paths {
            let fill = if path.shade.is_some() { "norm" } else { "none" };
            let stroke = u8::from(path.stroked);
            let _ = write!(
                self.xml,
                "<a:path w=\"{width:.0}\" h=\"{height:.0}\" fill=\"{fill}\" stroke=\"{stroke}\">"
            );
            for command in &path.commands {
                match command {
                    Command::Move(x, y) => self.step("moveTo", &[*x, *y]),
                    Command::Line(x, y) => self.step("lnTo", &[*x, *y]),
                    Command::Curve(points) => self.step("cubicBezTo", points),
                    Command::Close => self.xml.push_str("<a:close/>"),
                }
            }
            self.xml.push_str("</a:path>");
        }
        self.xml.push_str("</a:pathLst></a:custGeom>");
    }

    /// Writes a path command with its points, which are pairs of x and y.
    fn step(&mut self, name: &str, points: &[f64]) {
        let _ = write!(self.xml, "<a:{name}>");
        for point in points.chunks_exact(2) {
            let _ = write!(
                self.xml,
                "<a:pt x=\"{:.0}\" y=\"{:.0}\"/>",
                point[0], point[1]
            );
        }
        let _ = write!(self.xml, "</a:{name}>");
    }

    /// Writes the text of a shape, with its alignment and the font of its first run.
    fn text(&mut self, object: &Object, is_box: bool) {
        let text = &object.text;
        if text.words.trim().is_empty() {
            return;
        }
        let anchor = match text.place.1 {
            2 => "ctr",
            3 => "b",
            _ => "t",
        };
        let align = match text.place.0 {
            2 => "ctr",
            3 => "r",
            _ => "l",
        };
        // Shapes with rounded corners keep text away from the corners, so shapes other than text boxes get smaller
        // insets than the default.
        let inset = if is_box {
            ""
        } else {
            " lIns=\"45720\" rIns=\"45720\""
        };
        let _ = write!(
            self.xml,
            "<xdr:txBody><a:bodyPr anchor=\"{anchor}\"{inset}/>"
        );
        let run_properties = self.run_properties(text.font);
        for line in text.words.split('\n') {
            let words = escaped(line);
            let _ = write!(
                self.xml,
                "<a:p><a:pPr algn=\"{align}\"/><a:r>{run_properties}<a:t>{words}</a:t></a:r></a:p>"
            );
        }
        self.xml.push_str("</xdr:txBody>");
    }

    /// Run properties for a font.
    fn run_properties(&self, font: Option<u16>) -> String {
        let Some(font) = font.and_then(|font| self.fonts.get(font)) else {
            return "<a:rPr sz=\"1000\"/>".to_owned();
        };
        format!(
            "<a:rPr sz=\"{}\" b=\"{}\" i=\"{}\"><a:solidFill>{}</a:solidFill><a:latin typeface=\"{}\"/></a:rPr>",
            (font.size * 100.0).round(),
            u8::from(font.bold),
            u8::from(font.italic),
            srgb(font.colour.unwrap_or(Colour(0, 0, 0)), None),
            escaped(&font.name)
        )
    }
}

/// Frame of a shape in the coordinate system of its group.
fn child_frame(shape: Record<'_>) -> Option<Frame> {
    shape
        .child(CHILD_ANCHOR)
        .map(|place| frame_of_edges(place.data))
}

/// Converts left, top, right and bottom edges to a frame.
fn frame_of_edges(data: Fields<'_>) -> Frame {
    let [left, top, right, bottom] = [0, 4, 8, 12].map(|at| i64::from(data.i32(at)));
    [
        left.min(right),
        top.min(bottom),
        (right - left).abs(),
        (bottom - top).abs(),
    ]
}

/// Writes a colour with an optional opacity, in 65,536ths.
fn srgb(Colour(red, green, blue): Colour, opacity: Option<u32>) -> String {
    let rgb = format!("{red:02X}{green:02X}{blue:02X}");
    match opacity.filter(|opacity| *opacity < 65_536) {
        Some(opacity) => format!(
            "<a:srgbClr val=\"{rgb}\"><a:alpha val=\"{}\"/></a:srgbClr>",
            u64::from(opacity) * 100_000 / 65_536
        ),
        None => format!("<a:srgbClr val=\"{rgb}\"/>"),
    }
}
