//! Painting of backgrounds, borders, shadows and outlines of boxes. Does not decide the painting
//! order.

use super::{
    backdrop::{self, Drawn},
    border_image, controls,
    decor::{self, Frame, Painted},
    fragment::{Fragment, FragmentContent, Role, TableRole},
    outlines::rectangle,
    paint::{Clip, Node, Painter, opaque},
    shadows,
    tree::BoxId,
};
use convertd_layout::item::{Area, Dashes, Item, Owner, Segment};
use convertd_markup::css::{
    rgba::Rgba,
    style::{Style, Visibility},
};
use std::rc::Rc;

impl Painter<'_> {
    /// Paints shadows, background, border and outline of a block-level box, and records its link
    /// target and outline entry.
    ///
    /// In the collapsing border model the table itself paints no border: its cells paint the winning ones. The
    /// background of a row is painted in its cells, and that of the root on the canvas.
    pub(crate) fn block(&mut self, node: &Node<'_>) {
        let fragment = node.fragment;
        let FragmentContent::Box {
            id,
            style,
            border,
            padding,
            role,
        } = &fragment.kind
        else {
            return;
        };
        // Targets and outline entries belong to the page on which the box begins.
        if let Some(own) = self.boxes.find(*id)
            && node.y >= -0.1
            && node.y < self.height
        {
            let y = self.point(0.0, node.y).1;
            for name in &own.anchors {
                self.items.push(Item::Anchor {
                    name: name.clone(),
                    y,
                });
            }
            if let Some(entry) = own.outline {
                self.items.push(Item::Outline { entry, y });
            }
        }
        // A hidden box keeps its space, and its descendants may be visible (CSS 2.2, 11.2), so only its own painting is
        // skipped.
        if style.text.visibility != Visibility::Visible {
            return;
        }
        let area = node.area();
        // In the collapsing border model, cells paint the borders of the whole table.
        let collapses = matches!(role, Role::Table(TableRole::Cell(Some(_))))
            || matches!(role, Role::Table(TableRole::Table))
                && style.text.border_collapse
                    == convertd_markup::css::style::BorderCollapse::Collapse;
        let frame = Frame {
            area,
            style: style.clone(),
            border: *border,
            padding: *padding,
        };
        let on_canvas = self.canvas == Some(std::ptr::from_ref(fragment));
        // Rows and row groups have fragments without a box of their own. Their background is painted in their cells.
        if *id == BoxId::NOBODY && matches!(role, Role::Flow | Role::Table(_)) {
            return self.behind_cells(&frame, node);
        }
        // The background of a column is painted below that of its cells (CSS 2.2, 17.5.1).
        if let Some(column) = self.boxes.find(*id).and_then(|own| own.column.clone())
            && self.backgrounds
        {
            let column_frame = Frame {
                style: column,
                border: [0.0; 4],
                padding: [0.0; 4],
                ..frame
            };
            self.backdrop(&column_frame, node.clip);
        }
        if self.around_legend(&frame, node, !on_canvas) {
            return;
        }
        self.frame(&frame, node, !collapses, !on_canvas);
        if let Role::Table(TableRole::Cell(Some(borders))) = role {
            let shown = decor::collapsed(area, borders, style.text.colour);
            self.edges(shown, node.clip);
        }
    }

    /// Paints the background of a row or row group: visible in the cells, but not between them (CSS
    /// 2.2, 17.5.1).
    pub(super) fn behind_cells(&mut self, frame: &Frame, node: &Node<'_>) {
        let style = &frame.style;
        if !self.backgrounds
            || style.layers.is_empty() && style.background.or(style.text.colour).is_clear()
        {
            return;
        }
        let mut cells = Vec::new();
        cells_of(node.fragment, node.x, node.y, &mut cells);
        for cell in cells {
            let area = decor::common(cell, frame.area);
            // A colour is painted cell by cell. An image is positioned in the row, and clipped to each cell.
            if style.layers.is_empty() {
                let own = Frame {
                    area,
                    style: style.clone(),
                    ..*frame
                };
                self.backdrop(&own, node.clip);
            } else {
                self.backdrop(frame, Some(Clip::within(node.clip, area)));
            }
        }
    }

    /// Paints a box from back to front: outer shadows, background, inner shadows, border, outline. `bordered` and
    /// `filled` state whether border and background are painted. Outer shadows are not painted behind the box (CSS
    /// Backgrounds 3, 6.1.1).
    pub(crate) fn frame(&mut self, frame: &Frame, node: &Node<'_>, bordered: bool, filled: bool) {
        let style = &frame.style;
        // Shadows count as backgrounds, so they are left out if backgrounds are not printed.
        if self.backgrounds {
            let outer = shadows::outer(frame);
            let around = match outer.is_empty() {
                true => Rc::default(),
                false => self.path(&shadows::outside(frame)),
            };
            // Outer shadows are clipped to the outside of the border box.
            for (path, colour) in outer {
                let item = Item::Path {
                    path: self.path(&path),
                    colour: opaque(colour),
                };
                let item = Item::Clipped {
                    path: Rc::clone(&around),
                    items: vec![item],
                };
                self.show(vec![item], decor::bounds(&path), node.clip, colour);
            }
        }
        if self.backgrounds && filled {
            self.backdrop(frame, node.clip);
        }
        // Inner shadows are clipped to the padding box.
        if self.backgrounds && style.shadows.iter().any(|shadow| shadow.inset) {
            let within = decor::within(frame.area, &frame.border);
            let edge = self.path(&frame.outline(within));
            for (path, colour) in shadows::inset(frame) {
                let item = Item::Path {
                    path: self.path(&path),
                    colour: opaque(colour),
                };
                let item = Item::Clipped {
                    path: Rc::clone(&edge),
                    items: vec![item],
                };
                self.show(vec![item], within, node.clip, colour);
            }
        }
        if bordered {
            self.border(frame, node.clip);
        }
        if style.outline.width() > 0.0 {
            self.edges(decor::outline(frame), node.clip);
        }
    }

    /// Paints the border of a box: its border image, or else the usual border of a control, or else its border styles.
    pub(crate) fn border(&mut self, frame: &Frame, clip: Option<Clip>) {
        if let Some(parts) = border_image::parts(frame, &self.album) {
            self.border_image(parts, clip);
        } else if let Some(own) = controls::border(frame) {
            self.outlines(vec![own], clip);
        } else {
            self.edges(decor::borders(frame), clip);
        }
    }

    /// Paints parts of borders and lines, each in its colour.
    pub(crate) fn edges(&mut self, all: Vec<(Painted, Rgba)>, clip: Option<Clip>) {
        for (part, colour) in all {
            match part {
                Painted::Area(area) => {
                    let item = Item::Fill {
                        area: self.area(area),
                        colour: opaque(colour),
                    };
                    self.show(vec![item], area, clip, colour);
                }
                Painted::Filled(path) => self.outlines(vec![(path, colour)], clip),
                Painted::Dashed(row) => self.dashes(row, colour, clip),
            }
        }
    }

    /// Paints the dashes that are on this page.
    fn dashes(&mut self, row: decor::Dashes, colour: Rgba, clip: Option<Clip>) {
        /// Half the width of the area in which dashes are painted, in px. It is larger than any page, even a page that
        /// is scaled down to two thirds.
        const WIDEST: f32 = 25_000.0;
        let page = Area {
            x: -WIDEST,
            y: 0.0,
            width: 2.0 * WIDEST,
            height: self.height,
        };
        // Only a part of a side is painted, because the side may be as long as the whole document.
        let row = row.within(clip.map_or(page, |clip| decor::common(clip.area, page)));
        let item = Item::Dashes(Dashes {
            from: self.point(row.from.0, row.from.1),
            to: self.point(row.to.0, row.to.1),
            width: row.width * self.scale,
            dash: row.dash * self.scale,
            gap: row.gap * self.scale,
            round: row.round,
            colour: opaque(colour),
        });
        self.show(vec![item], row.bounds(), clip, colour);
    }

    /// Paints filled outlines, each in its colour.
    fn outlines(&mut self, all: Vec<(Vec<Segment>, Rgba)>, clip: Option<Clip>) {
        for (path, colour) in all {
            let item = Item::Path {
                path: self.path(&path),
                colour: opaque(colour),
            };
            self.show(vec![item], decor::bounds(&path), clip, colour);
        }
    }

    /// Paints background colour and layers of a box; the first layer is on top, so they are painted
    /// in reverse.
    pub(crate) fn backdrop(&mut self, frame: &Frame, clipped: Option<Clip>) {
        let style = frame.style.clone();
        let colour = style.background.or(style.text.colour);
        if !colour.is_clear() {
            let clip = frame.clip();
            let item = match frame.is_round() {
                // A rounded box is an outline. Any other box is a rectangle, which is cut off at the edges of the page.
                true => Item::Path {
                    path: self.path(&frame.outline(clip)),
                    colour: opaque(colour),
                },
                false => {
                    let page = Area {
                        x: clip.x,
                        y: 0.0,
                        width: clip.width,
                        height: self.height,
                    };
                    Item::Fill {
                        area: self.area(decor::common(clip, page)),
                        colour: opaque(colour),
                    }
                }
            };
            let bounds = match frame.is_round() {
                true => clip,
                false => decor::common(
                    clip,
                    Area {
                        x: clip.x,
                        y: 0.0,
                        width: clip.width,
                        height: self.height,
                    },
                ),
            };
            self.show(vec![item], bounds, clipped, colour);
        }
        // The colour is below the lowest layer.
        for layer in style.layers.iter().rev() {
            let drawn = backdrop::layer(frame, layer, &self.album);
            let shown: Vec<Item> = drawn.into_iter().map(|drawn| self.drawn(drawn)).collect();
            if !shown.is_empty() {
                let item = Item::Clipped {
                    path: self.path(&frame.outline(frame.clip())),
                    items: shown,
                };
                self.show(vec![item], frame.clip(), clipped, Rgba::BLACK);
            }
        }
    }

    /// Page item for a tile; gradients are clipped to the tile.
    fn drawn(&self, drawn: Drawn) -> Item {
        let (area, steps) = match drawn {
            Drawn::Picture(area, number) => {
                return Item::Picture {
                    area: self.area(area),
                    number,
                    belongs: Owner::Layout,
                };
            }
            Drawn::Gradient(area, steps) => (area, steps),
        };
        // Each step of a gradient is one outline with one colour.
        let step = |(path, colour): (Vec<Segment>, Rgba)| {
            let item = Item::Path {
                path: self.path(&path),
                colour: opaque(colour),
            };
            match colour.alpha < 1.0 {
                true => Item::Faded {
                    opacity: colour.alpha,
                    items: vec![item],
                },
                false => item,
            }
        };
        let seen = steps.into_iter().filter(|(_, colour)| !colour.is_clear());
        Item::Clipped {
            path: self.path(&rectangle(area)),
            items: seen.map(step).collect(),
        }
    }

    /// Paints the tiles of a border image, each clipped.
    fn border_image(&mut self, parts: Vec<border_image::ImageTile>, clip: Option<Clip>) {
        for part in parts {
            let item = Item::Clipped {
                path: self.path(&rectangle(part.seen)),
                items: vec![self.drawn(part.drawn)],
            };
            self.show(vec![item], part.seen, clip, Rgba::BLACK);
        }
    }

    /// Paints the canvas background over the whole page, `width` px wide (CSS Backgrounds 3,
    /// 2.11.1).
    pub(crate) fn canvas(&mut self, style: &Rc<Style>, width: f32) {
        // The canvas has the background of the root element, but neither its border nor its size.
        let plain = Style {
            text: style.text.clone(),
            background: style.background,
            layers: style.layers.clone(),
            ..Style::default()
        };
        let frame = Frame {
            area: Area {
                x: 0.0,
                y: 0.0,
                width,
                height: self.height,
            },
            style: Rc::new(plain),
            border: [0.0; 4],
            padding: [0.0; 4],
        };
        if self.backgrounds {
            self.backdrop(&frame, None);
        }
    }
}

/// Collects the border boxes of the cells in a row or row group, in px of the page.
pub(super) fn cells_of(fragment: &Fragment, x: f32, y: f32, cells: &mut Vec<Area>) {
    for child in &fragment.children {
        let (x, y) = (x + child.x, y + child.y);
        match child.fragment.role() {
            Some(Role::Table(TableRole::Row)) => cells_of(&child.fragment, x, y, cells),
            Some(Role::Table(TableRole::Cell(_))) => cells.push(Area {
                x,
                y,
                width: child.fragment.width,
                height: child.fragment.height,
            }),
            _ => {}
        }
    }
}
