//! Name and visibility of a sheet, and the notation in which its cells are read. Holds no cells.

/// Notation of numbers and dates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum View {
    /// Value with all digits.
    #[default]
    Exact,
    /// Text that a spreadsheet program shows for the value.
    Shown,
}

/// A sheet of a workbook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sheet {
    /// Title. `None` for the table in a text file.
    pub(crate) title: Option<String>,
    /// Whether the sheet is hidden.
    pub(crate) hidden: bool,
    /// Whether this is a chart sheet: a chart that fills the page, without cells.
    pub(crate) chart: bool,
}

impl Sheet {
    /// Title, or else the name that spreadsheet programs give to the first sheet.
    pub(crate) fn name(&self) -> &str {
        self.title.as_deref().unwrap_or("Sheet1")
    }
}
