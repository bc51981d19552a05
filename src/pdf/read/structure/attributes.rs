//! Attributes of structure elements (ISO 32000-2, 14.8.5): spans of cells, numbering of lists, alignment of text, and
//! printed form fields.

use convertd_tree::{Alignment, Numeral};
use hayro::hayro_syntax::object::{Array, Dict, Name};

/// Limit on the attribute objects of an element.
const MAX: usize = 16;

/// Limit on the span of a cell.
const MAX_SPANNED: i32 = 1000;

/// The attributes of an element that the conversion uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attributes {
    /// Number of rows that a cell spans.
    pub(super) rows: u16,
    /// Number of columns that a cell spans.
    pub(super) columns: u16,
    /// `ListNumbering`: a numeral system, or `Some(None)` for bullets. `None` if the list does not have this attribute.
    pub(super) numbering: Option<Option<Numeral>>,
    pub(super) alignment: Option<Alignment>,
    /// Sign for an unselected check box or radio button, if the element is a printed form field (`PrintField`).
    open_sign: Option<&'static str>,
    /// Whether the check box or radio button is selected.
    is_on: bool,
}

impl Default for Attributes {
    fn default() -> Self {
        Self {
            rows: 1,
            columns: 1,
            numbering: None,
            alignment: None,
            open_sign: None,
            is_on: false,
        }
    }
}

impl Attributes {
    /// Reads the attributes of an element. Later attribute objects override earlier ones.
    pub(super) fn of(element: &Dict<'_>) -> Self {
        let mut found = Self::default();
        if let Some(one) = element.get::<Dict<'_>>("A") {
            found.add(&one);
        } else if let Some(several) = element.get::<Array<'_>>("A") {
            // The array may also contain revision numbers.
            for one in several.iter::<Dict<'_>>().take(MAX) {
                found.add(&one);
            }
        }
        found
    }

    /// The sign for a printed check box or radio button (14.8.5.6).
    pub(super) fn sign(&self) -> Option<&'static str> {
        Some(match (self.open_sign?, self.is_on) {
            (open, false) => open,
            ("☐", true) => "☒",
            (_, true) => "(•)",
        })
    }

    /// Adds an attribute object.
    fn add(&mut self, attributes: &Dict<'_>) {
        // Spans below 1 are invalid and count as 1.
        let span = |key: &str| {
            let span = attributes.get::<i32>(key)?;
            Some(span.clamp(1, MAX_SPANNED) as u16)
        };
        self.rows = span("RowSpan").unwrap_or(self.rows);
        self.columns = span("ColSpan").unwrap_or(self.columns);
        // The numeral systems that the document tree supports. Any other value stands for bullets.
        if let Some(name) = attributes.get::<Name<'_>>("ListNumbering") {
            self.numbering = Some(match name.as_str() {
                "Decimal" | "Ordered" => Some(Numeral::Decimal),
                "LowerAlpha" => Some(Numeral::LowerAlpha),
                "UpperAlpha" => Some(Numeral::UpperAlpha),
                "LowerRoman" => Some(Numeral::LowerRoman),
                "UpperRoman" => Some(Numeral::UpperRoman),
                _ => None,
            });
        }
        if let Some(role) = attributes.get::<Name<'_>>("Role") {
            self.open_sign = match role.as_str() {
                "cb" => Some("☐"),
                "rb" => Some("( )"),
                _ => None,
            };
        }
        // ISO 32000-2 and its first edition spell this key differently, so both spellings are read.
        for key in ["Checked", "checked"] {
            if let Some(state) = attributes.get::<Name<'_>>(key) {
                self.is_on = state.as_str() == "on";
            }
        }
        if let Some(name) = attributes.get::<Name<'_>>("TextAlign") {
            self.alignment = match name.as_str() {
                "Center" => Some(Alignment::Centre),
                "End" => Some(Alignment::End),
                "Justify" => Some(Alignment::Justify),
                _ => None,
            };
        }
    }
}
