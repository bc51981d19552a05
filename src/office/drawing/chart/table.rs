//! The values of a chart as a table, for formats that cannot show the drawing. Formats no numbers.

use super::model::Chart;

/// A column of the table: its name, its points, and whether the points are numeric values.
pub(super) type Column<'c> = (&'c str, &'c [String], bool);

impl Chart {
    /// Returns the columns of a table of the chart's values: the categories, and then one column for each series. If
    /// the categories of the series differ (such as the x values of a scatter chart), each series has a column of
    /// categories of its own, which count as numeric values.
    pub fn columns(&self) -> Vec<Column<'_>> {
        let first = self.series().next().map(|first| &first.categories.texts);
        // Whether all series have the same categories.
        let shares = self
            .series()
            .all(|series| Some(&series.categories.texts) == first);
        let columns = self.series().enumerate().flat_map(|(nth, series)| {
            let categories = &*series.categories.texts;
            let own = (nth == 0 || !shares).then_some(("", categories, !shares));
            own.into_iter()
                .chain([(&*series.name, &*series.values.texts, true)])
        });
        columns.collect()
    }
}
