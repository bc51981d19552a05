//! Styles of SubStation Alpha, reduced to the properties that all formats of subtitles have.

use super::{
    cue::{Edge, Emphasis},
    markup,
};
use std::collections::HashMap;

/// Default columns of a style, for files without a list of columns. This reader needs only the first column.
const COLUMNS: [&str; 1] = ["Name"];

/// Limit on the styles of a file. Real files have some tens of styles. Further styles are ignored.
const MAX_STYLES: usize = 1000;
/// Limit on the columns of a list. The specification has 23 fields. Further fields are ignored.
const MAX_COLUMNS: usize = 64;

/// Names of the columns with bold, italic and underlined text.
const EMPHASES: [(&str, Emphasis); 3] = [
    ("Bold", Emphasis::Bold),
    ("Italic", Emphasis::Italic),
    ("Underline", Emphasis::Underline),
];

/// A style.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Style {
    pub(super) edge: Edge,
    pub(super) emphases: Vec<Emphasis>,
}

/// The styles of a file.
#[derive(Default)]
pub(super) struct Styles<'t> {
    columns: Vec<&'t str>,
    named: HashMap<&'t str, Style>,
    /// The style of events whose style the file lacks, if it has no style `Default` either.
    unnamed: Style,
}

impl<'t> Styles<'t> {
    /// Sets the columns of styles from the list in a `Format` line.
    pub(super) fn set_columns(&mut self, list: &'t str) {
        self.columns = columns(list);
    }

    /// Adds the style of a `Style` line. The older version (`is_old`) numbers positions in another way.
    pub(super) fn add(&mut self, line: &'t str, is_old: bool) {
        if self.columns.is_empty() {
            self.columns = COLUMNS.to_vec();
        }
        let values = columns(line);
        let value = |name: &str| value(&self.columns, &values, name);
        let number = |name: &str| value(name)?.parse::<i32>().ok();
        let Some(name) = value("Name") else {
            return;
        };
        let key = number("Alignment").and_then(|key| u8::try_from(key).ok());
        let edge = key.map(match is_old {
            true => markup::old_place_of,
            false => markup::place_of,
        });
        // Every number but 0 is true: the specification writes -1, and some programs write 1 or a weight.
        let emphases = EMPHASES.into_iter();
        let emphases = emphases.filter(|(name, _)| number(name).is_some_and(|value| value != 0));
        let style = Style {
            edge: edge.unwrap_or_default(),
            emphases: emphases.map(|(_, emphasis)| emphasis).collect(),
        };
        if self.named.len() < MAX_STYLES {
            self.named.insert(name, style);
        }
    }

    /// Returns whether the file has no styles.
    pub(super) fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// The style with this name, or else the style `Default`. Ignores the asterisk that some programs write before a
    /// name.
    pub(super) fn find(&self, name: &str) -> &Style {
        let name = name.trim().trim_start_matches('*');
        let found = self.named.get(name).or_else(|| self.named.get("Default"));
        found.unwrap_or(&self.unnamed)
    }
}

/// The value in the column with this name.
pub(super) fn value<'t>(columns: &[&str], values: &[&'t str], name: &str) -> Option<&'t str> {
    let at = columns.iter().position(|column| *column == name)?;
    values.get(at).copied()
}

/// The first [`MAX_COLUMNS`] parts of a list that is separated by commas.
pub(super) fn columns(list: &str) -> Vec<&str> {
    list.split(',').take(MAX_COLUMNS).map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_have_positions_and_formatting() {
        let mut styles = Styles::default();
        styles.set_columns(" Name, Bold, Italic, Underline, Alignment");
        styles.add(" Default,0,0,0,2", false);
        styles.add(" Sign,-1,0,1,8", false);
        styles.add(" Old,0,1,0,10", true);
        let edge = |name: &str| styles.find(name).edge;
        assert_eq!(edge("Sign"), Edge::Top);
        assert_eq!(edge("*Old"), Edge::Middle);
        assert_eq!(edge("None"), Edge::Bottom);
        assert_eq!(
            styles.find("Sign").emphases,
            [Emphasis::Bold, Emphasis::Underline]
        );
        assert_eq!(styles.find("Old").emphases, [Emphasis::Italic]);
    }

    #[test]
    fn styles_and_columns_are_limited() {
        let lines: Vec<String> = (0..2 * MAX_STYLES)
            .map(|name| format!("{name},-1"))
            .collect();
        let mut styles = Styles::default();
        styles.set_columns("Name,Bold");
        lines.iter().for_each(|line| styles.add(line, false));
        assert_eq!(styles.named.len(), MAX_STYLES);
        assert_eq!(columns(&",".repeat(1000)).len(), MAX_COLUMNS);
    }
}
