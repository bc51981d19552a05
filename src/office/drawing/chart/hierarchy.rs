//! Hierarchies of categories with the sums of their values, for treemaps and sunbursts. Draws nothing.

use super::model::{Points, Series};

/// Max. number of categories of a hierarchy.
const MAX_BRANCHES: usize = 1000;

/// A category with its subcategories, the largest first.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Branch {
    pub(super) name: String,
    /// Sum of the values in the branch.
    pub(super) value: f64,
    pub(super) within: Vec<Branch>,
    /// Index of the first point that belongs to the category.
    pub(super) point: usize,
}

impl Branch {
    /// Builds the hierarchy of a series. Its root stands for all categories together.
    pub(super) fn of(series: &Series) -> Self {
        let mut whole = Self::default();
        let outer = series.extended.as_ref().map(|own| &*own.outer);
        // Levels from the outermost to the innermost.
        let levels: Vec<&Points> = outer
            .unwrap_or_default()
            .iter()
            .rev()
            .chain([&series.categories])
            .collect();
        let mut names = vec![String::new(); levels.len()];
        let mut left = MAX_BRANCHES;
        for at in 0..series.values.len() {
            let Some(value) = series.values.number(at).filter(|value| *value > 0.0) else {
                continue;
            };
            let mut deepest = 0;
            for (depth, level) in levels.iter().enumerate() {
                let name = level.texts.get(at).map_or("", |name| name.trim());
                let outermost = depth + 1 < levels.len();
                // A name of an outer level also applies to the rows below it, until the next name of this level or of a
                // level around it.
                if !name.is_empty() {
                    name.clone_into(&mut names[depth]);
                    names[depth + 1..].iter_mut().for_each(String::clear);
                } else if !outermost {
                    names[depth].clear();
                }
                if !names[depth].is_empty() {
                    deepest = depth + 1;
                }
            }
            whole.add(&names[..deepest], value, at, &mut left);
        }
        whole.sort();
        whole
    }

    /// Adds a value below a path of category names. Missing branches are created, as long as `left` allows.
    fn add(&mut self, names: &[String], value: f64, point: usize, left: &mut usize) {
        self.value += value;
        let [name, rest @ ..] = names else {
            return;
        };
        // The rows of a category are adjacent, so the search from the end is fast.
        let known = self.within.iter().rposition(|own| own.name == *name);
        let place = match known {
            Some(place) => place,
            None if *left == 0 => return,
            None => {
                *left -= 1;
                self.within.push(Self {
                    name: name.clone(),
                    point,
                    ..Self::default()
                });
                self.within.len() - 1
            }
        };
        self.within[place].add(rest, value, point, left);
    }

    /// Sorts all levels by value, the largest first.
    fn sort(&mut self) {
        self.within
            .sort_by(|one, other| other.value.total_cmp(&one.value));
        self.within.iter_mut().for_each(Self::sort);
    }

    /// Number of levels below this category.
    pub(super) fn depth(&self) -> usize {
        let depths = self.within.iter().map(|own| own.depth() + 1);
        depths.max().unwrap_or(0)
    }

    /// Returns the position of each outermost category in the order of the file, which decides its colour.
    pub(super) fn colours(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.within.len()).collect();
        order.sort_by_key(|at| self.within[*at].point);
        let mut colours = vec![0; order.len()];
        for (colour, at) in order.into_iter().enumerate() {
            colours[at] = colour;
        }
        colours
    }
}

#[cfg(test)]
mod tests {
    use super::{super::model::Extended, *};

    #[test]
    fn outer_names_apply_to_the_following_rows() {
        let points = |texts: &[&str]| Points {
            texts: texts.iter().map(|&text| text.to_owned()).collect(),
            format: None,
        };
        let series = Series {
            categories: points(&["Pine", "Oak", "Carp", ""]),
            values: points(&["2", "3", "1", "9"]),
            extended: Some(Box::new(Extended {
                outer: vec![points(&["Trees", "", "Fish", "Stones"])],
                ..Extended::default()
            })),
            ..Series::default()
        };
        let whole = Branch::of(&series);
        let names: Vec<(&str, f64, usize)> = whole
            .within
            .iter()
            .map(|own| (&*own.name, own.value, own.within.len()))
            .collect();
        assert_eq!(
            names,
            [("Stones", 9.0, 0), ("Trees", 5.0, 2), ("Fish", 1.0, 1)]
        );
        assert_eq!(whole.within[1].within[0].name, "Oak");
        assert_eq!(whole.colours(), [2, 0, 1]);
        assert_eq!(whole.depth(), 2);
    }
}
