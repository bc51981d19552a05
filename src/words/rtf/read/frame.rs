//! Control words of frames, and of the positions of shapes (RTF 1.9.1, "Positioned Objects and Frames" and "Word 97
//! through Word 2007 RTF for Drawing Objects"). Opens no frames.

use super::sketch::ShapeStyle;
use convertd_office::drawing::Place;
use convertd_tree::{
    Anchor, At, Base, DropCap, Edges, Extent, Frame, Length, Position, Side, Wrap,
};

/// Frame of a paragraph, as far as the file states it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Stated {
    // Position, size, and distances to the text around it.
    horizontal: Position,
    vertical: Position,
    width: Option<Length>,
    height: Option<Extent>,
    /// Distances to the text around it.
    distances: Edges,
    /// Whether no text is beside the frame.
    is_alone: bool,
    // Drop cap: its height in lines, and whether it is in the margin.
    lines: u8,
    in_margin: bool,
    /// Whether any control word for frames occurred.
    is_stated: bool,
}

impl Stated {
    /// Handles a control word of a paragraph. Returns false for a word that does not describe frames.
    pub(super) fn word(&mut self, word: &str, number: Option<i32>) -> bool {
        let length = Length::twips(number.unwrap_or(0).into());
        let base = |position: &mut Position, base| position.base = base;
        let at = |position: &mut Position, at| position.at = at;
        match word {
            "phmrg" => base(&mut self.horizontal, Base::Margin),
            "phpg" => base(&mut self.horizontal, Base::Page),
            "phcol" => base(&mut self.horizontal, Base::Column),
            "pvmrg" => base(&mut self.vertical, Base::Margin),
            "pvpg" => base(&mut self.vertical, Base::Page),
            "pvpara" => base(&mut self.vertical, Base::Paragraph),
            "posx" | "posnegx" => at(&mut self.horizontal, At::Offset(length)),
            "posy" | "posnegy" => at(&mut self.vertical, At::Offset(length)),
            "posxl" => at(&mut self.horizontal, At::Start),
            "posxc" => at(&mut self.horizontal, At::Middle),
            "posxr" => at(&mut self.horizontal, At::End),
            "posxi" => at(&mut self.horizontal, At::Inside),
            "posxo" => at(&mut self.horizontal, At::Outside),
            "posyt" => at(&mut self.vertical, At::Start),
            "posyc" => at(&mut self.vertical, At::Middle),
            "posyb" => at(&mut self.vertical, At::End),
            "posyil" | "posyin" | "posyout" => {}
            "absw" => self.width = Some(length).filter(|width| *width > Length::ZERO),
            // A negative height is exact, and a positive height is a minimum.
            "absh" => {
                self.height = match number.unwrap_or(0) {
                    0 => None,
                    twips if twips < 0 => Some(Extent::Exactly(Length::ZERO - length)),
                    _ => Some(Extent::AtLeast(length)),
                }
            }
            "dxfrtext" => {
                self.distances = Edges {
                    top: length,
                    right: length,
                    bottom: length,
                    left: length,
                }
            }
            "dfrmtxtx" => (self.distances.left, self.distances.right) = (length, length),
            "dfrmtxty" => (self.distances.top, self.distances.bottom) = (length, length),
            "nowrap" => {
                self.is_alone = true;
                return true;
            }
            // Word writes these control words for every paragraph, even outside of frames, so they make no frame.
            "overlay" | "wraparound" | "wraptight" | "wrapthrough" | "wrapdefault" => return true,
            "dropcapli" => self.lines = number.unwrap_or(3).clamp(1, 10) as u8,
            "dropcapt" => self.in_margin = number == Some(2),
            _ => return false,
        }
        self.is_stated = true;
        true
    }

    /// The frame of the paragraph. `None` if it has none, or is a drop cap.
    pub(super) fn frame(&self) -> Option<Frame> {
        (self.is_stated && self.lines == 0).then(|| Frame {
            anchor: Anchor::Next,
            horizontal: Position {
                base: match self.horizontal.base {
                    Base::Paragraph => Base::Column,
                    base => base,
                },
                at: self.horizontal.at,
            },
            vertical: self.vertical,
            width: self.width.map_or(Extent::Content, Extent::Exactly),
            height: self.height.unwrap_or_default(),
            wrap: match self.is_alone {
                true => Wrap::TopAndBottom,
                false => Wrap::Around(Side::Both),
            },
            distances: self.distances,
            ..Frame::default()
        })
    }

    /// The drop cap, if the paragraph is a drop cap.
    pub(super) fn drop_cap(&self) -> Option<DropCap> {
        (self.lines > 0).then_some(DropCap {
            lines: self.lines,
            letters: 1,
            in_margin: self.in_margin,
            distance: self.distances.right,
        })
    }
}

/// Position, fill and line of a shape while its group is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Left, top, right and bottom edge, in twips.
    edges: [i32; 4],
    // Reference areas, wrapping and stacking order.
    horizontal: Base,
    vertical: Base,
    wrap: Wrap,
    behind: bool,
    order: i64,
    /// Left, top, right and bottom edge in the coordinates of the group around the shape.
    edges_in_group: [f64; 4],
    /// Left, top, right and bottom edge of the coordinates of the shapes in a group.
    edges_of_group: [f64; 4],
    /// Fill and line.
    pub(super) look: ShapeStyle,
    /// Nesting depth of the group that contains the shape.
    pub(super) depth: usize,
}

impl Shape {
    /// Creates a shape whose group has this nesting depth.
    pub(super) fn new(depth: usize) -> Self {
        Self {
            edges: [0; 4],
            horizontal: Base::Column,
            vertical: Base::Paragraph,
            wrap: Wrap::None,
            behind: false,
            order: 0,
            edges_in_group: [0.0; 4],
            edges_of_group: [0.0; 4],
            look: ShapeStyle::default(),
            depth,
        }
    }

    /// Handles a control word of `\shpinst`. Returns false for any other word.
    pub(super) fn word(&mut self, word: &str, number: Option<i32>) -> bool {
        let value = number.unwrap_or(0);
        match word {
            "shpleft" => self.edges[0] = value,
            "shptop" => self.edges[1] = value,
            "shpright" => self.edges[2] = value,
            "shpbottom" => self.edges[3] = value,
            "shpbxpage" => self.horizontal = Base::Page,
            "shpbxmargin" => self.horizontal = Base::Margin,
            "shpbxcolumn" => self.horizontal = Base::Column,
            "shpbypage" => self.vertical = Base::Page,
            "shpbymargin" => self.vertical = Base::Margin,
            "shpbypara" => self.vertical = Base::Paragraph,
            // 1 is above and below; 2 (square), 4 (tight) and 5 (through) are around; 3 is without wrapping.
            "shpwr" => {
                self.wrap = match value {
                    1 => Wrap::TopAndBottom,
                    2 | 4 | 5 => Wrap::Around(Side::Both),
                    _ => Wrap::None,
                }
            }
            "shpwrk" => {
                if let Wrap::Around(side) = &mut self.wrap {
                    *side = match value {
                        1 => Side::Left,
                        2 => Side::Right,
                        3 => Side::Larger,
                        _ => Side::Both,
                    }
                }
            }
            "shpfblwtxt" => self.behind = value == 1,
            "shpz" => self.order = value.into(),
            _ => return false,
        }
        true
    }

    /// Sets a property of the shape: its place in a group, the coordinates of a group, or its look.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        let place = match name.trim() {
            "relLeft" => &mut self.edges_in_group[0],
            "relTop" => &mut self.edges_in_group[1],
            "relRight" => &mut self.edges_in_group[2],
            "relBottom" => &mut self.edges_in_group[3],
            "groupLeft" => &mut self.edges_of_group[0],
            "groupTop" => &mut self.edges_of_group[1],
            "groupRight" => &mut self.edges_of_group[2],
            "groupBottom" => &mut self.edges_of_group[3],
            name => return self.look.set(name, value),
        };
        if let Ok(number) = value.trim().parse::<i32>() {
            *place = number.into();
        }
    }

    /// Place in the coordinates of the group around the shape.
    pub(super) fn place_in_group(&self) -> Place {
        let [left, top, right, bottom] = self.edges_in_group;
        Place {
            x: left.min(right),
            y: top.min(bottom),
            width: (right - left).abs(),
            height: (bottom - top).abs(),
            ..self.look.turned()
        }
    }

    /// Place in a frame of its own, in English Metric Units (EMU).
    pub(super) fn place(&self) -> Place {
        let (width, height) = self.size();
        Place {
            width,
            height,
            ..self.look.turned()
        }
    }

    /// Origin and extent of the coordinates of the shapes in a group. Without any, they are twips of the page.
    pub(super) fn coordinates(&self) -> ((f64, f64), (f64, f64)) {
        let stated = self.edges_of_group;
        let [left, top, right, bottom] = match stated[2] > stated[0] && stated[3] > stated[1] {
            true => stated,
            false => self.edges.map(f64::from),
        };
        ((left, top), (right - left, bottom - top))
    }

    /// Width and height, in English Metric Units (EMU).
    pub(super) fn size(&self) -> (f64, f64) {
        let [left, top, right, bottom] = self.edges.map(i64::from);
        let side = |twips: i64| Length::twips(twips).to_emu() as f64;
        (side(right - left), side(bottom - top))
    }

    /// Frame of the shape's text. `None` if the shape has no size.
    pub(super) fn frame(&self) -> Option<Frame> {
        let [left, top, right, bottom] = self.edges.map(i64::from);
        let at = |twips| At::Offset(Length::twips(twips));
        // Default distances from the edges of a text box to its text (`dxTextLeft` and `dyTextTop`): 0.1 and 0.05
        // inches.
        let (side, above) = (Length::twips(144), Length::twips(72));
        let is_line = right >= left && bottom >= top && (right > left || bottom > top);
        is_line.then(|| Frame {
            anchor: Anchor::Next,
            horizontal: Position {
                base: self.horizontal,
                at: at(left),
            },
            vertical: Position {
                base: self.vertical,
                at: at(top),
            },
            width: Extent::Exactly(Length::twips(right - left)),
            height: Extent::AtLeast(Length::twips(bottom - top)),
            wrap: self.wrap,
            behind: self.behind,
            order: self.order,
            insets: Edges {
                top: above,
                right: side,
                bottom: above,
                left: side,
            },
            apart: true,
            ..Frame::default()
        })
    }
}
