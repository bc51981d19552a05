//! Values of OpenDocument's attributes for the format of a list number, and for the text around it.

use convertd_tree::{Delimiter, Numeral};

/// Returns the value of `style:num-format` for a numeral.
pub fn open_numeral(numeral: Numeral) -> &'static str {
    match numeral {
        Numeral::Decimal => "1",
        Numeral::LowerAlpha => "a",
        Numeral::UpperAlpha => "A",
        Numeral::LowerRoman => "i",
        Numeral::UpperRoman => "I",
    }
}

/// Returns the values of `style:num-prefix` and `style:num-suffix` for a delimiter.
pub fn open_delimiter(delimiter: Delimiter) -> (&'static str, &'static str) {
    match delimiter {
        Delimiter::Period => ("", "."),
        Delimiter::Parenthesis => ("", ")"),
        Delimiter::Parentheses => ("(", ")"),
        Delimiter::None => ("", ""),
    }
}
