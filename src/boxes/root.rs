//! Layout of the root element in the initial containing block, and of boxes fixed to the page.
//! Paginates nothing.

use super::{
    engine::{Containing, Engine, LayoutInput},
    fragment::{Child, Fragment, FragmentContent, Pending, Role},
    positioned::relative_offset,
    sizing,
    tree::BoxId,
};
use crate::error::Result;
use convertd_markup::css::style::{LEFT, RIGHT, TOP};
use std::rc::Rc;

/// Lays out a document in a page area or viewport of this size. Returns the whole document without its fixed boxes, and
/// the fixed boxes.
pub(crate) fn laid_out(
    engine: &mut Engine<'_, '_>,
    root: BoxId,
    width: f32,
    height: f32,
) -> Result<(Fragment, Vec<Child>)> {
    engine.begin((width, height));
    let containing = Containing {
        width,
        height: Some(height),
    };
    let style = engine.style(root).clone();
    // A line serves as the outermost fragment, because it is a container without a box.
    let mut whole = Fragment::new(FragmentContent::Line, width, height);
    // An absolutely positioned root is placed like any other absolute box (CSS 2.2, 10.1).
    if style.is_absolute() {
        let pending = Pending {
            id: root,
            x: 0.0,
            y: 0.0,
        };
        let (x, y, fragment) = engine.absolute(&pending, &style, containing, (0.0, 0.0))?;
        whole.add(x, y, fragment);
        return finished(engine, whole, containing);
    }
    let margin = sizing::margins(&style, width).map(|margin| margin.unwrap_or(0.0));
    let input = LayoutInput {
        id: root,
        width: engine.width(root, width, width - margin[LEFT] - margin[RIGHT], false)?,
        height: engine.fixed_height(root, containing),
        containing,
    };
    let fragment = engine.independent(input, Role::Flow)?;
    let (dx, dy) = relative_offset(&style, containing);
    whole.add(margin[LEFT] + dx, margin[TOP] + dy, fragment);
    finished(engine, whole, containing)
}

/// Places boxes whose containing block is the initial containing block, and the fixed boxes (CSS 2.2, 10.1). The
/// document is as high as its lowest child.
fn finished(
    engine: &mut Engine<'_, '_>,
    mut whole: Fragment,
    containing: Containing,
) -> Result<(Fragment, Vec<Child>)> {
    let height = whole.height;
    engine.place_pending(&mut whole, [0.0; 4], false)?;
    whole.height = whole
        .children
        .iter()
        .map(|child| child.y + child.fragment.height)
        .fold(0.0, f32::max);
    let mut fixed = Vec::new();
    // A static position below the first page becomes relative to the page that contains it.
    for pending in std::mem::take(&mut whole.pending) {
        let style = engine.style(pending.id).clone();
        let static_position = (pending.x, pending.y.rem_euclid(height.max(1.0)));
        let (x, y, mut fragment) =
            engine.absolute(&pending, &style, containing, static_position)?;
        Rc::make_mut(&mut fragment).pending = Vec::<Pending>::new();
        fixed.push(Child { x, y, fragment });
    }
    Ok((whole, fixed))
}
