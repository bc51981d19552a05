//! Attributes of structure elements (ISO 32000-2, 14.8.5): spans of cells, list numbering, text
//! alignment.

use convertd_tree::{Alignment, Numeral};
use hayro::hayro_syntax::object::{Array, Dict, Name};

/// Limit on the attribute objects of an element.
const MAX: usize = 16;

/// Limit on the span of a cell.
const MAX_SPANNED: i32 = 1000;

/// Attributes of an element that are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attributes {
    /// Rows and columns that a cell spans.
    pub(super) rows: u16,
    pub(super) columns: u16,
    /// `ListNumbering`: a numeral system, or `Some(None)` for bullets.
    pub(super) numbering: Option<Option<Numeral>>,
    pub(super) alignment: Option<Alignment>,
    /// Sign of an unselected box or radio button, if the element is a printed one (`PrintField`).
    open_sign: Option<&'static str>,
    /// Whether the box or button is selected.
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
    /// Reads the attributes of an element; later attribute objects override earlier ones.
    pub(super) fn of(element: &Dict<'_>) -> Self {
        let mut found = Self::default();
        if let Some(one) = element.get::<Dict<'_>>("A") {
            found.add(&one);
        } else if let Some(several) = element.get::<Array<'_>>("A") {
            // The array may also hold revision numbers.
            for one in several.iter::<Dict<'_>>().take(MAX) {
                found.add(&one);
            }
        }
        found
    }

    /// Sign of a printed box or radio button (14.8.5.6).
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
        // Numeral systems that documents know; everything else is a bullet.
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
        // The name of the key in this standard and in its first edition.
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
