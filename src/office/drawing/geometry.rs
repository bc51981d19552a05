//! Outlines of shapes (ECMA-376 part 1, 20.1.9): formulas that result in paths for a given width and height.
//!
//! A shape consists of guides and paths. A guide is a name and a formula: one operator, applied to numbers and to names
//! of guides before it. The coordinates of the paths' points are such names or numbers. Presets of the standard and
//! custom shapes have the same structure, and share this interpreter. Note that a name may be defined again, which
//! replaces its value from there on. A path may have its own width and height. The angles of an arc are measured on the
//! ellipse, and are converted to angles on the circle that is stretched to the ellipse.

mod path;

use super::{
    definition::{Definition, PathDefinition, Shade},
    flag, presets,
};
use crate::containers::xml::Node;
use std::{collections::HashMap, rc::Rc};

/// Max. number of guides of a shape, and of its adjustable values. Presets have up to 242 guides.
const MAX_GUIDES: usize = 4096;
/// Max. number of commands of a custom shape, in all of its paths together.
const MAX_COMMANDS: usize = 100_000;

/// Full circle, in the unit of angles: 60000ths of a degree.
const CIRCLE: f64 = 21_600_000.0;

/// Adjustable value of a shape: its name (`adj1`) and its value.
pub type Adjustment = (Box<str>, f64);

/// Geometry of a shape, for any size.
#[derive(Clone, Debug, Default)]
pub enum Geometry {
    /// Rectangle of the size of the shape.
    #[default]
    Rectangle,
    /// Preset of the standard by its name, with adjustable values that differ from its defaults.
    Preset(Box<str>, Vec<Adjustment>),
    /// Custom geometry of the file.
    Own(Rc<Definition>),
    /// Outline for one size, with the width and height of this size. For other sizes it is stretched.
    Drawn(Rc<Outline>, (f64, f64)),
}

/// Outline for a certain size.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    /// Paths, from back to front.
    pub paths: Vec<Path>,
    /// Left, top, right and bottom of the text, from the upper left corner of the shape.
    pub text: [f64; 4],
}

impl Outline {
    /// Returns the outline, stretched from its `own` size to another size.
    fn scaled(&self, own: (f64, f64), size: (f64, f64)) -> Self {
        let ratio = |own: f64, size: f64| if own > 0.0 { size / own } else { 1.0 };
        let (across, down) = (ratio(own.0, size.0), ratio(own.1, size.1));
        let mut outline = self.clone();
        for command in outline.paths.iter_mut().flat_map(|path| &mut path.commands) {
            match command {
                Command::Move(x, y) | Command::Line(x, y) => {
                    *x *= across;
                    *y *= down;
                }
                Command::Curve(points) => {
                    for point in points.chunks_exact_mut(2) {
                        point[0] *= across;
                        point[1] *= down;
                    }
                }
                Command::Close => {}
            }
        }
        let [left, top, right, bottom] = outline.text;
        outline.text = [left * across, top * down, right * across, bottom * down];
        outline
    }

    /// Flips an outline of this size horizontally (`across`) and vertically (`down`). Its text stays in place.
    pub fn mirror(&mut self, across: bool, down: bool, (width, height): (f64, f64)) {
        let turn = |x: &mut f64, y: &mut f64| {
            *x = if across { width - *x } else { *x };
            *y = if down { height - *y } else { *y };
        };
        for command in self.paths.iter_mut().flat_map(|path| &mut path.commands) {
            match command {
                Command::Move(x, y) | Command::Line(x, y) => turn(x, y),
                Command::Curve([a, b, c, d, x, y]) => {
                    turn(a, b);
                    turn(c, d);
                    turn(x, y);
                }
                Command::Close => {}
            }
        }
    }
}

/// Path of an outline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// Commands in the order in which they are drawn.
    pub commands: Vec<Command>,
    /// Shading of the fill. `None` if the path is not filled.
    pub shade: Option<Shade>,
    /// Whether the line of the shape is drawn along the path.
    pub stroked: bool,
}

/// Command of a path, with coordinates from the upper left corner of the shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    Move(f64, f64),
    Line(f64, f64),
    /// Two control points and the end of a Bézier curve.
    Curve([f64; 6]),
    Close,
}

impl Geometry {
    /// Reads the geometry among the children of an element such as `p:spPr`.
    pub fn read(parent: &Node<'_>) -> Option<Self> {
        if let Some(own) = parent.child("a", "custGeom") {
            return Some(Self::Own(Rc::new(Definition::read(own))));
        }
        let preset = parent.child("a", "prstGeom")?;
        let name = preset.attribute("prst")?;
        if name == "rect" {
            return Some(Self::Rectangle);
        }
        let values = preset.child("a", "avLst").map(adjusts).unwrap_or_default();
        Some(Self::Preset(name.as_ref().into(), values))
    }

    /// Returns the name of a preset of the standard and its adjustable values. `None` for other geometries.
    pub fn preset(&self) -> Option<(&str, &[Adjustment])> {
        match self {
            Self::Rectangle => Some(("rect", &[])),
            Self::Preset(name, values) => presets::get(name).map(|_| (&**name, &**values)),
            Self::Own(_) | Self::Drawn(..) => None,
        }
    }

    /// Returns the outline of a shape of this size. Unknown presets become rectangles.
    pub fn outline(&self, width: f64, height: f64) -> Outline {
        let outline = match self {
            Self::Rectangle => None,
            Self::Preset(name, values) => {
                presets::get(name).map(|preset| preset.outline(values, width, height))
            }
            Self::Own(own) => Some(own.outline(&[], width, height)),
            Self::Drawn(outline, own) => Some(outline.scaled(*own, (width, height))),
        };
        outline.unwrap_or_else(|| rectangle(width, height))
    }
}

/// Outline of a rectangle of this size.
fn rectangle(width: f64, height: f64) -> Outline {
    Outline {
        paths: vec![Path {
            commands: vec![
                Command::Move(0.0, 0.0),
                Command::Line(width, 0.0),
                Command::Line(width, height),
                Command::Line(0.0, height),
                Command::Close,
            ],
            shade: Some(Shade::Plain),
            stroked: true,
        }],
        text: [0.0, 0.0, width, height],
    }
}

/// Reads the adjustable values of an `avLst`.
fn adjusts(list: &Node<'_>) -> Vec<(Box<str>, f64)> {
    let values = list.children.iter().take(MAX_GUIDES).filter_map(|guide| {
        let formula = guide.attribute("fmla")?;
        let value = formula.trim().strip_prefix("val")?.trim().parse().ok()?;
        Some((guide.attribute("name")?.as_ref().into(), value))
    });
    values.collect()
}

impl Definition {
    /// Reads a custom geometry (`a:custGeom`).
    fn read(node: &Node<'_>) -> Self {
        let mut own = Self {
            adjusts: node.child("a", "avLst").map(adjusts).unwrap_or_default(),
            ..Self::default()
        };
        let guides = node.child("a", "gdLst").into_iter();
        for guide in guides.flat_map(|list| &list.children).take(MAX_GUIDES) {
            let name = guide.attribute("name").unwrap_or_default();
            let formula = guide.attribute("fmla").unwrap_or_default();
            own.guide(&name, &mut formula.split_whitespace());
        }
        own.text = node.child("a", "rect").map(|rect| {
            ["l", "t", "r", "b"].map(|side| rect.attribute(side).unwrap_or_default().into())
        });
        let paths = node.child("a", "pathLst").into_iter();
        let mut remaining = MAX_COMMANDS;
        for node in paths.flat_map(|list| &list.children) {
            let size = |name| node.attribute(name)?.parse().ok();
            let mut path = PathDefinition {
                width: size("w"),
                height: size("h"),
                shade: Shade::of(&node.attribute("fill").unwrap_or_default()),
                stroked: flag(node, "stroke").unwrap_or(true),
                commands: Vec::new(),
            };
            for command in node.children.iter().take(remaining) {
                let letter = match command.element.name {
                    "moveTo" => 'm',
                    "lnTo" => 'l',
                    "arcTo" => 'a',
                    "quadBezTo" => 'q',
                    "cubicBezTo" => 'c',
                    "close" => 'z',
                    _ => continue,
                };
                let named = |node: &Node<'_>, names: &[&str]| -> Vec<Box<str>> {
                    let values = names.iter();
                    let values = values.map(|name| node.attribute(name).unwrap_or_default());
                    values.map(|value| value.into()).collect()
                };
                let operands = match letter {
                    'a' => named(command, &["wR", "hR", "stAng", "swAng"]),
                    _ => {
                        let points = command.children.iter().take(3);
                        points.flat_map(|point| named(point, &["x", "y"])).collect()
                    }
                };
                path.commands.push((letter, operands));
            }
            remaining -= path.commands.len();
            own.paths.push(path);
        }
        own
    }

    /// Adds a guide from the words of its formula: an operator and its operands.
    pub(super) fn guide<'w>(&mut self, name: &str, words: &mut impl Iterator<Item = &'w str>) {
        let operator = words.next().unwrap_or("val").into();
        let operands = std::array::from_fn(|_| words.next().unwrap_or("0").into());
        self.guides.push((name.into(), operator, operands));
    }

    /// Computes the outline of a shape of this size. `values` replaces adjustable values.
    pub(super) fn outline(&self, values: &[(Box<str>, f64)], width: f64, height: f64) -> Outline {
        let mut guides = Guides {
            known: HashMap::new(),
            width,
            height,
        };
        for (name, value) in &self.adjusts {
            let own = values.iter().find(|(known, _)| known == name);
            // Programs use either of the names `adj` and `adj1` for the only adjustable value of a shape, so a value
            // with either name sets it.
            let own = own.or(values.first().filter(|(known, _)| {
                self.adjusts.len() == 1 && matches!(&**known, "adj" | "adj1")
            }));
            guides
                .known
                .insert(name, own.map_or(*value, |(_, value)| *value));
        }
        // Guides refer to guides before them, so one pass is enough.
        for (name, operator, operands) in &self.guides {
            let [x, y, z] = operands.each_ref().map(|operand| guides.value(operand));
            let value = apply(operator, x, y, z);
            guides
                .known
                .insert(name, if value.is_finite() { value } else { 0.0 });
        }
        let text = self.text.as_ref();
        let text = text.map(|sides| sides.each_ref().map(|side| guides.value(side)));
        Outline {
            paths: self.paths.iter().map(|path| path.drawn(&guides)).collect(),
            text: text.unwrap_or([0.0, 0.0, width, height]),
        }
    }
}

/// Values of names that are known so far.
struct Guides<'d> {
    /// Values of adjustable values and guides by their names.
    known: HashMap<&'d str, f64>,
    /// Width of the shape.
    width: f64,
    /// Height of the shape.
    height: f64,
}

impl Guides<'_> {
    /// Returns the value of an operand: a guide, a number or a built-in name. Unknown names are 0.
    fn value(&self, name: &str) -> f64 {
        if let Some(value) = self.known.get(name) {
            return *value;
        }
        let value = name.parse::<f64>().ok().or_else(|| self.builtin(name));
        value.filter(|value| value.is_finite()).unwrap_or(0.0)
    }

    /// Returns the value of a name that all shapes have (20.1.10.56).
    fn builtin(&self, name: &str) -> Option<f64> {
        let (width, height) = (self.width, self.height);
        // Names such as `wd4` end with a divisor.
        let part = |of: f64, divisor: &str| divisor.parse::<f64>().ok().map(|divisor| of / divisor);
        Some(match name {
            "l" | "t" => 0.0,
            "r" | "w" => width,
            "b" | "h" => height,
            "hc" => width / 2.0,
            "vc" => height / 2.0,
            "ss" => width.min(height),
            "ls" => width.max(height),
            "3cd4" => CIRCLE * 3.0 / 4.0,
            "3cd8" => CIRCLE * 3.0 / 8.0,
            "5cd8" => CIRCLE * 5.0 / 8.0,
            "7cd8" => CIRCLE * 7.0 / 8.0,
            _ if name.starts_with("wd") => part(width, &name[2..])?,
            _ if name.starts_with("hd") => part(height, &name[2..])?,
            _ if name.starts_with("cd") => part(CIRCLE, &name[2..])?,
            _ if name.starts_with("ssd") => part(width.min(height), &name[3..])?,
            _ => return None,
        })
    }
}

/// Applies the operator of a formula (20.1.9.11).
fn apply(operator: &str, x: f64, y: f64, z: f64) -> f64 {
    let radians = |angle: f64| angle / CIRCLE * std::f64::consts::TAU;
    match operator {
        "val" => x,
        "*/" => x * y / z,
        "+-" => x + y - z,
        "+/" => (x + y) / z,
        "?:" if x > 0.0 => y,
        "?:" => z,
        "abs" => x.abs(),
        "at2" => y.atan2(x) / std::f64::consts::TAU * CIRCLE,
        "cat2" => x * z.atan2(y).cos(),
        "sat2" => x * z.atan2(y).sin(),
        "cos" => x * radians(y).cos(),
        "sin" => x * radians(y).sin(),
        "tan" => x * radians(y).tan(),
        "max" => x.max(y),
        "min" => x.min(y),
        "mod" => (x * x + y * y + z * z).sqrt(),
        "pin" if y < x => x,
        "pin" if y > z => z,
        "pin" => y,
        "sqrt" => x.max(0.0).sqrt(),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, values: &[(&str, f64)]) -> Outline {
        let values = values.iter().map(|(name, value)| ((*name).into(), *value));
        Geometry::Preset(name.into(), values.collect()).outline(200.0, 100.0)
    }

    /// Returns the smallest rectangle around the ends of all commands.
    fn bounds(outline: &Outline) -> [f64; 4] {
        let commands = outline.paths.iter().flat_map(|path| &path.commands);
        let ends = commands.filter_map(|command| match *command {
            Command::Move(x, y) | Command::Line(x, y) => Some((x, y)),
            Command::Curve([.., x, y]) => Some((x, y)),
            Command::Close => None,
        });
        ends.fold([f64::MAX, f64::MAX, f64::MIN, f64::MIN], |all, (x, y)| {
            [all[0].min(x), all[1].min(y), all[2].max(x), all[3].max(y)]
        })
    }

    #[test]
    fn presets_fill_their_rectangle() {
        #[track_caller]
        fn check(name: &str, values: &[(&str, f64)], expected: [f64; 4]) {
            let found = bounds(&of(name, values));
            let is_near = found
                .iter()
                .zip(expected)
                .all(|(one, other)| (one - other).abs() < 0.01);
            assert!(is_near, "{name}: {found:?}");
        }
        for name in [
            "roundRect",
            "ellipse",
            "triangle",
            "rightArrow",
            "chevron",
            "hexagon",
            "line",
        ] {
            check(name, &[], [0.0, 0.0, 200.0, 100.0]);
        }
        check("nothing known", &[], [0.0, 0.0, 200.0, 100.0]);
    }

    #[test]
    fn adjust_values_change_a_shape() {
        let tip = |values: &[(&str, f64)]| of("triangle", values).paths[0].commands[1];
        assert_eq!(tip(&[]), Command::Line(100.0, 0.0));
        assert_eq!(tip(&[("adj", 0.0)]), Command::Line(0.0, 0.0));
        assert_eq!(tip(&[("adj1", 100_000.0)]), Command::Line(200.0, 0.0));
    }

    #[test]
    fn text_area_is_within_the_outline() {
        let [left, top, right, bottom] = of("ellipse", &[]).text;
        assert!(left > 29.0 && left < 29.5 && (right + left - 200.0).abs() < 0.01);
        assert!(top > 14.0 && top < 15.0 && (bottom + top - 100.0).abs() < 0.01);
    }

    #[test]
    fn all_presets_can_be_drawn_in_any_size() {
        for name in presets::names() {
            for (width, height) in [(200.0, 100.0), (1e9, 1.0), (0.0, 0.0)] {
                let outline = Geometry::Preset(name.into(), Vec::new()).outline(width, height);
                let [left, top, right, bottom] = bounds(&outline);
                assert!(
                    outline.paths.iter().any(|path| !path.commands.is_empty()),
                    "{name}"
                );
                for number in [left, top, right, bottom] {
                    assert!(number.is_finite(), "{name} {width} {height}");
                }
            }
        }
        assert_eq!(presets::names().len(), 187);
    }
}
