//! Colours, lines and text formatting of a chart, with Office's defaults. Places nothing.

use super::{
    measure::Face,
    model::{Chart, Letters, Marker, Plot, Series, Shape, Symbol},
};
use crate::drawing::{
    Colour, Fill, FillStyle, Line, LineStyle, Palette, Rgba, Theme, chart::canvas::Type,
};
use convertd_tree::POINT;
use std::{cell::RefCell, collections::HashMap, rc::Rc};

/// Default colour of axes and gridlines: a medium grey.
const GREY: [u8; 3] = [0x86; 3];

/// Default colour of names on the branches of a hierarchy, and of the lines between the branches.
const WHITE: [u8; 3] = [0xff; 3];

/// Default width of the line between branches of a hierarchy, in points.
const BETWEEN: f64 = 0.75;

/// Default width of the line of a series, in points.
const SERIES_LINE: f64 = 2.25;
/// Default width of any other line, in points.
const LINE: f64 = 0.75;

/// Formatting of text, with the font face that measures it.
#[derive(Clone)]
pub(super) struct Pen {
    pub(super) look: Type,
    pub(super) face: Rc<Face>,
    /// Rotation, clockwise in degrees, if the file states it.
    pub(super) turn: Option<f64>,
}

impl Pen {
    /// Width of the longest line of a text, in points.
    pub(super) fn width(&self, text: &str) -> f64 {
        let lines = text.lines().map(|line| self.face.width(line));
        lines.fold(0.0, f64::max) * self.look.size
    }

    /// Height of a line, in points.
    pub(super) fn line(&self) -> f64 {
        (self.face.above + self.face.below) * self.look.size
    }

    /// Distance of the baseline below the middle of a line, in points.
    pub(super) fn drop(&self) -> f64 {
        (self.face.above - self.face.below) / 2.0 * self.look.size
    }

    /// Breaks text between words into lines of at most this width, in points. A single word may be wider.
    pub(super) fn wrap(&self, text: &str, width: f64) -> Vec<String> {
        let mut lines = Vec::new();
        for paragraph in text.lines() {
            let mut line = String::new();
            for word in paragraph.split_whitespace() {
                let longer = format!("{line} {word}");
                if line.is_empty() {
                    word.clone_into(&mut line);
                } else if self.width(&longer) <= width {
                    line = longer;
                } else {
                    lines.push(std::mem::replace(&mut line, word.to_owned()));
                }
            }
            lines.push(line);
        }
        lines
    }
}

/// Font faces by name, boldness and italics.
type Faces = HashMap<(Box<str>, bool, bool), Rc<Face>>;

/// Formatting of a chart, resolved with the colours and fonts of its theme.
pub(super) struct Pens<'c> {
    pub(super) chart: &'c Chart,
    theme: &'c Theme,
    palette: &'c Palette,
    faces: RefCell<Faces>,
}

impl<'c> Pens<'c> {
    pub(super) fn new(chart: &'c Chart, theme: &'c Theme, palette: &'c Palette) -> Self {
        Self {
            chart,
            theme,
            palette,
            faces: RefCell::default(),
        }
    }

    /// Returns the pen for this formatting of text. Missing properties are those of the chart's text.
    pub(super) fn pen(&self, letters: &Letters) -> Pen {
        let all = letters.over(&self.chart.text);
        let font = all.font.as_deref().unwrap_or("+mn-lt");
        let font: Box<str> = self.theme.font(font).unwrap_or("Calibri").into();
        let (bold, italic) = (all.bold.unwrap_or(false), all.italic.unwrap_or(false));
        let key = (font.clone(), bold, italic);
        let mut faces = self.faces.borrow_mut();
        let face = faces
            .entry(key)
            .or_insert_with(|| Rc::new(Face::named(&font, bold, italic)));
        let colour = all.colour.as_ref();
        Pen {
            look: Type {
                size: all.size.unwrap_or(10.0),
                bold,
                italic,
                colour: colour.map_or_else(
                    || self.palette.named("tx1"),
                    |colour| colour.resolve(self.palette, None),
                ),
                font,
            },
            face: face.clone(),
            turn: all.turn,
        }
    }

    /// Returns the pen for a title. Unless `letters` states otherwise, the title is bold, and its font size is that of
    /// the chart times `larger`. If the chart states no size, a title with a factor above 1 has 18 points.
    pub(super) fn heading(&self, letters: &Letters, larger: f64) -> Pen {
        let size = self.chart.text.size.unwrap_or(10.0) * larger;
        let bold = Letters {
            size: Some(if larger > 1.0 && self.chart.text.size.is_none() {
                18.0
            } else {
                size
            }),
            bold: Some(true),
            ..Letters::default()
        };
        self.pen(&letters.over(&bold))
    }

    /// Resolves a fill, with a default.
    pub(super) fn fill(&self, shape: &Shape, default: Fill) -> Fill {
        let own = shape.fill.as_ref();
        own.map_or(default, |own| own.resolve(self.palette, None, &Fill::None))
    }

    /// Resolves a line that is drawn by default.
    pub(super) fn line(&self, own: Option<&LineStyle>, points: f64, colour: Rgba) -> Option<Line> {
        let default = LineStyle {
            width: Some((points * POINT) as i64),
            fill: Some(FillStyle::Solid(Colour::plain(colour.rgb))),
            ..LineStyle::default()
        };
        let all = own.cloned().unwrap_or_default().over(&default);
        all.resolve(self.palette, None)
    }

    /// Resolves a line that is drawn only if the file states it.
    pub(super) fn edge(&self, shape: &Shape) -> Option<Line> {
        shape.line.as_ref()?.resolve(self.palette, None)
    }

    /// Resolves the line of an axis or a grid.
    pub(super) fn rule(&self, own: Option<&LineStyle>) -> Option<Line> {
        self.line(own, LINE, Rgba::opaque(GREY))
    }

    /// Default colour of a series (or of a point with its own colour) by its index: the six accents of the theme, and
    /// then darker and lighter variations of them.
    pub(super) fn accent(&self, number: usize) -> Rgba {
        // Factor and offset of the luminance.
        const VARIATIONS: [(f64, f64); 9] = [
            (1.0, 0.0),
            (0.6, 0.0),
            (0.8, 0.2),
            (0.8, 0.0),
            (0.6, 0.4),
            (0.5, 0.0),
            (0.7, 0.3),
            (0.7, 0.0),
            (0.5, 0.5),
        ];
        let name = format!("accent{}", number % 6 + 1);
        let (by, plus) = VARIATIONS[number / 6 % VARIATIONS.len()];
        self.palette.named(&name).luminance(by, plus)
    }

    /// Fill of a series.
    pub(super) fn filling(&self, series: &Series) -> Fill {
        self.fill(&series.shape, Fill::Solid(self.accent(series.index)))
    }

    /// Fill of a branch in a hierarchy. `at` is the index of its first point, and `colour` is the index of its colour.
    pub(super) fn branch(&self, series: &Series, at: usize, colour: usize) -> Fill {
        let default = Fill::Solid(self.accent(colour));
        let own = series.point(at).map(|point| &point.shape);
        own.map_or(default.clone(), |own| self.fill(own, default))
    }

    /// Line between the branches of a hierarchy. The default is white.
    pub(super) fn between(&self, series: &Series) -> Line {
        self.edge(&series.shape).unwrap_or(Line {
            width: (BETWEEN * POINT) as i64,
            colour: Rgba::opaque(WHITE),
            dashes: &[],
            round: false,
            ends: Default::default(),
        })
    }

    /// Formatting of names on fills. The default colour is white.
    pub(super) fn letters_on(series: &Series) -> Letters {
        let mut letters = series.labels.letters.clone();
        letters.colour.get_or_insert(Colour::plain(WHITE));
        letters
    }

    /// Fill and line of a point.
    pub(super) fn body(&self, plot: &Plot, series: &Series, at: usize) -> (Fill, Option<Line>) {
        let varies = plot.varies && (plot.series.len() == 1 || plot.is_round());
        let default = match varies {
            true => self.fill(&series.shape, Fill::Solid(self.accent(at))),
            false => self.filling(series),
        };
        let own = series.point(at).map(|point| &point.shape);
        let fill = own.map_or(default.clone(), |own| self.fill(own, default));
        let line = own
            .and_then(|own| own.line.as_ref())
            .or(series.shape.line.as_ref());
        (fill, line.and_then(|line| line.resolve(self.palette, None)))
    }

    /// Line of a series.
    pub(super) fn stroke(&self, series: &Series) -> Option<Line> {
        let colour = self.accent(series.index);
        let line = self.line(series.shape.line.as_ref(), SERIES_LINE, colour)?;
        Some(Line {
            round: true,
            ..line
        })
    }

    /// Marker of a series, or of a point with formatting of its own. `None` if it has none.
    pub(super) fn marker(
        &self,
        plot: &Plot,
        series: &Series,
        at: Option<usize>,
    ) -> Option<ResolvedMarker> {
        // Symbols that Office assigns to series in turn.
        const ORDER: [Symbol; 7] = [
            Symbol::Diamond,
            Symbol::Square,
            Symbol::Triangle,
            Symbol::Cross,
            Symbol::Star,
            Symbol::Circle,
            Symbol::Plus,
        ];
        let special = at.and_then(|at| series.point(at)?.marker.as_ref());
        let nothing = Marker::default();
        let own = series.marker.as_ref();
        let shown = own.and_then(|own| own.symbol).is_some() || plot.markers;
        let both = [special, own].map(|marker| marker.unwrap_or(&nothing));
        let default = ORDER[series.index % ORDER.len()];
        let symbol = both[0].symbol.or(both[1].symbol);
        let symbol = match symbol {
            Some(Symbol::None) => return None,
            Some(symbol) => symbol,
            None if shown => default,
            None => return None,
        };
        let accent = self.accent(series.index);
        let fill = both[0].shape.fill.as_ref().or(both[1].shape.fill.as_ref());
        let fill = fill.map_or(Fill::Solid(accent), |fill| {
            fill.resolve(self.palette, None, &Fill::None)
        });
        let line = both[0].shape.line.as_ref().or(both[1].shape.line.as_ref());
        Some(ResolvedMarker {
            symbol,
            size: both[0].size.or(both[1].size).unwrap_or(7.0),
            fill,
            line: self.line(line, LINE, accent.luminance(0.95, 0.0)),
        })
    }
}

/// Resolved marker.
#[derive(Clone)]
pub(super) struct ResolvedMarker {
    pub(super) symbol: Symbol,
    /// Size in points.
    pub(super) size: f64,
    pub(super) fill: Fill,
    pub(super) line: Option<Line>,
}

/// Returns the text. If it is wider than `width` (in points), it is cut, and ends with an ellipsis.
pub(super) fn shortened(pen: &Pen, text: &str, width: f64) -> String {
    if pen.width(text) <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        short.push(c);
        if pen.width(&short) + pen.look.size > width {
            break;
        }
    }
    short.push('…');
    short
}
