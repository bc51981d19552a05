//! Format codes of built-in number formats, to which files refer only by identifiers (ECMA-376 part 1, 18.8.30).
//! Formats that depend on the user's language are those of US English.

/// Returns the format code for an identifier. Identifiers without a format code result in `General`.
pub(super) fn code(number: u32) -> &'static str {
    match number {
        1 => "0",
        2 => "0.00",
        3 => "#,##0",
        4 => "#,##0.00",
        5 => "\"$\"#,##0_);(\"$\"#,##0)",
        6 => "\"$\"#,##0_);[Red](\"$\"#,##0)",
        7 => "\"$\"#,##0.00_);(\"$\"#,##0.00)",
        8 => "\"$\"#,##0.00_);[Red](\"$\"#,##0.00)",
        9 => "0%",
        10 => "0.00%",
        11 => "0.00E+00",
        12 => "# ?/?",
        13 => "# ??/??",
        // For 14, the standard says mm-dd-yy, but Excel uses the short date format of the user's language. The other
        // numbers are dates of East Asian languages.
        14 | 27 | 30 | 36 | 50 | 57 => "m/d/yyyy",
        15 => "d-mmm-yy",
        16 => "d-mmm",
        17 => "mmm-yy",
        18 => "h:mm AM/PM",
        19 => "h:mm:ss AM/PM",
        20 | 32 | 34 | 55 => "h:mm",
        21 | 33 | 35 | 56 => "h:mm:ss",
        22 => "m/d/yyyy h:mm",
        // Further dates of East Asian languages, here in ISO 8601.
        28 | 29 | 31 | 51..=54 | 58 => "yyyy-mm-dd",
        37 => "#,##0_);(#,##0)",
        38 => "#,##0_);[Red](#,##0)",
        39 => "#,##0.00_);(#,##0.00)",
        40 => "#,##0.00_);[Red](#,##0.00)",
        41 => "_(* #,##0_);_(* (#,##0);_(* \"-\"_);_(@_)",
        42 => "_(\"$\"* #,##0_);_(\"$\"* (#,##0);_(\"$\"* \"-\"_);_(@_)",
        43 => "_(* #,##0.00_);_(* (#,##0.00);_(* \"-\"??_);_(@_)",
        44 => "_(\"$\"* #,##0.00_);_(\"$\"* (#,##0.00);_(\"$\"* \"-\"??_);_(@_)",
        45 => "mm:ss",
        46 => "[h]:mm:ss",
        47 => "mm:ss.0",
        48 => "##0.0E+0",
        49 => "@",
        _ => "General",
    }
}
