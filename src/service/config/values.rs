//! Parsers and checks for the values of options: numbers, sizes, host names and origins.

/// Returns whether the text is `*`, or an `Origin` that a browser could send (RFC 6454, section 6.2): a scheme and an
/// authority without a path.
pub(super) fn is_origin(text: &str) -> bool {
    text == "*"
        || text.split_once("://").is_some_and(|(scheme, authority)| {
            let is_name = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
            !scheme.is_empty()
                && scheme.chars().all(is_name)
                && !authority.is_empty()
                && !authority.contains(['/', '?', '#', '@', ' '])
        })
}

/// Returns whether the text is `*`, the name of a host without a port, or `*.` followed by such a name.
pub(super) fn is_host(text: &str) -> bool {
    let name = text.strip_prefix("*.").unwrap_or(text);
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    text == "*" || !name.is_empty() && name.chars().all(is_name)
}

/// Parses a whole number from `least` to `most`.
pub(super) fn count(text: &str, least: usize, most: usize) -> Option<usize> {
    text.parse()
        .ok()
        .filter(|number| (least..=most).contains(number))
}

/// Parses a size in bytes with an optional suffix, in powers of 1024: `512K`, `100M`, `2G`, or `100MiB`. `None` also if
/// the size does not fit into 64 bits.
pub(crate) fn bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, suffix) = text.split_at(digits);
    let shift = match suffix
        .trim()
        .trim_end_matches("iB")
        .trim_end_matches('B')
        .to_ascii_uppercase()
        .as_str()
    {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// The expected value of options that are sizes, except `memory`, which has a minimum.
pub(super) const SIZE: &str = "a number of bytes, such as 1048576, 512K, 100M or 2G";

/// Names of models from a list of languages.
#[cfg(feature = "ocr")]
pub(super) fn languages(text: &str) -> Result<Vec<String>, String> {
    convertd_ocr::languages::parse(text).map_err(|error| format!("names of languages ({error})"))
}

#[cfg(not(feature = "ocr"))]
pub(super) fn languages(_: &str) -> Result<Vec<String>, String> {
    Err("left out: this build has no OCR".to_owned())
}

/// Stores a parsed value. `None` means that the text could not be parsed; `expected` becomes the error.
pub(super) fn put<T>(place: &mut T, value: Option<T>, expected: &str) -> Result<(), String> {
    *place = value.ok_or_else(|| expected.to_owned())?;
    Ok(())
}
