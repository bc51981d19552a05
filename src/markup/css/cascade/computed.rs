//! Computed values of an element, from its declarations and the style of its parent (CSS Cascade 5, 4.4). Matches no
//! selectors.

use super::super::{
    colour::Paint,
    fonts::{MEDIUM, MONOSPACE, is_monospace},
    property::{Apply, Declaration, Stage},
    rgba::Rgba,
    style::{BackgroundBox, Decoration, Display, Float, Image, Layer, Position, Style, TextAlign},
    value::{Context, FontUnits},
    zoom,
};
use super::Measure;
use std::{cell::Cell, rc::Rc};

/// Context for computing a style.
pub struct StyleContext<'a> {
    pub parent: &'a Style,
    /// Root element's font size in px; `None` for the root element itself.
    pub root: Option<f32>,
    /// Viewport in px.
    pub viewport: (f32, f32),
    /// Measures fonts; without it, font-relative units are estimated.
    pub fonts: Option<&'a Measure<'a>>,
    /// Line height of the root element in px.
    pub root_line: Option<&'a Cell<f32>>,
    /// Number of steps so far, to which the substitution of custom properties adds its own.
    pub steps: &'a Cell<u64>,
}

impl StyleContext<'_> {
    /// Bases of font-relative lengths for a style. Fonts are measured only if `measures` is set, for lengths that
    /// depend on their metrics.
    fn units(&self, style: &Style, measures: bool) -> FontUnits {
        match self.fonts.filter(|_| measures) {
            Some(measure) => measure(style),
            None => {
                let default = FontUnits::estimated(style.text.size);
                FontUnits {
                    lh: style.line_height(default.lh),
                    ..default
                }
            }
        }
    }
}

/// Applies declarations in cascade order, weakest first.
///
/// Declarations run in stages, because later ones depend on earlier ones: custom properties are substituted into others,
/// `zoom` scales all lengths, the font size is the base of `em`, and the line height of `lh`.
pub fn compute(style: &mut Style, all: &[&Declaration], around: &StyleContext<'_>) {
    // `em` and `lh` refer to the parent until the font and line height of the element are known.
    let (parent, root) = (around.parent, around.root);
    let measures = all.iter().any(|one| one.measures);
    let mut apply = Apply {
        parent,
        context: Context {
            em: parent.text.size,
            rem: root.unwrap_or(MEDIUM),
            font: around.units(parent, measures),
            rlh: around.root_line.map_or(0.0, Cell::get),
            viewport: around.viewport,
            zoom: 1.0,
        },
        steps: around.steps,
    };
    let stage = |stage: Stage| all.iter().filter(move |one| one.stage == stage);
    // 1. Custom properties; substitution in later stages reads them.
    if all.iter().any(|one| one.stage == Stage::Custom) {
        stage(Stage::Custom).for_each(|one| (one.set)(style, &apply));
    }
    // 2. `zoom`, which scales every length after it.
    stage(Stage::Zoom).for_each(|one| (one.set)(style, &apply));
    zoom::magnify(style);
    apply.context.zoom = style.text.zoom;
    apply.context.em *= style.zoom;
    // 3. Font properties. From here on `em` is the element's own font size.
    stage(Stage::Font).for_each(|one| (one.set)(style, &apply));
    monospace(style, parent);
    apply.context.em = style.text.size;
    // On the root element `rem` is its own font size, without zoom (CSS Values 4, 6.1).
    if root.is_none() {
        apply.context.rem = style.text.size / style.text.zoom;
    }
    // 4. The line height, and with it the units of font metrics.
    stage(Stage::Line).for_each(|one| (one.set)(style, &apply));
    apply.context.font = around.units(style, measures);
    // The root element records its line height for the `rlh` of all others.
    if let (None, Some(line)) = (root, around.root_line) {
        line.set(apply.context.font.lh);
        apply.context.rlh = apply.context.font.lh;
    }
    // 5. Everything else.
    stage(Stage::Other).for_each(|one| (one.set)(style, &apply));
}

/// Adapts the font size where the font family changes to or from just `monospace`, for which browsers have a default of
/// 13 px instead of 16 px. Sizes that do not derive from the default size, such as lengths in px, stay.
fn monospace(style: &mut Style, parent: &Style) {
    let (own, before) = (is_monospace(style), is_monospace(parent));
    if own == before || !style.text.plain_size {
        return;
    }
    let text = Rc::make_mut(&mut style.text);
    // The inherited size is based on the other default, so it is multiplied by the ratio of the two defaults.
    text.size *= if own {
        MONOSPACE / MEDIUM
    } else {
        MEDIUM / MONOSPACE
    };
}

/// Adjusts values that depend on one another (CSS 2.2, 9.7; CSS Display 3, 2.7).
pub(super) fn adjust(style: &mut Style, parent: &Style, is_root: bool) {
    // An absolutely positioned box does not float (CSS 2.2, 9.7).
    if style.is_absolute() {
        style.float = Float::None;
    }
    // Children of `display: contents` are items of the container around it.
    let parent_lays_out = parent.has_items() || parent.passes_items;
    style.passes_items = style.display == Display::Contents && parent_lays_out;
    // `clip` applies to absolutely positioned boxes only (CSS 2.2, 11.1.2).
    if style.is_absolute() && style.clip.is_some() {
        style.clip_path = style.clip.take();
    }
    // `z-index` applies to positioned boxes, and to flex and grid items (CSS 2.2, 9.9.1; CSS Flexbox 1, 5.4).
    if style.position == Position::Static && !parent_lays_out {
        style.z_index = None;
    }
    fill_text(style);
    // `page: auto` uses the named page of the parent (CSS Paged Media 3).
    if style.page.is_none() {
        style.page = parent.page.clone();
    }
    // `translate`, `rotate` and `scale` come before `transform` (CSS Transforms 2).
    if style.moves.iter().any(Option::is_some) {
        let own = style.moves.iter_mut().filter_map(Option::take);
        style.transforms = own.chain(style.transforms.iter().cloned()).collect();
    }
    // The static position of an absolutely positioned box depends on its original display type.
    style.was_inline = style.is_absolute() && style.is_inline_level();
    // Out-of-flow boxes, the root, and flex and grid items are blockified (CSS Display 3, 2.7).
    if style.is_absolute() || style.float != Float::None || is_root || parent_lays_out {
        style.display = match style.display {
            Display::Inline | Display::InlineBlock => Display::Block,
            Display::InlineFlex => Display::Flex,
            Display::InlineGrid => Display::Grid,
            Display::InlineTable => Display::Table,
            Display::RowGroup
            | Display::HeadGroup
            | Display::FootGroup
            | Display::Row
            | Display::Cell
            | Display::Column
            | Display::ColumnGroup
            | Display::Caption => Display::Block,
            other => other,
        };
    }
    // `float` has no effect on flex and grid items (CSS Flexbox 1, 3; CSS Grid 1, 5.1).
    if parent_lays_out && !style.is_absolute() {
        style.float = Float::None;
    }
    if style.text.align == TextAlign::MatchParent {
        Rc::make_mut(&mut style.text).align = parent.text.align;
    }
    // Text decorations propagate to descendants, except into out-of-flow boxes and atomic inlines (CSS Text Decoration
    // 3, 2).
    let alone = style.is_absolute_or_floats()
        || matches!(
            style.display,
            Display::InlineBlock | Display::InlineTable | Display::InlineFlex | Display::InlineGrid
        );
    if alone && !style.text.decorations.is_empty() {
        Rc::make_mut(&mut style.text).decorations = Rc::from([]);
    }
    let Decoration {
        under,
        over,
        through,
        ..
    } = style.decoration;
    // A decoration keeps the colour of the element that specifies it, also on descendants.
    if under || over || through {
        let text = Rc::make_mut(&mut style.text);
        let own = Decoration {
            colour: style
                .decoration_colour
                .map_or(text.colour, |paint| paint.or(text.colour)),
            ..style.decoration
        };
        text.decorations = text.decorations.iter().copied().chain([own]).collect();
    }
}

/// Handles `-webkit-text-fill-color` and `background-clip: text`. Backgrounds are not clipped to glyphs; transparent
/// text gets a colour from the middle of the gradient, or the background colour, instead.
fn fill_text(style: &mut Style) {
    if let Some(fill) = style.text_fill {
        let colour = fill.or(style.text.colour);
        Rc::make_mut(&mut style.text).colour = colour;
    }
    if style.background_clip != BackgroundBox::Text {
        return;
    }
    // The middle stop of the first gradient represents the whole gradient.
    let colours = |layer: &Layer| match &layer.image {
        Image::Gradient(gradient) => {
            let (_, paint) = gradient.stops.get(gradient.stops.len() / 2)?;
            Some(*paint)
        }
        Image::None | Image::Url(_) => None,
    };
    let paint = style.layers.iter().find_map(colours);
    let colour = paint.unwrap_or(style.background).or(style.text.colour);
    style.layers = Rc::from([]);
    style.background = Paint::Rgba(Rgba::CLEAR);
    // Authors hide the text to let the gradient show through; here the text must stay visible.
    if style.text.colour.alpha < 0.5 && !colour.is_clear() {
        Rc::make_mut(&mut style.text).colour = colour;
    }
}

impl Style {
    /// Returns whether a box is out of flow.
    fn is_absolute_or_floats(&self) -> bool {
        self.is_absolute() || self.float != Float::None
    }
}
