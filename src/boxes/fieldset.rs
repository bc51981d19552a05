//! Fieldsets and their legends (HTML, 15.3.13): the top border runs through the middle of the legend and is hidden
//! behind it. Does not lay out form controls.

use super::{
    decor::Frame,
    engine::{Containing, Engine},
    fragment::{Fragment, FragmentContent as Made, Role, Sides},
    generate::Generator,
    paint::{Node, Painter},
    positioned::relative_offset,
    shadows,
    sizing::{down, margins},
    tree::{BoxContent, BoxId},
};
use crate::error::Result;
use convertd_layout::item::{Area, Item};
use convertd_markup::{
    css::style::{LEFT, RIGHT, Style, TOP},
    dom::NodeId,
};
use std::rc::Rc;

/// A laid out legend.
pub(crate) struct Legend {
    /// Border box of the legend.
    fragment: Rc<Fragment>,
    margin: Sides,
    /// Offset of the legend if it is relatively positioned.
    moved: (f32, f32),
    /// Height of the legend's margin box, in px.
    pub height: f32,
}

impl Generator<'_, '_> {
    /// Takes the rendered legend (the first in-flow `legend` child, HTML, 15.3.13) out of a
    /// fieldset's children. A flex or grid container has no rendered legend here.
    pub(super) fn set_legend_apart(&mut self, dom: NodeId, id: BoxId) {
        if self.dom.tag(dom) != "fieldset" || self.boxes.get(id).style.has_items() {
            return;
        }
        let BoxContent::Blocks(children) = &self.boxes.get(id).kind else {
            return;
        };
        let is_legend = |child: &BoxId| {
            let own = self.boxes.get(*child);
            let flows = !own.style.is_absolute() && !own.style.floats();
            flows && own.dom.is_some_and(|dom| self.dom.tag(dom) == "legend")
        };
        let Some(at) = children.iter().position(is_legend) else {
            return;
        };
        let node = self.boxes.get_mut(id);
        if let BoxContent::Blocks(children) = &mut node.kind {
            node.legend = Some(children.remove(at));
        }
    }
}

impl Engine<'_, '_> {
    /// Lays out the legend of a box, shrink-to-fit (HTML, 15.3.13). Returns `None` for a box
    /// without a legend.
    pub(crate) fn legend(&mut self, id: BoxId, inner: Containing) -> Result<Option<Legend>> {
        let Some(legend) = self.boxes.get(id).legend else {
            return Ok(None);
        };
        let style = self.style(legend).clone();
        let margin = margins(&style, inner.width).map(Option::unwrap_or_default);
        let room = inner.width - margin[LEFT] - margin[RIGHT];
        let fragment = self.shrunk(legend, inner, room, Role::Flow)?;
        Ok(Some(Legend {
            height: fragment.height + down(&margin),
            moved: relative_offset(&style, inner),
            fragment,
            margin,
        }))
    }
}

impl Legend {
    /// Adds the legend to the fieldset's fragment, whose content begins `left` px from its left
    /// edge.
    pub(super) fn add_to(self, fragment: &mut Fragment, left: f32) {
        let (dx, dy) = self.moved;
        let x = left + self.margin[LEFT] + dx;
        fragment.add(x, self.margin[TOP] + dy, self.fragment);
    }
}

impl Painter<'_> {
    /// Paints a fieldset with its border behind the legend left out. Returns `false` for a box
    /// without legend, which it does not paint.
    ///
    /// Layout has widened the top border to hold the legend. The painted border has the specified width, and runs
    /// through the middle of that space.
    pub(super) fn around_legend(&mut self, frame: &Frame, node: &Node<'_>, filled: bool) -> bool {
        let Made::Box { id, .. } = &node.fragment.kind else {
            return false;
        };
        let legend = self.boxes.find(*id).and_then(|own| own.legend);
        let is_legend = |fragment: &Fragment| match &fragment.kind {
            Made::Box { id, .. } => Some(*id) == legend,
            _ => false,
        };
        // The legend's fragment is a child of the fieldset's.
        let mut children = node.fragment.children.iter();
        let Some(child) = children.find(|child| is_legend(&child.fragment)) else {
            return false;
        };
        let caption = Area {
            x: node.x + child.x,
            y: node.y + child.y,
            width: child.fragment.width,
            height: child.fragment.height,
        };
        let mut border = frame.border;
        border[TOP] = frame.style.border[TOP].width();
        let lowered = (frame.border[TOP] - border[TOP]) / 2.0;
        let own = Frame {
            area: Area {
                y: frame.area.y + lowered,
                height: frame.area.height - lowered,
                ..frame.area
            },
            style: frame.style.clone(),
            border,
            padding: frame.padding,
        };
        // The border is painted everywhere except in the border box of the legend.
        let hole = Frame {
            area: caption,
            style: Rc::new(Style::default()),
            border: [0.0; 4],
            padding: [0.0; 4],
        };
        // Everything except the border is painted first, and then the border alone, clipped.
        self.frame(&own, node, false, filled);
        let before = std::mem::take(&mut self.items);
        self.border(&own, node.clip);
        let items = std::mem::replace(&mut self.items, before);
        self.items.push(Item::Clipped {
            path: self.path(&shadows::outside(&hole)),
            items,
        });
        true
    }
}
