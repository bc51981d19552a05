//! Parameters of a query (`application/x-www-form-urlencoded`, the URL standard, section 5). Checks no values.

use crate::{
    error::{Error, Kind, Result},
    http::Head,
};

/// Returns the decoded value of a parameter that may occur only once. `None` if it is missing.
///
/// Errors: [`Kind::BadInput`] if it occurs twice.
pub(super) fn parameter(head: &Head, name: &str) -> Result<Option<String>> {
    find(head.query.as_deref().unwrap_or_default(), name)
}

/// All parameters in their order, decoded.
pub(super) fn parameters(head: &Head) -> impl Iterator<Item = (String, String)> {
    pairs(head.query.as_deref().unwrap_or_default())
}

/// The error for a parameter that occurs twice.
pub(super) fn twice(name: &str) -> Error {
    let text = format!("the query has the parameter {name:?} twice; send it once");
    Error::new(Kind::BadInput, text)
}

fn find(query: &str, name: &str) -> Result<Option<String>> {
    let mut values = pairs(query).filter(|(key, _)| key == name);
    match (values.next(), values.next()) {
        (value, None) => Ok(value.map(|(_, value)| value)),
        (_, Some(_)) => Err(twice(name)),
    }
}

fn pairs(query: &str) -> impl Iterator<Item = (String, String)> {
    let decode = |text: &str| percent_decode(&text.replace('+', " "));
    query
        .split('&')
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(move |(name, value)| (decode(name), decode(value)))
}

/// Percent-decoding (RFC 3986, section 2.1); invalid UTF-8 in the result is replaced.
pub(super) fn percent_decode(text: &str) -> String {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, tail @ ..] = rest {
        let digit = |at: usize| tail.get(at).and_then(|&digit| (digit as char).to_digit(16));
        rest = match (byte, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                decoded.push((high << 4 | low) as u8);
                &tail[2..]
            }
            _ => {
                decoded.push(*byte);
                tail
            }
        };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_occurs_at_most_once() {
        #[track_caller]
        fn check(query: &str, value: Option<&str>) {
            assert_eq!(find(query, "wait").unwrap().as_deref(), value, "{query}");
        }
        check("", None);
        check("wait", Some(""));
        check("wait=", Some(""));
        check("a=b&wait=3&c", Some("3"));
        check("w%61it=%33+4", Some("3 4"));
        check("waiting=3&Wait=4", None);
        check("a=wait=3", None);
        assert_eq!(
            find("wait=3&wait=3", "wait").unwrap_err().message(),
            "the query has the parameter \"wait\" twice; send it once"
        );
    }
}
