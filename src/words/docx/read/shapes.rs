//! Shapes of DrawingML in a document (MS-ODRAWXML, 2.1 and 2.2: `wps:wsp`, their groups and canvases). All shapes of
//! one frame become one drawing; the texts in them become text boxes. Does not position frames on the page.

use super::{
    body::Body,
    drawing::{Shown, shows_anything},
};
use crate::{
    containers::xml::{Element, Node, Reader},
    error::Result,
};
use convertd_office::{
    drawing::{
        self, Fill, FillStyle, Geometry, LineStyle, Place, Rgba, Sketch, Sketched, Space, flag,
        number,
    },
    wordprocessing::losses,
};
use convertd_tree::{Anchor, Colour, Edges, Frame, Length, Picture, VerticalAlignment, Wrap};
use std::rc::Rc;

/// Default insets of text in a shape, in English Metric Units (EMU): left, top, right, bottom (`a:bodyPr`,
/// 21.1.2.1.1).
const INSETS: [i64; 4] = [91_440, 45_720, 91_440, 45_720];

/// Limit on the nesting of groups. Deeper groups are left out.
const MAX_GROUPS: usize = 32;

/// Limit on the total size of the pictures of shapes in a document, in bytes. Each use unpacks a picture again.
const MAX_PICTURES: usize = 1 << 30;

/// Text in a shape.
pub(super) struct Words<'x> {
    /// Reader at the beginning of the text.
    pub(super) content: Reader<'x>,
    /// Distances from the edges of the frame to the text.
    pub(super) insets: Edges,
    /// Vertical position.
    pub(super) anchor: VerticalAlignment,
    /// Rotation in degrees, clockwise.
    pub(super) turn: f64,
    /// Middle of the shape, about which the text is rotated, in EMU from the upper left corner of the frame.
    pub(super) middle: (Length, Length),
    /// Whether the lines run up or down.
    pub(super) sideways: bool,
    /// Default colour of the text, from the style of the shape.
    pub(super) colour: Option<Rgba>,
    /// Colour of the background.
    pub(super) ground: Option<Rgba>,
    /// Whether the shape is as high as its text.
    pub(super) fits: bool,
}

/// Shapes of one frame while they are read.
pub(super) struct Group<'x> {
    /// Drawing of the shapes.
    pub(super) sketch: Sketch,
    /// Width and height of the frame, in EMU.
    pub(super) size: (f64, f64),
    /// Texts of the shapes, which are read after the drawing.
    pub(super) words: Vec<Words<'x>>,
    /// Nesting depth of groups.
    pub(super) depth: usize,
}

/// Properties of a group that its members inherit.
#[derive(Clone)]
struct GroupProperties {
    /// Coordinate system of the members.
    space: Space,
    /// Fill of members that refer to the fill of their group (`a:grpFill`).
    fill: Fill,
}

impl<'x> Body<'_, '_, 'x> {
    /// Reads the content of a frame: a `wps:wsp`, `wpg:wgp` or `wpc:wpc`, which is the innermost open element.
    pub(super) fn shapes(&mut self, element: &Element<'x>, shown: &mut Shown) -> Result<()> {
        let side = |length: Option<Length>| length.map_or(0.0, |length| length.to_emu() as f64);
        let size = (side(shown.width), side(shown.height));
        let mut group = Group {
            sketch: Sketch::new(size.0, size.1),
            size,
            words: Vec::new(),
            depth: 0,
        };
        let around = GroupProperties {
            space: Space::SHEET,
            fill: Fill::None,
        };
        match element.name {
            "wsp" => self.shape(&mut group, &around, true)?,
            _ => self.group(&mut group, around, true)?,
        }
        self.show(group, shown)
    }

    /// Adds a drawing and its texts to the document. If there is exactly one text in a floating frame, the drawing
    /// becomes the background of its text box. Otherwise the texts are separate boxes in front of the drawing.
    pub(super) fn show(&mut self, group: Group<'x>, shown: &mut Shown) -> Result<()> {
        let Group {
            sketch, mut words, ..
        } = group;
        // Empty texts are left out.
        words.retain(|words| shows_anything(&mut words.content.clone()).unwrap_or(false));
        if sketch.is_cut {
            self.story.build.lost(&losses::LONG_DRAWINGS);
        }
        let frame = shown.frame.clone().unwrap_or_default();
        let is_letter = frame.anchor == Anchor::Letter;
        // An inline drawing with text needs its space in the line, even if nothing of it is visible.
        let is_visible = !sketch.is_empty() || (is_letter && !words.is_empty());
        let mut drawing = match is_visible {
            true => Some(Box::new(self.sketched(sketch.finish(), shown)?)),
            false => None,
        };
        // Only a floating drawing with exactly one text becomes the background of that text. All others become
        // pictures.
        if (is_letter || words.len() != 1)
            && let Some(picture) = drawing.take()
        {
            // A floating drawing needs its frame. An inline drawing needs it only for texts, which refer to the drawing
            // by the number in the frame.
            let needs_frame = !is_letter || !words.is_empty();
            self.story.picture(Picture {
                frame: needs_frame.then(|| Box::new(frame.clone())),
                ..*picture
            });
        }
        let is_alone = words.len() == 1;
        let wrap = match is_alone {
            true => frame.wrap,
            false => Wrap::None,
        };
        for words in words {
            let fits = words.fits && is_alone;
            let text = Frame {
                wrap,
                insets: words.insets,
                text: words.anchor,
                turn: words.turn as f32,
                // The middle of a shape that grows with its text is that of its frame.
                pivot: (!fits).then_some(words.middle),
                sideways: words.sideways,
                colour: words.colour.map(plain),
                ground: words.ground.map(plain),
                fits,
                // Several texts of a floating drawing are in front of its shapes.
                order: frame.order + i64::from(!is_alone && !is_letter),
                backdrop: drawing.take(),
                ..frame.clone()
            };
            self.boxes.push((words.content, Some(Box::new(text))));
            self.story.anchor();
        }
        Ok(())
    }

    /// Adds a drawing to the resources, and returns it as a picture.
    fn sketched(&mut self, drawing: Sketched, shown: &mut Shown) -> Result<Picture> {
        shown.pictures += 1;
        Ok(Picture {
            alternative: shown.alternative.clone(),
            title: shown.title.clone(),
            ..self.story.sketched(drawing)?
        })
    }

    /// Reads a group of shapes, which may be nested. Its members have coordinates of their own, which the transform
    /// of the group maps to the coordinates outside. `is_whole` means that the group fills the frame.
    fn group(
        &mut self,
        group: &mut Group<'x>,
        mut around: GroupProperties,
        is_whole: bool,
    ) -> Result<()> {
        let level = self.xml.level();
        group.depth += 1;
        while let Some(element) = self.xml.next_element(level)? {
            match (element.space, element.name) {
                // The transform of the group, and the fill for its members.
                ("wpg", "grpSpPr") => {
                    let node = Node::read(&mut self.xml, element)?;
                    if let Some(transform) = node.child("a", "xfrm") {
                        around.space = match is_whole {
                            true => whole(transform, group.size),
                            false => around.space.group(transform),
                        };
                    }
                    if let Some(fill) = FillStyle::read(&node) {
                        around.fill = self.fill(&fill, None, &around.fill)?;
                    }
                }
                // Members of groups that are nested too deeply are left out.
                _ if group.depth > MAX_GROUPS => self.story.build.lost(&losses::DRAWINGS),
                ("wps", "wsp") => self.shape(group, &around, false)?,
                ("pic", "pic") => self.grouped_picture(group, &around, element)?,
                ("wpg", "grpSp" | "wgp") => self.group(group, around.clone(), false)?,
                ("mc", "AlternateContent" | "Choice") => {
                    self.group(group, around.clone(), false)?
                }
                // Charts and diagrams in groups are not supported.
                ("wpg", "graphicFrame") => self.story.build.lost(&losses::DRAWINGS),
                _ => {}
            }
        }
        group.depth -= 1;
        Ok(())
    }

    /// Draws a `pic:pic`, the innermost open element of `xml`, rotated by `turn` degrees clockwise. Returns false if
    /// its file cannot be drawn.
    pub(super) fn turned_picture(
        &mut self,
        mut xml: Reader<'x>,
        element: Element<'x>,
        turn: f64,
        shown: &mut Shown,
    ) -> Result<bool> {
        let side = |length: Option<Length>| length.map_or(0.0, |length| length.to_emu() as f64);
        let size = (side(shown.width), side(shown.height));
        let node = Node::read(&mut xml, element)?;
        let picture = node
            .child("pic", "blipFill")
            .and_then(drawing::PictureFill::read);
        let Some(picture) = picture else {
            return Ok(false);
        };
        // Linked pictures have no bytes in the file, and are not drawn.
        let Some(bytes) = self.picture_bytes(&picture.id)? else {
            return Ok(false);
        };
        let Some(drawn) = drawing::Shown::of(&bytes, picture.crop, picture.alpha) else {
            return Ok(false);
        };
        let mut group = Group {
            sketch: Sketch::new(size.0, size.1),
            size,
            words: Vec::new(),
            depth: 0,
        };
        let place = Place {
            width: size.0,
            height: size.1,
            turn,
            ..Place::default()
        };
        group.sketch.picture(&place, &drawn);
        self.show(group, shown)?;
        Ok(true)
    }

    /// Adds a picture in a group to the drawing of the group.
    fn grouped_picture(
        &mut self,
        group: &mut Group<'x>,
        around: &GroupProperties,
        element: Element<'x>,
    ) -> Result<()> {
        let node = Node::read(&mut self.xml, element)?;
        let own = node.child("pic", "spPr");
        let place = own
            .and_then(|own| own.child("a", "xfrm"))
            .and_then(Place::read);
        let picture = node
            .child("pic", "blipFill")
            .and_then(drawing::PictureFill::read);
        let (Some(place), Some(picture)) = (place, picture) else {
            return Ok(());
        };
        let place = around.space.on_sheet(place);
        match self.picture_bytes(&picture.id)? {
            Some(bytes) => {
                if let Some(shown) = drawing::Shown::of(&bytes, picture.crop, picture.alpha) {
                    group.sketch.picture(&place, &shown);
                }
            }
            None => self.story.build.lost(&losses::MISSING),
        }
        Ok(())
    }

    /// Reads a `wps:wsp`, the innermost open element. Its own properties take precedence over those that its style
    /// refers to in the theme. `is_whole` means that the shape fills the frame.
    fn shape(
        &mut self,
        group: &mut Group<'x>,
        around: &GroupProperties,
        is_whole: bool,
    ) -> Result<()> {
        let level = self.xml.level();
        let (mut own, mut style, mut body, mut content) = (None, None, None, None);
        while let Some(element) = self.xml.next_element(level)? {
            match element.name {
                "spPr" => own = Some(Node::read(&mut self.xml, element)?),
                "style" => style = Some(Node::read(&mut self.xml, element)?),
                "bodyPr" => body = Some(Node::read(&mut self.xml, element)?),
                // The text is read later, from a copy of the reader at its beginning.
                "txbx" => {
                    let level = self.xml.level();
                    while let Some(element) = self.xml.next_element(level)? {
                        if element.name == "txbxContent" {
                            content = Some(self.xml.clone());
                        }
                    }
                }
                _ => {}
            }
        }
        let transform = own.as_ref().and_then(|own| own.child("a", "xfrm"));
        let place = transform.and_then(Place::read);
        // The frame determines the size of a shape that fills it.
        let place = match is_whole {
            true => Place {
                x: 0.0,
                y: 0.0,
                width: group.size.0,
                height: group.size.1,
                ..place.unwrap_or_default()
            },
            false => around.space.on_sheet(place.unwrap_or_default()),
        };
        let theme = self.context.theme(self.story)?;
        // Reference to a format of the theme: its number, and the colour that replaces the placeholder in it
        // (20.1.4.1).
        let refers = |name: &str| {
            let reference = style.as_ref()?.child("a", name)?;
            let colour = drawing::Colour::read(reference);
            let colour = colour.map(|colour| colour.resolve(&theme.palette, None));
            Some((number(reference, "idx").unwrap_or(0), colour))
        };
        // The fill of the shape, or else that of its style.
        let fill = match own.as_ref().and_then(FillStyle::read) {
            Some(fill) => self.fill(&fill, None, &around.fill)?,
            None => match refers("fillRef") {
                Some((number, colour)) => match theme.fill(number) {
                    Some(fill) => self.fill(fill, colour, &around.fill)?,
                    None => Fill::None,
                },
                None => Fill::None,
            },
        };
        // The line of the shape. Its style supplies the properties that the shape does not state.
        let line = own
            .as_ref()
            .and_then(|own| own.child("a", "ln"))
            .map(LineStyle::read);
        let mut line = line.unwrap_or_default();
        let mut colour = None;
        if let Some((number, own)) = refers("lnRef") {
            colour = own;
            if let Some(below) = theme.line(number) {
                line = line.over(below);
            }
        }
        let line = line.resolve(&theme.palette, colour);
        if own.as_ref().is_some_and(has_effects) {
            self.story.build.lost(&losses::EFFECTS);
        }
        let geometry = own.as_ref().and_then(Geometry::read).unwrap_or_default();
        let outline = geometry.outline(place.width, place.height);
        // The fill may be a picture.
        let picture = match &fill {
            Fill::Picture(picture) => {
                let bytes = self.picture_bytes(&picture.id)?;
                bytes.map(|bytes| (bytes, picture.clone()))
            }
            _ => None,
        };
        let picture = picture
            .as_ref()
            .and_then(|(bytes, picture)| drawing::Shown::of(bytes, picture.crop, picture.alpha));
        group
            .sketch
            .shape(&place, &outline.paths, &fill, line.as_ref(), picture);
        if let Some(content) = content {
            // The style may state the colour of the text.
            let letters = refers("fontRef").and_then(|(_, colour)| colour);
            group.words.push(words(
                content,
                body.as_ref(),
                &place,
                outline.text,
                group.size,
                letters,
                fill.colour(),
            ));
        }
        Ok(())
    }

    /// Resolves a fill with the colours of the theme.
    fn fill(&mut self, style: &FillStyle, colour: Option<Rgba>, group: &Fill) -> Result<Fill> {
        let theme = self.context.theme(self.story)?;
        Ok(style.resolve(&theme.palette, colour, group))
    }

    /// Bytes of a picture by its relationship. `None` if it is missing, or if all pictures together exceed
    /// [`MAX_PICTURES`].
    pub(super) fn picture_bytes(&mut self, id: &str) -> Result<Option<Rc<Vec<u8>>>> {
        let relationships = self.context.relationships.clone();
        let Some(part) = relationships.get(id).filter(|part| !part.external) else {
            return Ok(None);
        };
        if self.context.pictures_size > MAX_PICTURES {
            return Ok(None);
        }
        let bytes = self.context.bytes(self.story, &part.target)?;
        self.context.pictures_size += bytes.as_ref().map_or(0, Vec::len);
        Ok(bytes.map(Rc::new))
    }
}

/// Creates the text of a shape at `place` with the text rectangle `[left, top, right, bottom]`, in a frame of `size`.
/// Insets become distances from the edges of the frame.
fn words<'x>(
    content: Reader<'x>,
    body: Option<&Node<'_>>,
    place: &Place,
    [left, top, right, bottom]: [f64; 4],
    size: (f64, f64),
    colour: Option<Rgba>,
    ground: Option<Rgba>,
) -> Words<'x> {
    let inset = |at: usize, name| {
        let own = body.and_then(|body| number(body, name));
        own.unwrap_or(INSETS[at]).clamp(0, 51_206_400) as f64
    };
    let emu = |length: f64| Length::emu(length as i64);
    let attribute = |name| body.and_then(|body| body.attribute(name));
    // Rotation of the text in degrees, and whether its lines run down or up.
    let (quarter, sideways) = match attribute("vert").as_deref() {
        Some("vert" | "eaVert" | "mongolianVert") => (90.0, true),
        Some("vert270") => (270.0, true),
        _ => (0.0, false),
    };
    // Upright text is not rotated with the shape.
    let upright = body.and_then(|body| flag(body, "upright")).unwrap_or(false);
    // Text is not mirrored, but it is rotated with a shape that is upside down.
    let head = if place.flips.1 { 180.0 } else { 0.0 };
    let turn = if upright { 0.0 } else { place.turn + head };
    Words {
        content,
        insets: Edges {
            left: emu(place.x + left + inset(0, "lIns")),
            top: emu(place.y + top + inset(1, "tIns")),
            right: emu(size.0 - place.x - right + inset(2, "rIns")),
            bottom: emu(size.1 - place.y - bottom + inset(3, "bIns")),
        },
        anchor: match attribute("anchor").as_deref() {
            Some("ctr") => VerticalAlignment::Middle,
            Some("b") => VerticalAlignment::Bottom,
            _ => VerticalAlignment::Top,
        },
        turn: turn + quarter,
        middle: place.pivot(),
        sideways,
        colour,
        ground,
        fits: body.is_some_and(|body| body.child("a", "spAutoFit").is_some()) && !sideways,
    }
}

/// Converts a colour to a colour of text, which has no opacity.
fn plain(colour: Rgba) -> Colour {
    let [red, green, blue] = colour.rgb;
    Colour(red, green, blue)
}

/// Coordinate system of a group that fills a frame of this size.
fn whole(transform: &Node<'_>, (width, height): (f64, f64)) -> Space {
    let at = |name: &str, [x, y]: [&str; 2]| {
        let node = transform.child("a", name)?;
        Some((number(node, x)? as f64, number(node, y)? as f64))
    };
    let own = Place::read(transform).unwrap_or_default();
    let place = Place {
        x: 0.0,
        y: 0.0,
        width,
        height,
        ..own
    };
    // Without coordinates of its own (`chOff`, `chExt`), the group has those of its position and size.
    let offset = at("chOff", ["x", "y"]).unwrap_or((own.x, own.y));
    let extent = at("chExt", ["cx", "cy"]).unwrap_or((own.width, own.height));
    Space::SHEET.inside(place, offset, extent)
}

/// Returns whether a shape has effects, such as a shadow or a glow, or has depth. Neither is drawn.
fn has_effects(own: &Node<'_>) -> bool {
    let effects = own.child("a", "effectLst");
    effects.is_some_and(|effects| !effects.children.is_empty())
        || own
            .child("a", "sp3d")
            .is_some_and(|depth| !depth.children.is_empty())
}
