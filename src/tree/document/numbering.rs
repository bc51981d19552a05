//! Writes the numbers of list items. Counts nothing; that is up to the code that walks a list.

use super::{Delimiter, Numbering};
pub use crate::numerals::plain::write;

/// Writes the label of the item with this number: `4.`, `(iv)`. `around` holds the numbers of the enclosing lists as
/// written, outermost first, for nested numbering such as 2.1.3.
pub fn label(number: u32, numbering: Numbering, around: &[String]) -> String {
    let mut text = String::new();
    if numbering.nested {
        for outer in around {
            text.push_str(outer);
            text.push('.');
        }
    }
    text.push_str(&write(number, numbering.numeral));
    match numbering.delimiter {
        Delimiter::Period => text + ".",
        Delimiter::Parenthesis => text + ")",
        Delimiter::Parentheses => format!("({text})"),
        Delimiter::None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_include_delimiters_and_outer_numbers() {
        let numbering = Numbering {
            delimiter: Delimiter::Parentheses,
            ..Numbering::default()
        };
        assert_eq!(label(3, numbering, &["1".into()]), "(3)");
        let nested = Numbering {
            nested: true,
            ..Numbering::default()
        };
        assert_eq!(label(3, nested, &["1".into(), "2".into()]), "1.2.3.");
    }
}
