//! The values of a chart as a table, for whatever cannot draw it. Formats no number.

use super::model::Chart;

/// A column of the table: its name, its points, and whether they are values.
pub(super) type Column<'c> = (&'c str, &'c [String], bool);

impl Chart {
    /// The columns of a table of its values. In a chart of points, each series has positions of its own.
    pub fn columns(&self) -> Vec<Column<'_>> {
        let first = self.series().next().map(|first| &first.categories.texts);
        let shares = self
            .series()
            .all(|one| Some(&one.categories.texts) == first);
        let columns = self.series().enumerate().flat_map(|(nth, series)| {
            let categories = &*series.categories.texts;
            let own = (nth == 0 || !shares).then_some(("", categories, !shares));
            own.into_iter()
                .chain([(&*series.name, &*series.values.texts, true)])
        });
        columns.collect()
    }
}
