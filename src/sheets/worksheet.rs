//! A workbook's entry for one of its sheets.

/// A sheet of a workbook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sheet {
    /// Its title, if it has one. The table in a text file has none.
    pub(crate) title: Option<String>,
    /// Whether it is hidden.
    pub(crate) hidden: bool,
    /// It has no cells, but a chart that takes the page.
    pub(crate) chart: bool,
}

impl Sheet {
    /// Its title, or else the name that spreadsheet programs give to a first sheet.
    pub(crate) fn name(&self) -> &str {
        self.title.as_deref().unwrap_or("Sheet1")
    }
}
