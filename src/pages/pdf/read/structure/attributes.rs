//! Attributes of structure elements (ISO 32000-2, 14.8.5): spans of cells, numbers of items, alignment of lines.

use convertd_tree::{Alignment, Numeral};
use hayro::hayro_syntax::object::{Array, Dict, Name};

/// The most attribute objects of an element that are looked at.
const MOST: usize = 16;

/// The largest span of a cell.
const MOST_SPANNED: i32 = 1000;

/// The attributes of an element that matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attributes {
    pub(super) rows: u16,
    pub(super) columns: u16,
    /// The numbers of a list, `Some(None)` if it has bullets.
    pub(super) numbering: Option<Option<Numeral>>,
    pub(super) alignment: Option<Alignment>,
}

impl Default for Attributes {
    fn default() -> Self {
        Self {
            rows: 1,
            columns: 1,
            numbering: None,
            alignment: None,
        }
    }
}

impl Attributes {
    /// The attributes of an element.
    pub(super) fn of(element: &Dict<'_>) -> Self {
        let mut found = Self::default();
        if let Some(one) = element.get::<Dict<'_>>("A") {
            found.add(&one);
        } else if let Some(several) = element.get::<Array<'_>>("A") {
            // Revision numbers may stand between.
            for one in several.iter::<Dict<'_>>().take(MOST) {
                found.add(&one);
            }
        }
        found
    }

    fn add(&mut self, attributes: &Dict<'_>) {
        let span = |key: &str| {
            let span = attributes.get::<i32>(key)?;
            Some(span.clamp(1, MOST_SPANNED) as u16)
        };
        self.rows = span("RowSpan").unwrap_or(self.rows);
        self.columns = span("ColSpan").unwrap_or(self.columns);
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
