//! Painting of inline content: text with decorations and shadows, pictures, markers and links. Does
//! not decide the painting order.

use super::{
    decor::{self, Frame},
    fragment::FragmentContent,
    paint::{Node, Painter, opaque},
    upright::stands_upright,
};
use convertd_layout::{
    item::{Area, Item, Owner, Pen},
    ornaments::{self, wave},
    word::Word,
};
use convertd_markup::css::{
    rgba::Rgba,
    style::{EmphasisPosition, Style, Visibility},
};
use convertd_tree::EmphasisMark;
use std::{borrow::Cow, rc::Rc};

/// Limit on the number of shadows of a text. Each is drawn as up to twelve copies.
const MAX_SHADOWS: usize = 128;
/// Factor for the opacity of a blurred shadow's copies, because overlapping copies add up to less
/// than their sum.
const OVERLAP: f32 = 1.6;

/// Tolerance in px for content beyond an edge.
const NEARLY: f32 = 0.1;

/// Splits a word at a width in px, between two clusters: the part that fits, and the remaining part.
fn parted(word: &Rc<Word>, pen: Pen, room: f32) -> (Option<Rc<Word>>, Option<Rc<Word>>) {
    if pen.width(word) <= room {
        return (Some(word.clone()), None);
    }
    let (before, rest) = word.split(word.fitting(room / pen.unit()));
    match !before.glyphs.is_empty() && pen.width(&before) <= room {
        true => (Some(Rc::new(before)), Some(Rc::new(rest))),
        false => (None, Some(word.clone())),
    }
}

impl Painter<'_> {
    /// Paints a fragment of inline content.
    pub(crate) fn inline(&mut self, node: &Node<'_>) {
        let fragment = node.fragment;
        let area = node.area();
        match &fragment.kind {
            FragmentContent::Box { .. } => self.context(*node),
            FragmentContent::Text {
                pen,
                words,
                style,
                node: owner,
                link,
            } => {
                if style.text.visibility == Visibility::Visible {
                    // Text belongs to a structure element, or is an artifact of the layout.
                    let belongs =
                        if node.silent || *owner == convertd_layout::structure::NodeId::DOCUMENT {
                            Owner::Layout
                        } else {
                            Owner::To(*owner)
                        };
                    self.text(node, *pen, words, style, belongs);
                    if let Some(link) = link {
                        // The link covers the line height of common fonts around the baseline.
                        let area = Area {
                            x: node.x,
                            y: node.y - pen.size * 0.9,
                            width: fragment.width,
                            height: pen.size * 1.15,
                        };
                        self.link(area, *link);
                    }
                }
            }
            FragmentContent::Inline { style, border } => {
                if style.text.visibility == Visibility::Visible {
                    let frame = Frame {
                        area,
                        style: style.clone(),
                        border: *border,
                        padding: [0.0; 4],
                    };
                    self.frame(&frame, node, true, true);
                }
            }
            FragmentContent::Picture {
                number,
                node: owner,
                link,
            } => {
                let belongs =
                    if node.silent || *owner == convertd_layout::structure::NodeId::DOCUMENT {
                        Owner::Layout
                    } else {
                        Owner::To(*owner)
                    };
                let item = Item::Picture {
                    area: self.area(area),
                    number: *number,
                    belongs,
                };
                self.show(vec![item], area, node.clip, Rgba::BLACK);
                if let Some(link) = link {
                    self.link(area, *link);
                }
            }
            FragmentContent::Missing => {
                for (path, colour) in decor::missing(area) {
                    let item = Item::Path {
                        path: self.path(&path),
                        colour: opaque(colour),
                    };
                    self.show(vec![item], area, node.clip, colour);
                }
            }
            FragmentContent::Marker { marker, style } => {
                let colour = style.text.colour;
                let item = Item::Path {
                    path: self.path(&decor::marker(area, marker)),
                    colour: opaque(colour),
                };
                self.show(vec![item], area, node.clip, colour);
            }
            FragmentContent::Anchor(name) => {
                // A target belongs to the page on which it begins.
                if node.y >= -0.1 && node.y < self.height {
                    let y = self.point(0.0, node.y).1;
                    self.items.push(Item::Anchor {
                        name: name.clone(),
                        y,
                    });
                }
            }
            FragmentContent::Turned(inside, turn) => self.turned(node, inside, *turn),
            FragmentContent::Line | FragmentContent::Repeated | FragmentContent::Columns(_) => {}
        }
    }

    /// Adds a link area in px.
    pub(crate) fn link(&mut self, area: Area, link: usize) {
        if area.y + area.height < 0.0 || area.y > self.height || area.width < 0.5 {
            return;
        }
        let area = self.area(area);
        // Adjacent words of one link share an area.
        if let Some(Item::Link {
            area: before,
            link: known,
        }) = self
            .items
            .iter_mut()
            .rev()
            .find(|item| matches!(item, Item::Link { .. }))
            && *known == link
            && (before.y - area.y).abs() < 0.5
            && area.x >= before.x
        {
            before.width = area.x + area.width - before.x;
            return;
        }
        self.items.push(Item::Link { area, link });
    }

    /// Paints a glyph run with its decorations, shadows and emphasis marks. The fragment's top edge is the baseline.
    pub(crate) fn text(
        &mut self,
        node: &Node<'_>,
        pen: Pen,
        words: &[(f32, Rc<Word>)],
        style: &Style,
        belongs: Owner,
    ) {
        // Browsers snap baselines to whole px.
        let baseline = node.y.round();
        let above = pen.size;
        if baseline < -pen.size * 0.3 || baseline > self.height + pen.size * 0.7 {
            return;
        }
        // The bounds are generous: they extend a font size above the baseline, and 0.3em below it.
        let bounds = Area {
            x: node.x,
            y: baseline - above,
            width: node.fragment.width,
            height: above * 1.3,
        };
        // Page breaks fall between lines, so each line is painted on the page of its baseline.
        let on_page = baseline > 0.0 && baseline <= self.height + 0.5;
        if !on_page {
            return;
        }
        let bounds = Area {
            y: bounds.y.max(0.0),
            height: (bounds.height).min((self.height - bounds.y.max(0.0)).max(0.0)),
            ..bounds
        };
        // Words that begin beyond the paper are left out, and a note says so unless a clip hides
        // them anyway.
        let end = words.partition_point(|(x, _)| node.x + x <= self.right);
        let hidden = node
            .clip
            .is_some_and(|clip| clip.area.x + clip.area.width <= self.right);
        self.cut |= end < words.len() && !hidden;
        let words = &*self.between_edges(pen, node.x, &words[..end]);
        // Shadows are below decorations, and decorations below the text.
        self.shadows(node, pen, (baseline, bounds), words, style);
        let face = self.faces.face(pen.chosen.face);
        let per = pen.size / face.units();
        let ascent = (face.font.metrics.ascent * per).round();
        // A line is at least 1 px thick, and a tenth of the font size unless its thickness is specified.
        for line in style.text.decorations.iter() {
            let thick = line
                .thickness
                .unwrap_or_else(|| (pen.size / 10.0).round())
                .max(1.0);
            let mut draw = |y: f32| {
                let area = Area {
                    x: node.x,
                    y,
                    width: node.fragment.width,
                    height: thick,
                };
                if line.wavy {
                    let item = Item::Path {
                        path: self.path(&wave(area)),
                        colour: opaque(line.colour),
                    };
                    self.show(
                        vec![item],
                        decor::grown(area, 3.0 * thick),
                        node.clip,
                        line.colour,
                    );
                    return;
                }
                let lines = decor::line(area, line.style).into_iter();
                let lines = lines.map(|part| (part, line.colour)).collect();
                self.edges(lines, node.clip);
            };
            if line.under {
                // The default distance of an underline from the baseline is half its thickness. A line above the text
                // is at the ascent, and a line through the text at a third of the ascent.
                let default = || (thick / 2.0).ceil().max(1.0);
                draw(baseline + line.offset.unwrap_or_else(default));
            }
            if line.over {
                draw(baseline - ascent);
            }
            if line.through {
                draw(baseline - ascent + (2.0 * ascent / 3.0).round() - thick / 2.0);
            }
        }
        let colour = style.text.colour;
        let at = (node.x, baseline);
        let items = match stands_upright(style) {
            true => self.upright(pen, colour, at, words, belongs),
            false => vec![self.lettering(pen, colour, at, words, belongs)],
        };
        self.show(items, bounds, node.clip, colour);
        self.emphasis(node, pen, (baseline, bounds), words, style);
    }

    /// Paints the emphasis marks of letters (CSS Text Decoration 3, 3). Only clusters with a letter or digit have a
    /// mark.
    fn emphasis(
        &mut self,
        node: &Node<'_>,
        pen: Pen,
        (baseline, bounds): (f32, Area),
        words: &[(f32, Rc<Word>)],
        style: &Style,
    ) {
        let Some(shape) = style.text.emphasis else {
            return;
        };
        let mark = EmphasisMark {
            shape,
            below: style.text.emphasis_position == EmphasisPosition::Under,
        };
        let colour = style.text.emphasis_colour.or(style.text.colour);
        let mut items = Vec::new();
        for (at, word) in words {
            let mut x = node.x + at;
            let mut clusters = word.clusters();
            // In visual order, a word from right to left begins with its last letter.
            if word.is_backwards() {
                clusters.reverse();
            }
            for cluster in clusters {
                let width = pen.width(&cluster);
                if cluster.text.chars().any(char::is_alphanumeric) {
                    let middle = self.point(x + width / 2.0, baseline);
                    let size = pen.size * self.scale;
                    items.push(ornaments::emphasis(mark, middle, size, opaque(colour)));
                }
                x += width;
            }
        }
        if !items.is_empty() {
            self.show(
                items,
                decor::grown(bounds, pen.size / 2.0),
                node.clip,
                colour,
            );
        }
    }

    /// Returns the words that begin on this page if the page has a left edge, and otherwise all words. Lines of rotated
    /// text may cross several pages, and must not be painted on each of them. A word longer than a page is split
    /// between letters.
    fn between_edges<'w>(
        &self,
        pen: Pen,
        x: f32,
        words: &'w [(f32, Rc<Word>)],
    ) -> Cow<'w, [(f32, Rc<Word>)]> {
        let Some(left) = self.left else {
            return Cow::Borrowed(words);
        };
        let (left, right) = (left - x, self.right - x);
        let mut seen = Vec::new();
        // A word that fits on a page is painted on the page where it begins.
        for (at, word) in words {
            if pen.width(word) <= right - left {
                if (left..right).contains(&(at + NEARLY)) {
                    seen.push((*at, word.clone()));
                }
                continue;
            }
            let (before, rest) = parted(word, pen, left + NEARLY - at);
            let at = at + before.map_or(0.0, |before| pen.width(&before));
            let part = rest.and_then(|rest| parted(&rest, pen, right + NEARLY - at).0);
            seen.extend(part.map(|part| (at, part)));
        }
        Cow::Owned(seen)
    }

    /// Item for words whose baseline begins at this point in px.
    pub(super) fn lettering(
        &self,
        pen: Pen,
        colour: Rgba,
        (x, y): (f32, f32),
        words: &[(f32, Rc<Word>)],
        belongs: Owner,
    ) -> Item {
        let place = |(at, word): &(f32, Rc<Word>)| (self.point(x + at, 0.0).0, word.clone());
        Item::Text {
            pen: Pen {
                size: pen.size * self.scale,
                colour: opaque(colour),
                ..pen
            },
            y: self.point(0.0, y).1,
            words: words.iter().map(place).collect(),
            belongs,
        }
    }

    /// Paints text shadows (CSS Text Decoration 3, 4), the first on top. A blurred shadow consists of faint copies
    /// around its position.
    fn shadows(
        &mut self,
        node: &Node<'_>,
        pen: Pen,
        (baseline, bounds): (f32, Area),
        words: &[(f32, Rc<Word>)],
        style: &Style,
    ) {
        if style.text.shadows.is_empty() {
            return;
        }
        // The copies of the words have no text, because shadows must not be read aloud or extracted.
        let words: Vec<(f32, Rc<Word>)> = (words.iter())
            .map(|(at, word)| (*at, Rc::new(word.unspoken())))
            .collect();
        let drawn = style.text.shadows.iter().take(MAX_SHADOWS);
        for shadow in drawn.rev() {
            let colour = shadow.colour.or(style.text.colour);
            let places = blurred(shadow.blur);
            let faint = match places.len() {
                1 => colour,
                count => Rgba {
                    alpha: (colour.alpha * OVERLAP / count as f32).min(1.0),
                    ..colour
                },
            };
            for (x, y) in places {
                let (x, y) = (x + shadow.x, y + shadow.y);
                let at = (node.x + x, baseline + y);
                let item = self.lettering(pen, colour, at, &words, Owner::Layout);
                let bounds = Area {
                    x: bounds.x + x,
                    y: bounds.y + y,
                    ..bounds
                };
                self.show(vec![item], bounds, node.clip, faint);
            }
        }
    }
}

/// Offsets of the copies of a blurred shadow, distributed like a Gaussian with a standard deviation
/// of half the blur radius.
fn blurred(blur: f32) -> Vec<(f32, f32)> {
    /// Number of copies of a blurred shadow.
    const PLACES: u16 = 12;
    /// Golden angle in radians, which keeps consecutive copies apart.
    const TURN: f32 = 2.399_963;
    if blur < 0.5 {
        return vec![(0.0, 0.0)];
    }
    // The copies form a sunflower pattern: the n-th copy is rotated by the golden angle n times, and its distance is
    // the n-th quantile.
    let place = |number: u16| {
        let part = (f32::from(number) + 0.5) / f32::from(PLACES);
        let far = blur / 2.0 * (-2.0 * (1.0 - part).ln()).sqrt();
        let (sin, cos) = (f32::from(number) * TURN).sin_cos();
        (far * cos, far * sin)
    };
    (0..PLACES).map(place).collect()
}
