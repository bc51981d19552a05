//! Layouts and masters (ECMA-376 part 1, 19.3.1.39 and 19.3.1.42): what slides take from them. Follows no relationship.

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

/// A layout or a master.
#[derive(Default)]
pub(super) struct Template {
    pub(super) scope: Scope,
    pub(super) placeholders: Vec<Placeholder>,
    /// Frames that every slide shows that uses it.
    pub(super) frames: Rc<Vec<Frame>>,
    pub(super) background: Option<Fill>,
    /// Whether the master's frames are shown, too.
    pub(super) shows_master: bool,
    /// The master of a layout.
    pub(super) master: Option<Rc<Template>>,
    /// The text styles of a master.
    pub(super) titles: ListStyle,
    pub(super) bodies: ListStyle,
    pub(super) others: ListStyle,
}

/// Type and index of a placeholder (19.3.1.36).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) kind: Kind,
    pub(super) number: Option<i64>,
}

/// The kinds of placeholders, as far as they differ (19.7.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Title,
    Subtitle,
    Body,
    /// A picture, table, chart, or anything.
    Object,
    Date,
    Footer,
    Header,
    Number,
    /// The picture of the slide on a page of notes.
    Slide,
}

/// A placeholder: properties that frames in it inherit.
pub(super) struct Placeholder {
    pub(super) slot: Slot,
    pub(super) place: Option<Place>,
    pub(super) body: BodyStyle,
    pub(super) list: ListStyle,
    pub(super) fill: Option<Fill>,
    pub(super) line: Option<LineStyle>,
    pub(super) geometry: Option<Geometry>,
}

impl Slot {
    /// Reads a `p:ph`.
    pub(super) fn read(node: &Node<'_>) -> Self {
        let kind = match node.attribute("type").as_deref() {
            Some("title" | "ctrTitle") => Kind::Title,
            Some("subTitle") => Kind::Subtitle,
            Some("body") => Kind::Body,
            Some("dt") => Kind::Date,
            Some("ftr") => Kind::Footer,
            Some("hdr") => Kind::Header,
            Some("sldNum") => Kind::Number,
            Some("sldImg") => Kind::Slide,
            _ => Kind::Object,
        };
        Self {
            kind,
            number: number(node, "idx"),
        }
    }

    /// Role of a frame in it.
    pub(super) fn role(self) -> Role {
        match self.kind {
            Kind::Title => Role::Title,
            Kind::Subtitle => Role::Subtitle,
            Kind::Body | Kind::Object => Role::Body,
            Kind::Date | Kind::Footer | Kind::Header | Kind::Number | Kind::Slide => {
                Role::Furniture
            }
        }
    }
}

impl Template {
    /// The background of slides that have none of their own.
    pub(super) fn background(&self) -> Option<&Fill> {
        let master = || self.master.as_ref()?.background.as_ref();
        self.background.as_ref().or_else(master)
    }

    /// The placeholder of a layout that a frame on a slide belongs to: that with the same number, else of the same kind.
    pub(super) fn of_slide(&self, slot: Slot) -> Option<&Placeholder> {
        let mut all = self.placeholders.iter();
        let numbered = slot.number.filter(|number| *number > 0).and_then(|number| {
            self.placeholders
                .iter()
                .find(|one| one.slot.number == Some(number))
        });
        numbered.or_else(|| all.find(|one| one.slot.kind == slot.kind))
    }

    /// The placeholder of a master that one of a layout belongs to.
    pub(super) fn of_layout(&self, slot: Slot) -> Option<&Placeholder> {
        let kind = match slot.kind {
            Kind::Subtitle | Kind::Object => Kind::Body,
            kind => kind,
        };
        self.placeholders.iter().find(|one| one.slot.kind == kind)
    }

    /// The text style of a master for a frame in this placeholder, or in none.
    pub(super) fn style(&self, slot: Option<Slot>) -> &ListStyle {
        match slot.map(|slot| slot.kind) {
            Some(Kind::Title) => &self.titles,
            Some(Kind::Subtitle | Kind::Body | Kind::Object) => &self.bodies,
            Some(Kind::Date | Kind::Footer | Kind::Header | Kind::Number | Kind::Slide) | None => {
                &self.others
            }
        }
    }
}
