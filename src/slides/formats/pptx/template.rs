//! Layouts and masters (ECMA-376 part 1, 19.3.1.39 and 19.3.1.42): the properties that slides inherit. Follows no
//! relationship.

use super::{
    scope::Scope,
    styles::{BodyStyle, ListStyle},
};
use crate::{
    containers::xml::Node,
    deck::{Frame, Role},
};
use convertd_office::drawing::{Fill, Geometry, LineStyle, Place, number};
use std::rc::Rc;

/// A layout or master.
#[derive(Default)]
pub(super) struct Template {
    /// Relationships and theme of the part.
    pub(super) scope: Scope,
    /// Placeholders, from which shapes of slides inherit.
    pub(super) placeholders: Vec<Placeholder>,
    /// Frames that all slides of the layout or master show.
    pub(super) frames: Rc<Vec<Frame>>,
    pub(super) background: Option<Fill>,
    /// Whether the frames of the master are visible, too.
    pub(super) shows_master: bool,
    /// Master of a layout.
    pub(super) master: Option<Rc<Template>>,
    /// Text styles of a master for titles.
    pub(super) titles: ListStyle,
    /// Text styles of a master for subtitles, body texts and objects.
    pub(super) bodies: ListStyle,
    /// Text styles of a master for all other shapes.
    pub(super) others: ListStyle,
}

/// Type and index of a placeholder (19.3.1.36).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) kind: PlaceholderType,
    /// Index, by which a slide and its layout refer to the same placeholder.
    pub(super) number: Option<i64>,
}

/// Types of placeholders (19.7.10), as far as they matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlaceholderType {
    Title,
    Subtitle,
    Body,
    /// A picture, table or chart, or any content.
    Object,
    Date,
    Footer,
    Header,
    Number,
    /// Picture of the slide on a notes page.
    Slide,
}

/// A placeholder: the properties that shapes inherit from it. `None` if the placeholder does not state them.
pub(super) struct Placeholder {
    pub(super) slot: Slot,
    pub(super) place: Option<Place>,
    /// Properties of the text box.
    pub(super) body: BodyStyle,
    /// Text styles by level.
    pub(super) list: ListStyle,
    pub(super) fill: Option<Fill>,
    pub(super) line: Option<LineStyle>,
    pub(super) geometry: Option<Geometry>,
}

impl Slot {
    /// Reads a `p:ph`.
    pub(super) fn read(node: &Node<'_>) -> Self {
        let kind = match node.attribute("type").as_deref() {
            Some("title" | "ctrTitle") => PlaceholderType::Title,
            Some("subTitle") => PlaceholderType::Subtitle,
            Some("body") => PlaceholderType::Body,
            Some("dt") => PlaceholderType::Date,
            Some("ftr") => PlaceholderType::Footer,
            Some("hdr") => PlaceholderType::Header,
            Some("sldNum") => PlaceholderType::Number,
            Some("sldImg") => PlaceholderType::Slide,
            _ => PlaceholderType::Object,
        };
        Self {
            kind,
            number: number(node, "idx"),
        }
    }

    /// Returns the role of frames in the placeholder.
    pub(super) fn role(self) -> Role {
        match self.kind {
            PlaceholderType::Title => Role::Title,
            PlaceholderType::Subtitle => Role::Subtitle,
            PlaceholderType::Body | PlaceholderType::Object => Role::Body,
            PlaceholderType::Date
            | PlaceholderType::Footer
            | PlaceholderType::Header
            | PlaceholderType::Number
            | PlaceholderType::Slide => Role::Furniture,
        }
    }
}

impl Template {
    /// Returns the background for slides that state no background.
    pub(super) fn background(&self) -> Option<&Fill> {
        let master = || self.master.as_ref()?.background.as_ref();
        self.background.as_ref().or_else(master)
    }

    /// Finds the placeholder of a layout for a shape of a slide: with the same index (from 1), or else of the same
    /// type.
    pub(super) fn of_slide(&self, slot: Slot) -> Option<&Placeholder> {
        let mut all = self.placeholders.iter();
        let numbered = slot.number.filter(|number| *number > 0).and_then(|number| {
            self.placeholders
                .iter()
                .find(|placeholder| placeholder.slot.number == Some(number))
        });
        numbered.or_else(|| all.find(|placeholder| placeholder.slot.kind == slot.kind))
    }

    /// Finds the placeholder of a master for a placeholder of a layout. The master's body placeholder serves
    /// subtitles and objects, too.
    pub(super) fn of_layout(&self, slot: Slot) -> Option<&Placeholder> {
        let kind = match slot.kind {
            PlaceholderType::Subtitle | PlaceholderType::Object => PlaceholderType::Body,
            kind => kind,
        };
        self.placeholders
            .iter()
            .find(|placeholder| placeholder.slot.kind == kind)
    }

    /// Returns the text style of a master for a placeholder, or for shapes without a placeholder.
    pub(super) fn style(&self, slot: Option<Slot>) -> &ListStyle {
        match slot.map(|slot| slot.kind) {
            Some(PlaceholderType::Title) => &self.titles,
            Some(PlaceholderType::Subtitle | PlaceholderType::Body | PlaceholderType::Object) => {
                &self.bodies
            }
            Some(
                PlaceholderType::Date
                | PlaceholderType::Footer
                | PlaceholderType::Header
                | PlaceholderType::Number
                | PlaceholderType::Slide,
            )
            | None => &self.others,
        }
    }
}
