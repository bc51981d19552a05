//! Layout analysis: finds the lines of ink on a page, in reading order, and cuts them out for the recogniser.
//! Recognises no letters.
//!
//! The steps, in the order in which a page goes through them:
//! - [`sheet`]: the working picture. Its light is even ([`light`]), isolated pixels are removed ([`salt`]), its lines
//!   are level ([`skew`]), and its size is best for reading. [`bits`]: its pixels with ink.
//! - [`rules`]: ruling lines, which are removed from the ink. [`components`]: connected components of the ink.
//!   [`marks`]: the kind of each component. [`layers`]: light letters on dark areas.
//! - [`gutters`]: channels between columns. [`lines`]: links letters to lines. [`initials`]: drop capitals. [`order`]:
//!   blocks and reading order.
//! - [`crop`]: pictures of lines. [`words`]: positions of the words that were read on them.
//!
//! Lengths are measured in x-heights, not by the resolution, because many files state a wrong resolution.

mod area;
mod bits;
mod components;
mod crop;
mod gutters;
mod initials;
mod layers;
mod light;
mod lines;
mod marks;
mod order;
mod rules;
mod salt;
mod sheet;
mod skew;
pub(crate) mod words;

use crate::{page::Page, raster::Map};
use convertd_core::{error::Result, job::Job};
use gutters::Gutters;
use layers::{Layer, Owner};
use lines::{Line, Mark, Walls};
use marks::ComponentKind;
use rules::Rules;
use sheet::{Sheet, Shown};

pub(crate) use area::Area;
pub(crate) use crop::Crop;
pub(crate) use marks::Tick;
pub(crate) use salt::is_static;

/// Layout of a page.
pub(crate) struct Layout<'a, 'p> {
    shown: Shown<'a, 'p>,
    /// The map from the page to the working picture.
    pub(crate) map: Map,
    layers: Vec<Layer<'a>>,
    /// Lines in reading order.
    pub(crate) lines: Vec<Found>,
    rules: Rules,
    pub(crate) pictures: Vec<Area>,
    pub(crate) x_height: i32,
}

/// A line that was found.
pub(crate) struct Found {
    /// The layer that contains its ink.
    layer: usize,
    /// Its marks from left to right, on the working picture.
    marks: Vec<Mark>,
    /// The smallest rectangle around the marks, or around the check box if the line has no marks.
    pub(crate) area: Area,
    /// Median height of its letters, or the height of the check box if the line has no marks.
    height: i32,
    /// Check boxes of a form within it or beside it.
    pub(crate) ticks: Vec<(Area, Tick)>,
    /// Number of its block.
    pub(crate) block: usize,
    /// Whether it is a drop cap: one large letter that belongs to the beginning of the next line.
    pub(crate) initial: bool,
    /// Whether the line consists of light letters, or is on or beside a picture. There, noise resembles letters.
    pub(crate) doubtful: bool,
}

/// Finds the lines of a page.
pub(crate) fn analyse<'a, 'p>(job: &Job<'a>, page: &Page<'p>) -> Result<Layout<'a, 'p>> {
    let Sheet {
        shown,
        map,
        mut bits,
        x_height,
    } = sheet::prepare(job, page)?;
    let mut layout = Layout {
        shown,
        map,
        layers: Vec::new(),
        lines: Vec::new(),
        rules: Rules::default(),
        pictures: Vec::new(),
        x_height,
    };
    // All measures are relative to the x-height, so no line can be found without one.
    if x_height == 0 {
        return Ok(layout);
    }
    layout.rules = rules::take_out(job, &mut bits, x_height)?;
    let size = (bits.width, bits.height);
    let Some(mut base) = Layer::page(job, &bits)? else {
        return Ok(layout);
    };
    drop(bits);
    let (sorted, dark) = sort(&mut base, x_height);
    let mut sorted = vec![sorted];
    layout.layers.push(base);
    for mut layer in layers::within(job, &layout.layers[0], &dark)? {
        let found = sort(&mut layer, x_height).0;
        let base = &mut layout.layers[0];
        sorted[0].leave_out_within(&found, &layer, base);
        sorted.push(found);
        layout.layers.push(layer);
    }
    let mut vertical_rules = layout.rules.down.clone();
    vertical_rules.sort_unstable_by_key(|rule| rule.right);
    let mut pictures = Vec::new();
    for (number, sorted) in sorted.into_iter().enumerate() {
        pictures.extend(sorted.pictures);
        let every = || sorted.letters.iter().chain(&sorted.small);
        let gutters = Gutters::find(job, every().map(|mark| mark.area), size, x_height)?;
        let walls = Walls {
            gutters: &gutters,
            rules: &vertical_rules,
            x_height,
        };
        let found = lines::find(job, sorted.letters, sorted.small, &walls)?;
        layout.add(number, found, sorted.ticks);
    }
    layout.pictures = join(pictures);
    layout.arrange(job)?;
    Ok(layout)
}

/// Marks of a layer by their kinds.
#[derive(Default)]
struct Sorted {
    letters: Vec<Mark>,
    small: Vec<Mark>,
    ticks: Vec<(Area, Tick)>,
    pictures: Vec<Area>,
}

impl Sorted {
    /// Drops the marks that lie within light letters: the dark background that a letter such as o encloses is ink of
    /// the page.
    fn leave_out_within(&mut self, light: &Self, layer: &Layer<'_>, base: &mut Layer<'_>) {
        let mut letters: Vec<u32> = light.letters.iter().map(|mark| mark.component).collect();
        letters.sort_unstable();
        let enclosed = |mark: &Mark| {
            let Area {
                left,
                top,
                right,
                bottom,
            } = mark.area;
            let (left, right) = (left - layer.area.left, right - layer.area.left);
            let y = (top + bottom) / 2 - layer.area.top;
            let row = match layer.area.with(&mark.area) == layer.area {
                true => layer.components.row_between(y, left, right),
                false => &[],
            };
            row.iter().any(|run| {
                i32::from(run.start) <= left
                    && right <= i32::from(run.end)
                    && letters.binary_search(&run.component).is_ok()
            })
        };
        for marks in [&mut self.letters, &mut self.small] {
            marks.retain(|mark| {
                let inner = enclosed(mark);
                if inner {
                    base.owners[mark.component as usize] = Owner::Other;
                }
                !inner
            });
        }
    }
}

/// Classifies the components of a layer. Also returns the indices of the dark components, in which there may be light
/// letters.
fn sort(layer: &mut Layer<'_>, x_height: i32) -> (Sorted, Vec<u32>) {
    let mut sorted = Sorted::default();
    let mut dark = Vec::new();
    for index in 0..layer.components.list.len() {
        let component = layer.components.list[index];
        let area = layer.area_of(&component);
        let mark = Mark {
            area,
            component: index as u32,
        };
        let mut kind = marks::kind(&layer.components, index as u32, x_height);
        let tick = match kind {
            ComponentKind::Letter => marks::form_box(&layer.components, index as u32, x_height),
            _ => None,
        };
        if let Some(tick) = tick {
            kind = ComponentKind::Box;
            sorted.ticks.push((area, tick));
        }
        let owner = &mut layer.owners[index];
        match kind {
            ComponentKind::Speck => continue,
            ComponentKind::Small => sorted.small.push(mark),
            ComponentKind::Letter => sorted.letters.push(mark),
            ComponentKind::Box | ComponentKind::Frame => *owner = Owner::Other,
            ComponentKind::Dark => {
                *owner = Owner::Other;
                dark.push(index as u32);
                if area.height() > 7 * x_height {
                    sorted.pictures.push(area);
                }
            }
            ComponentKind::Picture => {
                *owner = Owner::Other;
                sorted.pictures.push(area);
            }
        }
    }
    // Marks inside a box are its tick or cross, which `form_box` has already detected, so they are not text.
    let ticks = sorted.ticks.clone();
    let within = |mark: &Mark| {
        ticks.iter().any(|(area, _)| {
            area.meets(&mark.area) && area.grown(1, 1).with(&mark.area) == area.grown(1, 1)
        })
    };
    if !ticks.is_empty() && ticks.len() <= 1000 {
        for marks in [&mut sorted.letters, &mut sorted.small] {
            marks.retain(|mark| {
                let inner = within(mark);
                if inner {
                    layer.owners[mark.component as usize] = Owner::Other;
                }
                !inner
            });
        }
    }
    (sorted, dark)
}

/// Joins pictures that overlap.
fn join(pictures: Vec<Area>) -> Vec<Area> {
    /// Limit on the pictures of a page. If it has more, the smallest ones are left out.
    const MAX: usize = 500;
    let mut out: Vec<Area> = Vec::new();
    let mut pictures = pictures;
    pictures.sort_unstable_by_key(|area| std::cmp::Reverse(area.pixels()));
    for mut picture in pictures.into_iter().take(MAX) {
        while let Some(at) = out.iter().position(|other| other.meets(&picture)) {
            picture = picture.with(&out.swap_remove(at));
        }
        out.push(picture);
    }
    out.sort_unstable_by_key(|area| (area.top, area.left));
    out
}

impl Found {
    /// Median height of the line's letters on the working picture, in pixels.
    pub(crate) fn height_of_letters(&self) -> i32 {
        self.height
    }
}

impl Layout<'_, '_> {
    /// Adds the lines of a layer. Each check box is added to the line beside it, or becomes a line of its own.
    fn add(&mut self, layer: usize, lines: Vec<Line>, ticks: Vec<(Area, Tick)>) {
        let from = self.lines.len();
        self.lines.extend(lines.into_iter().map(|line| Found {
            layer,
            area: line.area,
            height: line.height,
            marks: line.marks,
            ticks: Vec::new(),
            block: 0,
            initial: false,
            doubtful: false,
        }));
        // Only pages without any text have more boxes than this.
        for (area, tick) in ticks.into_iter().take(2000) {
            let near = self.lines[from..]
                .iter_mut()
                .filter(|line| line.area.shared_height(&area) >= 0.5)
                .map(|line| (line.area.gap_across(&area).max(0), line))
                .filter(|(gap, line)| *gap < 3 * line.height.max(self.x_height))
                // A box usually belongs to the text after it, so the gap to a line that begins before it counts double.
                .min_by_key(|(gap, line)| {
                    (
                        if line.area.left > area.left {
                            *gap
                        } else {
                            2 * gap
                        },
                        line.area.left,
                    )
                });
            match near {
                Some((_, line)) => line.ticks.push((area, tick)),
                None => self.lines.push(Found {
                    layer,
                    marks: Vec::new(),
                    area,
                    height: area.height(),
                    ticks: vec![(area, tick)],
                    block: 0,
                    initial: false,
                    doubtful: false,
                }),
            }
        }
    }

    /// Puts lines into reading order, and assigns each mark to its line.
    fn arrange(&mut self, job: &Job<'_>) -> Result<()> {
        let follows = initials::find(&self.lines, self.x_height);
        let box_of = |line: usize| {
            let found = &self.lines[line];
            let area = found
                .ticks
                .iter()
                .fold(found.area, |all, (area, _)| all.with(area));
            order::LineBox {
                area,
                height: found.height,
                line,
            }
        };
        let initial = |line: &usize| follows.iter().any(|(initial, _)| initial == line);
        let all = (0..self.lines.len())
            .filter(|line| !initial(line))
            .map(box_of);
        let frames = order::Frames {
            across: &self.rules.across,
            x_height: self.x_height,
        };
        let arranged = order::arrange(job, all.collect(), &frames)?;
        let blocks = order::blocks(&arranged);
        let mut lines: Vec<Option<Found>> = std::mem::take(&mut self.lines)
            .into_iter()
            .map(Some)
            .collect();
        for (line_box, block) in arranged.iter().zip(blocks) {
            let before = follows.iter().find(|(_, first)| *first == line_box.line);
            if let Some(mut initial) = before.and_then(|(at, _)| lines[*at].take()) {
                initial.initial = true;
                initial.block = block;
                self.lines.push(initial);
            }
            if let Some(mut line) = lines[line_box.line].take() {
                line.block = block;
                self.lines.push(line);
            }
        }
        let margin = 2 * self.x_height;
        for (index, line) in self.lines.iter_mut().enumerate() {
            for mark in &line.marks {
                self.layers[line.layer].owners[mark.component as usize] = Owner::Line(index as u32);
            }
            let near = |picture: &Area| picture.grown(margin, margin).meets(&line.area);
            line.doubtful = self.layers[line.layer].light || self.pictures.iter().any(near);
        }
        Ok(())
    }

    /// Cuts a line out of the working picture. `None` if it consists of boxes only.
    pub(crate) fn crop(&self, index: usize) -> Option<Crop> {
        let line = &self.lines[index];
        if line.marks.is_empty() {
            return None;
        }
        let rules: Vec<Area> = self
            .rules()
            .copied()
            .filter(|rule| rule.grown(20, 20).meets(&line.area))
            .collect();
        let layer = &self.layers[line.layer];
        Some(crop::cut(
            &self.shown.page(),
            layer,
            line,
            index as u32,
            &rules,
        ))
    }

    /// All rules, horizontal and vertical.
    pub(crate) fn rules(&self) -> impl Iterator<Item = &Area> {
        self.rules.across.iter().chain(&self.rules.down)
    }
}
