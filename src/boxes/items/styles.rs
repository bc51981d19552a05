//! Styles of flex and grid containers and their items, in the types of `taffy`. Lays out nothing.

use super::super::{
    engine::{Containing, Engine},
    sizing::{across, down},
    tree::{BoxContent, BoxId},
};
use convertd_markup::css::{
    grids::gap,
    style::{
        Align, BoxSizing, Display, FlexDirection, FlexWrap, GridFlow, GridLine, Size, Style, Track,
        Tracks,
    },
    value::Length,
};
use taffy::{
    geometry::{Line, MinMax, Rect, Size as Pair},
    style::{
        self as grid, AlignContent, AlignItems, Dimension, GridPlacement, GridTemplateComponent,
        GridTemplateRepetition, LengthPercentage, LengthPercentageAuto, MaxTrackSizingFunction,
        MinTrackSizingFunction, RepetitionCount, TrackSizingFunction,
    },
    style_helpers::{line, span},
};

/// Minimum size of a track of `repeat(auto-fill)`, in px. It limits the number of tracks, which would be endless for
/// tracks of size 0.
const LEAST_TRACK: f32 = 1.0;

impl Engine<'_, '_> {
    /// Converts the style of an item for taffy. Lengths become border-box px; percentages without a
    /// base become `auto`.
    pub(super) fn item(&self, id: BoxId, parent: &Style, inner: Containing) -> grid::Style {
        let style = self.style(id);
        let (border, padding) = self.edges(id, inner.width);
        let edges = (
            across(&border) + across(&padding),
            down(&border) + down(&padding),
        );
        // A width of 0 means that the width is unknown, because the grid itself is measured.
        let known = (inner.width > 0.0).then_some(inner.width);
        // Length of a border-box side.
        let px = |size: &Size, base: Option<f32>, edges: f32| match size {
            Size::Length(length) => length.definite(base).map(|px| match style.sizing {
                BoxSizing::Content => px.max(0.0) + edges,
                BoxSizing::Border => px.max(edges),
            }),
            _ => None,
        };
        // Percentages in a grid refer to the area of the item. They are passed on only if `box-sizing` does not change
        // them.
        let in_grid = matches!(parent.display, Display::Grid | Display::InlineGrid);
        // Percentage that taffy resolves against the grid area.
        let part = |size: &Size, edges: f32| match size {
            Size::Length(length)
                if in_grid && (edges == 0.0 || style.sizing == BoxSizing::Border) =>
            {
                length.only_percent().map(|percent| percent / 100.0)
            }
            _ => None,
        };
        // Sizes, bounds and margins in taffy's types.
        let dimension = |size: &Size, base: Option<f32>, edges: f32| {
            part(size, edges)
                .map(Dimension::percent)
                .or_else(|| px(size, base, edges).map(Dimension::length))
                .unwrap_or(Dimension::auto())
        };
        let bound = |size: &Size, base: Option<f32>, edges: f32| {
            px(size, base, edges).map_or(LengthPercentageAuto::auto(), LengthPercentageAuto::length)
        };
        let margin = |side: usize| match &style.margin[side] {
            Size::Length(length) => LengthPercentageAuto::length(length.of(inner.width)),
            _ => LengthPercentageAuto::auto(),
        };
        // `flex-basis` is a width in rows and a height in columns (CSS Flexbox 1, 7.2).
        let basis = match parent.flex_direction {
            FlexDirection::Row | FlexDirection::RowReverse => {
                dimension(&style.flex_basis, known, edges.0)
            }
            _ => dimension(&style.flex_basis, inner.height, edges.1),
        };
        // Overflow decides the automatic minimum size (CSS Flexbox 1, 4.5).
        let visible = style.overflow == convertd_markup::css::style::Overflow::Visible;
        let overflow = if visible {
            grid::Overflow::Visible
        } else {
            grid::Overflow::Hidden
        };
        let [row_start, row_end, column_start, column_end] = &style.grid_lines;
        grid::Style {
            box_sizing: grid::BoxSizing::BorderBox,
            item_is_replaced: matches!(self.boxes.get(id).kind, BoxContent::Replaced(_)),
            overflow: taffy::geometry::Point {
                x: overflow,
                y: overflow,
            },
            size: Pair {
                width: dimension(&style.width, known, edges.0),
                height: dimension(&style.height, inner.height, edges.1),
            },
            min_size: Pair {
                width: bound(&style.min_width, known, edges.0),
                height: bound(&style.min_height, inner.height, edges.1),
            },
            max_size: Pair {
                width: bound(&style.max_width, known, edges.0),
                height: bound(&style.max_height, inner.height, edges.1),
            },
            margin: Rect {
                top: margin(0),
                right: margin(1),
                bottom: margin(2),
                left: margin(3),
            },
            // Taffy applies the aspect ratio to border boxes, so a ratio of another content box is not passed on.
            aspect_ratio: self
                .ratio(id)
                .filter(|_| style.sizing == BoxSizing::Border || edges == (0.0, 0.0)),
            flex_basis: basis,
            flex_grow: style.flex_grow.clamp(0.0, 1e6),
            flex_shrink: style.flex_shrink.clamp(0.0, 1e6),
            align_self: item_align(style.align_self),
            justify_self: item_align(style.justify_self),
            grid_row: Line {
                start: placement(row_start, parent, true, false),
                end: placement(row_end, parent, true, true),
            },
            grid_column: Line {
                start: placement(column_start, parent, false, false),
                end: placement(column_end, parent, false, true),
            },
            ..grid::Style::default()
        }
    }
}

/// Converts the style of a container for taffy: direction, wrapping, alignment, gaps and tracks.
/// Properties of the other display type have no effect.
pub(super) fn container(style: &Style, inner: Containing) -> grid::Style {
    let gaps = Pair {
        width: LengthPercentage::length(gap(style.column_gap.as_ref(), inner.width)),
        height: LengthPercentage::length(gap(style.row_gap.as_ref(), inner.height.unwrap_or(0.0))),
    };
    let areas = &style.grid_areas;
    // Percentages of an indefinite height count as `auto` (CSS Grid 2, 7.2.1).
    let mut columns = template(&style.grid_columns, inner.width, false);
    let mut rows = template(
        &style.grid_rows,
        inner.height.unwrap_or(0.0),
        inner.height.is_none(),
    );
    // Named areas create rows and columns beyond the track lists (CSS Grid 2, 7.3).
    let wide = areas.iter().map(Vec::len).max().unwrap_or(0).min(1000);
    let auto = || GridTemplateComponent::Single(track(&Track::Size(Size::Auto), 0.0, false));
    while columns.len() < wide {
        columns.push(auto());
    }
    while rows.len() < areas.len().min(1000) {
        rows.push(auto());
    }
    let is_grid = matches!(style.display, Display::Grid | Display::InlineGrid);
    grid::Style {
        display: if is_grid {
            grid::Display::Grid
        } else {
            grid::Display::Flex
        },
        box_sizing: grid::BoxSizing::BorderBox,
        flex_direction: match style.flex_direction {
            FlexDirection::Row => grid::FlexDirection::Row,
            FlexDirection::RowReverse => grid::FlexDirection::RowReverse,
            FlexDirection::Column => grid::FlexDirection::Column,
            FlexDirection::ColumnReverse => grid::FlexDirection::ColumnReverse,
        },
        flex_wrap: match style.flex_wrap {
            FlexWrap::Nowrap => grid::FlexWrap::NoWrap,
            FlexWrap::Wrap => grid::FlexWrap::Wrap,
            FlexWrap::WrapReverse => grid::FlexWrap::WrapReverse,
        },
        direction: match style.is_rtl() {
            true => grid::Direction::Rtl,
            false => grid::Direction::Ltr,
        },
        align_items: item_align(style.align_items).unwrap_or(AlignItems::NORMAL),
        justify_items: item_align(style.justify_items).unwrap_or(AlignItems::NORMAL),
        align_content: content_align(style.align_content),
        justify_content: content_align(style.justify_content),
        gap: gaps,
        grid_template_columns: columns,
        grid_template_rows: rows,
        grid_auto_columns: style
            .grid_auto_columns
            .iter()
            .map(|own| track(own, inner.width, false))
            .collect(),
        grid_auto_rows: style
            .grid_auto_rows
            .iter()
            .map(|own| track(own, 0.0, true))
            .collect(),
        grid_auto_flow: match style.grid_flow {
            GridFlow::Row => grid::GridAutoFlow::Row,
            GridFlow::Column => grid::GridAutoFlow::Column,
            GridFlow::Dense => grid::GridAutoFlow::RowDense,
            GridFlow::ColumnDense => grid::GridAutoFlow::ColumnDense,
        },
        ..grid::Style::default()
    }
}

/// Converts a track list (`grid-template-columns`). With `indefinite`, percentages count as `auto`.
/// Line names are resolved separately (see [`placement`]).
fn template(tracks: &[Tracks], base: f32, indefinite: bool) -> Vec<GridTemplateComponent<String>> {
    let mut all = Vec::new();
    for part in tracks {
        match part {
            Tracks::Names(_) => {}
            Tracks::One(own) => {
                all.push(GridTemplateComponent::Single(track(own, base, indefinite)))
            }
            Tracks::Repeat(Some(count), _, own) => {
                for _ in 0..*count {
                    let own = own.iter().map(|own| track(own, base, indefinite));
                    all.extend(own.map(GridTemplateComponent::Single));
                }
            }
            // `auto-fill` and `auto-fit`: taffy computes how often the tracks fit.
            Tracks::Repeat(None, fits, own) => {
                all.push(GridTemplateComponent::Repeat(GridTemplateRepetition {
                    count: match fits {
                        true => RepetitionCount::AutoFit,
                        false => RepetitionCount::AutoFill,
                    },
                    tracks: own
                        .iter()
                        .map(|own| filling(own, base, indefinite))
                        .collect(),
                    line_names: Vec::new(),
                }))
            }
        }
    }
    all
}

/// Converts a track of `repeat(auto-fill)` or `repeat(auto-fit)`. A fixed size, or a fixed minimum, becomes at least
/// [`LEAST_TRACK`].
fn filling(own: &Track, base: f32, indefinite: bool) -> TrackSizingFunction {
    let at_least = |size: &Size| match size {
        Size::Length(length) => Size::Length(Length::px(length.of(base).max(LEAST_TRACK))),
        other => other.clone(),
    };
    let own = match own {
        Track::Size(size) => Track::Size(at_least(size)),
        Track::MinMax(least, most) => match &**least {
            Track::Size(size) => Track::MinMax(Box::new(Track::Size(at_least(size))), most.clone()),
            _ => own.clone(),
        },
        _ => own.clone(),
    };
    track(&own, base, indefinite)
}

/// Converts a sizing function of a track: its minimum and maximum (CSS Grid 2, 7.2.1). A single size is both the
/// minimum and the maximum; `fr` and `fit-content()` have the minimum `auto`.
fn track(own: &Track, base: f32, indefinite: bool) -> TrackSizingFunction {
    let px = |length: &Length| match indefinite && length.has_percentage() {
        true => None,
        false => Some(length.of(base).max(0.0)),
    };
    let least = |own: &Track| match own {
        Track::Size(Size::Length(length)) => px(length).map_or(
            MinTrackSizingFunction::auto(),
            MinTrackSizingFunction::length,
        ),
        Track::Size(Size::MinContent) => MinTrackSizingFunction::min_content(),
        Track::Size(Size::MaxContent) => MinTrackSizingFunction::max_content(),
        _ => MinTrackSizingFunction::auto(),
    };
    let most = |own: &Track| match own {
        Track::Size(Size::Length(length)) => px(length).map_or(
            MaxTrackSizingFunction::auto(),
            MaxTrackSizingFunction::length,
        ),
        Track::Size(Size::MinContent) => MaxTrackSizingFunction::min_content(),
        Track::Size(Size::MaxContent) => MaxTrackSizingFunction::max_content(),
        Track::Fraction(fraction) => MaxTrackSizingFunction::fr(*fraction),
        Track::FitContent(length) => px(length).map_or(
            MaxTrackSizingFunction::auto(),
            MaxTrackSizingFunction::fit_content_px,
        ),
        _ => MaxTrackSizingFunction::auto(),
    };
    match own {
        Track::MinMax(one, other) => MinMax {
            min: least(one),
            max: most(other),
        },
        own => MinMax {
            min: least(own),
            max: most(own),
        },
    }
}

/// Converts a grid line (CSS Grid 2, 8.3). A name refers to an edge of a named area (with or without `-start` or
/// `-end`), or else to a line of this name.
fn placement(own: &GridLine, parent: &Style, row: bool, end: bool) -> GridPlacement<String> {
    match own {
        GridLine::Auto => GridPlacement::Auto,
        GridLine::Line(number) => line(*number),
        GridLine::Span(count) => span(*count),
        GridLine::Named(name, nth) => {
            let (bare, end) = match (name.strip_suffix("-start"), name.strip_suffix("-end")) {
                (Some(bare), _) => (bare, false),
                (_, Some(bare)) => (bare, true),
                _ => (&**name, end),
            };
            // The rows or columns that the named area covers.
            let mut found: Option<(usize, usize)> = None;
            for (y, line) in parent.grid_areas.iter().enumerate() {
                for (x, own) in line.iter().enumerate() {
                    if **own == *bare {
                        let at = if row { y } else { x };
                        let (least, most) = found.unwrap_or((at, at));
                        found = Some((least.min(at), most.max(at)));
                    }
                }
            }
            match found {
                // Lines are numbered from 1; an area ends at the line after its last track.
                Some((least, most)) => {
                    line((if end { most + 2 } else { least + 1 }).min(1000) as i16)
                }
                None => {
                    let tracks = if row {
                        &parent.grid_rows
                    } else {
                        &parent.grid_columns
                    };
                    named_line(tracks, name, *nth).map_or(GridPlacement::Auto, line)
                }
            }
        }
    }
}

/// Number of the n-th line with a name, from 1; a negative `nth` counts from the end.
fn named_line(tracks: &[Tracks], name: &str, nth: i16) -> Option<i16> {
    // A line has the number of the tracks before it, plus 1.
    let (mut at, mut found) = (1_usize, Vec::new());
    for part in tracks {
        match part {
            Tracks::Names(names) if names.iter().any(|own| **own == *name) => found.push(at),
            Tracks::Names(_) => {}
            Tracks::One(_) => at += 1,
            Tracks::Repeat(Some(count), _, own) => at += usize::from(*count) * own.len(),
            // The number of repetitions depends on layout, so lines from here on are not found.
            Tracks::Repeat(None, ..) => break,
        }
    }
    let index = match nth {
        nth if nth > 0 => usize::from(nth.unsigned_abs()) - 1,
        nth => found.len().checked_sub(usize::from(nth.unsigned_abs()))?,
    };
    i16::try_from(*found.get(index)?).ok()
}

/// Converts an alignment of items (CSS Box Alignment 3, 4); `None` for `auto`, which follows the
/// container.
fn item_align(align: Align) -> Option<AlignItems> {
    Some(match align {
        Align::Auto => return None,
        Align::Stretch => AlignItems::STRETCH,
        Align::Start | Align::Left => AlignItems::START,
        Align::End | Align::Right => AlignItems::END,
        Align::SelfStart => AlignItems::SELF_START,
        Align::SelfEnd => AlignItems::SELF_END,
        Align::FlexStart => AlignItems::FLEX_START,
        Align::FlexEnd => AlignItems::FLEX_END,
        Align::Center => AlignItems::CENTER,
        Align::Baseline => AlignItems::BASELINE,
        Align::Normal | Align::SpaceBetween | Align::SpaceAround | Align::SpaceEvenly => {
            AlignItems::NORMAL
        }
    })
}

/// Converts an alignment of the content (CSS Box Alignment 3, 5). Baselines of whole containers are
/// not supported and count as `start`.
fn content_align(align: Align) -> AlignContent {
    match align {
        Align::Stretch => AlignContent::STRETCH,
        Align::Start | Align::Left | Align::SelfStart | Align::Baseline => AlignContent::START,
        Align::End | Align::Right | Align::SelfEnd => AlignContent::END,
        Align::FlexStart => AlignContent::FLEX_START,
        Align::FlexEnd => AlignContent::FLEX_END,
        Align::Center => AlignContent::CENTER,
        Align::SpaceBetween => AlignContent::SPACE_BETWEEN,
        Align::SpaceAround => AlignContent::SPACE_AROUND,
        Align::SpaceEvenly => AlignContent::SPACE_EVENLY,
        Align::Auto | Align::Normal => AlignContent::NORMAL,
    }
}
