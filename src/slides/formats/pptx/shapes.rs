//! Reads the shape tree of a slide, layout or master (ECMA-376 part 1, 19.3.1.45) into frames. The XML of only one
//! shape at a time is in memory.

use super::{
    graphic,
    scope::Scope,
    source::Pptx,
    styles::{BodyStyle, ListStyle, RunStyle},
    template::{Placeholder, Slot, Template},
    text::{self, Layers},
};
use crate::{
    containers::xml::{Element, Node, Reader},
    deck::{Content, Frame, Picture, Role, Shape},
    error::Result,
};
use convertd_office::drawing::{
    self, Colour, Fill, FillStyle, Geometry, Line, LineStyle, Place, Rgba, Space, flag, number,
};
use convertd_tree::losses::Loss;
use std::rc::Rc;

pub(super) static MEDIA: Loss = Loss {
    one: "A sound or video was left out.",
    many: "{} sounds and videos were left out.",
};

static INK: Loss = Loss {
    one: "A freehand drawing was left out.",
    many: "{} freehand drawings were left out.",
};

/// Reader of a shape tree.
pub(super) struct Shapes<'s, 'a> {
    pub(super) pptx: &'s mut Pptx<'a>,
    /// Relationships and theme of the part.
    pub(super) scope: Scope,
    /// Background of the part, or else of its layout or master.
    pub(super) background: Option<Fill>,
    /// Layout of a slide, or master of a layout.
    pub(super) template: Option<Rc<Template>>,
    /// Whether the part is a layout or master. Its placeholders do not become frames.
    pub(super) is_template: bool,
    /// Placeholders that were found, if the part is a layout or master.
    pub(super) placeholders: Vec<Placeholder>,
}

/// Properties that a group passes to its members.
#[derive(Clone)]
pub(super) struct Group {
    /// Transform of the coordinates within the group.
    pub(super) space: Space,
    /// Fill of the group, for members with `a:grpFill`.
    pub(super) fill: Fill,
}

/// Returns whether the non-visual properties of a shape (19.3.1.12) hide it.
fn is_hidden(properties: &Node<'_>) -> bool {
    let own = properties.named("cNvPr");
    own.is_some_and(|own| flag(own, "hidden") == Some(true))
}

/// Returns whether a shape is hidden. The attribute is in an element `cNvPr`, the child of one of the shape's child
/// elements.
fn describes_hidden(shape: &Node<'_>) -> bool {
    shape.children.iter().any(is_hidden)
}

impl Group {
    /// Returns the properties of the whole slide.
    pub(super) fn slide() -> Self {
        Self {
            space: Space::SHEET,
            fill: Fill::None,
        }
    }
}

impl Shapes<'_, '_> {
    /// Reads the shapes in the innermost open element.
    pub(super) fn tree(&mut self, xml: &mut Reader<'_>, group: &Group) -> Result<Vec<Frame>> {
        let level = xml.level();
        let mut group = group.clone();
        let (mut frames, mut hidden) = (Vec::new(), false);
        while let Some(element) = xml.next_element(level)? {
            if element.name == "nvGrpSpPr" {
                hidden = is_hidden(&Node::read(xml, element)?);
                continue;
            }
            if element.name == "grpSpPr" {
                let node = Node::read(xml, element)?;
                if let Some(transform) = node.child("a", "xfrm") {
                    group.space = group.space.group(transform);
                }
                if let Some(fill) = FillStyle::read(&node) {
                    group.fill = self.scope.fill(&fill, None, &group.fill);
                }
                continue;
            }
            self.element(xml, element, &group, &mut frames)?;
        }
        // Members of a hidden group are hidden, too.
        frames.retain(|_| !hidden);
        Ok(frames)
    }

    /// Reads an element of a shape tree (ECMA-376 part 1, 19.3.1.45): a shape, connector, picture, group, or a frame
    /// with a table, chart or diagram.
    fn element<'x>(
        &mut self,
        xml: &mut Reader<'x>,
        element: Element<'x>,
        group: &Group,
        frames: &mut Vec<Frame>,
    ) -> Result<()> {
        match element.name {
            "sp" | "cxnSp" => {
                let node = Node::read(xml, element)?;
                // A hidden placeholder still passes its properties to the shapes that inherit from it.
                let frame = self.shape(&node, group);
                frames.extend(frame.filter(|_| !describes_hidden(&node)));
            }
            "pic" => {
                let node = Node::read(xml, element)?;
                if !describes_hidden(&node) {
                    frames.push(self.picture(&node, group));
                }
            }
            "graphicFrame" => {
                let node = Node::read(xml, element)?;
                if !describes_hidden(&node) {
                    frames.extend(graphic::read(self, &node, group)?);
                }
            }
            "grpSp" => {
                let children = self.tree(xml, group)?;
                if !children.is_empty() {
                    frames.push(Frame::group(children));
                }
            }
            "AlternateContent" => self.alternatives(xml, group, frames)?,
            "contentPart" => self.pptx.losses.add(&INK),
            _ => {}
        }
        Ok(())
    }

    /// Reads alternate content (ECMA-376 part 3, 9.3). The fallback is preferred, because it consists of older kinds of
    /// shapes. A choice that requires `a14` is an exception: it contains formulas, whose fallback is only a picture, so
    /// the choice is taken.
    fn alternatives(
        &mut self,
        xml: &mut Reader<'_>,
        group: &Group,
        frames: &mut Vec<Frame>,
    ) -> Result<()> {
        let level = xml.level();
        let mut best = Vec::new();
        let mut is_formula = false;
        while let Some(choice) = xml.next_element(level)? {
            let needs = choice.attribute("Requires").unwrap_or_default();
            if is_formula || (!best.is_empty() && choice.name == "Choice") {
                continue;
            }
            is_formula = needs.split_whitespace().any(|needs| needs == "a14");
            let level = xml.level();
            let mut found = Vec::new();
            while let Some(element) = xml.next_element(level)? {
                self.element(xml, element, group, &mut found)?;
            }
            if !found.is_empty() {
                best = found;
            }
        }
        frames.append(&mut best);
        Ok(())
    }

    /// Finds the placeholders from which a frame inherits: the placeholder of the master, then the placeholder of the
    /// layout.
    fn above(&self, slot: Option<Slot>) -> [Option<&Placeholder>; 2] {
        let Some((slot, template)) = slot.zip(self.template.as_ref()) else {
            return [None; 2];
        };
        match &template.master {
            // A slide, with a layout and its master.
            Some(master) => {
                let own = template.of_slide(slot);
                let slot = own.map_or(slot, |own| own.slot);
                [master.of_layout(slot), own]
            }
            None if self.is_template => [template.of_layout(slot), None],
            None => [template.of_layout(slot), template.of_slide(slot)],
        }
    }

    /// Reads a `p:sp`, `p:cxnSp` or `dsp:sp`. The fill comes from the shape itself, its theme style, the placeholder of
    /// the layout, or the placeholder of the master, in this order; for lines, the placeholders come before the theme
    /// style. In a layout or master, placeholders are stored and do not become frames.
    pub(super) fn shape(&mut self, node: &Node<'_>, group: &Group) -> Option<Frame> {
        let properties = properties(node);
        let slot = properties.and_then(|own| own.1).map(Slot::read);
        let own = node.named("spPr");
        let above = self.above(slot);
        let [master, layout] = above;
        let place = own
            .and_then(|own| own.child("a", "xfrm"))
            .and_then(Place::read)
            .map(|place| group.space.on_sheet(place))
            .or_else(|| layout.and_then(|placeholder| placeholder.place))
            .or_else(|| master.and_then(|placeholder| placeholder.place));
        let style = node.named("style");
        // Number and colour of a reference to the theme.
        let refers = |name: &str| {
            let reference = style?.child("a", name)?;
            let colour = Colour::read(reference);
            let colour = colour.map(|colour| colour.resolve(&self.scope.palette, None));
            Some((number(reference, "idx").unwrap_or(0), colour))
        };
        let fill = match own.and_then(FillStyle::read) {
            // The shape is filled with the background of the slide, as if nothing were behind the shape.
            _ if flag(node, "useBgFill") == Some(true) => {
                let plain = Fill::Solid(Rgba::opaque([255; 3]));
                self.background.clone().unwrap_or(plain)
            }
            Some(fill) => self.scope.fill(&fill, None, &group.fill),
            None => {
                let styled = refers("fillRef").and_then(|(number, colour)| {
                    let fill = self.scope.theme.fill(number)?;
                    Some(self.scope.fill(fill, colour, &group.fill))
                });
                // The theme style of the shape takes precedence over its placeholders.
                let below = || {
                    let below = [layout, master].into_iter().flatten();
                    below
                        .filter_map(|placeholder| placeholder.fill.clone())
                        .next()
                };
                styled.or_else(below).unwrap_or_default()
            }
        };
        let line_style = own
            .and_then(|own| own.child("a", "ln"))
            .map(LineStyle::read);
        let geometry = own.and_then(Geometry::read);
        let line = self.line(line_style.clone(), refers("lnRef"), [layout, master]);
        if self.is_template
            && let Some(slot) = slot
        {
            let body = node.named("txBody");
            let list = body.and_then(|body| body.child("a", "lstStyle"));
            let body = body.and_then(|body| body.child("a", "bodyPr"));
            let has_fill = own.and_then(FillStyle::read).is_some() || refers("fillRef").is_some();
            let placeholder = Placeholder {
                slot,
                place,
                body: body.map(BodyStyle::read).unwrap_or_default(),
                list: list.map(ListStyle::read).unwrap_or_default(),
                fill: has_fill.then_some(fill),
                line: line_style,
                geometry,
            };
            self.placeholders.push(placeholder);
            return None;
        }
        // Colour of the text, from the theme style.
        let letters = refers("fontRef").map(|(_, colour)| RunStyle {
            colour: node
                .named("style")
                .and_then(|style| style.child("a", "fontRef"))
                .and_then(Colour::read)
                .filter(|_| colour.is_some())
                .map(Some),
            ..RunStyle::default()
        });
        let text = node.named("txBody").map(|body| {
            let layers = self.layers(slot, above, letters.unwrap_or_default());
            text::body(&self.scope, body, &layers)
        });
        let text = text.filter(|text| !text.is_blank());
        let geometry = geometry.or_else(|| {
            let above = above.into_iter().rev().flatten();
            above
                .filter_map(|placeholder| placeholder.geometry.clone())
                .next()
        });
        let (alternative, link) = self.described(node);
        // A placeholder without text, fill and line is invisible, so it is left out.
        if slot.is_some() && text.is_none() && matches!(fill, Fill::None) && line.is_none() {
            return None;
        }
        Some(Frame {
            place,
            role: slot.map_or(Role::Other, Slot::role),
            alternative,
            link,
            content: Content::Shape(Box::new(Shape {
                geometry: geometry.unwrap_or_default(),
                fill,
                line,
                text,
            })),
        })
    }

    /// Returns the text styles of a frame, the most general first: defaults, styles of the master, and placeholders.
    pub(super) fn layers<'l>(
        &'l self,
        slot: Option<Slot>,
        above: [Option<&'l Placeholder>; 2],
        own: RunStyle,
    ) -> Layers<'l> {
        let template = self.template.as_deref();
        let master = template.map(|template| template.master.as_deref().unwrap_or(template));
        let mut lists = vec![&self.pptx.defaults];
        lists.extend(master.map(|master| master.style(slot)));
        let above = above.into_iter().flatten();
        lists.extend(above.clone().map(|placeholder| &placeholder.list));
        Layers {
            bodies: above.map(|placeholder| &placeholder.body).collect(),
            lists,
            own,
        }
    }

    /// Resolves the line of a shape: its own properties, then those of its placeholders, then the theme line to which
    /// its style refers.
    fn line(
        &self,
        own: Option<LineStyle>,
        style: Option<(i64, Option<Rgba>)>,
        below: [Option<&Placeholder>; 2],
    ) -> Option<Line> {
        let mut line = own.unwrap_or_default();
        for below in below.into_iter().flatten() {
            if let Some(below) = &below.line {
                line = line.over(below);
            }
        }
        let mut colour = None;
        if let Some((number, own)) = style {
            colour = own;
            if let Some(below) = self.scope.theme.line(number) {
                line = line.over(below);
            }
        }
        line.resolve(&self.scope.palette, colour)
    }

    /// Reads a `p:pic`. Sounds and films are pictures, too, and show their preview.
    pub(super) fn picture(&mut self, node: &Node<'_>, group: &Group) -> Frame {
        let properties = properties(node);
        let slot = properties.and_then(|own| own.1).map(Slot::read);
        let own = node.named("spPr");
        let [master, layout] = self.above(slot);
        let place = own
            .and_then(|own| own.child("a", "xfrm"))
            .and_then(Place::read)
            .map(|place| group.space.on_sheet(place))
            .or_else(|| layout.and_then(|placeholder| placeholder.place))
            .or_else(|| master.and_then(|placeholder| placeholder.place));
        let line = own
            .and_then(|own| own.child("a", "ln"))
            .map(LineStyle::read);
        let line = line.and_then(|line| line.resolve(&self.scope.palette, None));
        let fill = node.named("blipFill").and_then(drawing::PictureFill::read);
        let media = properties.is_some_and(|(properties, _)| {
            let mut all = properties.children.iter();
            all.any(|child| {
                matches!(
                    child.element.name,
                    "audioFile" | "videoFile" | "wavAudioFile"
                )
            })
        });
        if media {
            self.pptx.losses.add(&MEDIA);
        }
        let (alternative, link) = self.described(node);
        let picture = Picture {
            name: fill
                .as_ref()
                .map(|fill| self.scope.part(&fill.id))
                .unwrap_or_default(),
            crop: fill.map(|fill| fill.crop).unwrap_or_default(),
            line,
        };
        Frame {
            place,
            role: slot.map_or(Role::Other, Slot::role),
            alternative,
            link,
            content: Content::Picture(Box::new(picture)),
        }
    }

    /// Returns the alternative text of a frame and the target of a click on it.
    pub(super) fn described(&self, node: &Node<'_>) -> (Box<str>, Option<Box<str>>) {
        let mut all = node.children.iter().flat_map(|child| &child.children);
        let Some(own) = all.find(|child| child.element.name == "cNvPr") else {
            return Default::default();
        };
        let words = own.attribute("descr").unwrap_or_default();
        let link = self.scope.link(own);
        (words.trim().into(), link.map(|link| link.as_ref().into()))
    }
}

/// Returns the non-visual properties of a frame, and its placeholder.
fn properties<'n, 'x>(node: &'n Node<'x>) -> Option<(&'n Node<'x>, Option<&'n Node<'x>>)> {
    let mut all = node.children.iter().flat_map(|child| &child.children);
    let own = all.find(|child| child.element.name == "nvPr")?;
    Some((own, own.child("p", "ph")))
}
