//! Files embedded in a page as `data:` URLs (RFC 2397). Fetches nothing.

use base64::{Engine, engine::general_purpose::STANDARD};
use convertd_tree::Resource;
use data_url::DataUrl;

/// Writes a resource as a `data:` URL, for use in an attribute.
pub fn data_url(resource: &Resource, out: &mut String) {
    out.push_str("data:");
    let plain = |c: char| c.is_ascii_alphanumeric() || "/+.-".contains(c);
    out.extend(resource.media_type.chars().filter(|c| plain(*c)));
    out.push_str(";base64,");
    STANDARD.encode_string(&resource.bytes, out);
}

/// Returns whether an address is a `data:` URL, well-formed or not.
pub fn is_data_url(address: &str) -> bool {
    let scheme = address.trim_start().get(..5);
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// The media type and content of a `data:` URL. `None` for any other URL, and for a malformed one.
pub fn parse_data_url(url: &str) -> Option<(String, Vec<u8>)> {
    let url = DataUrl::process(url).ok()?;
    let (bytes, _) = url.decode_to_vec().ok()?;
    let media_type = url.mime_type();
    Some((
        format!("{}/{}", media_type.type_, media_type.subtype),
        bytes,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_urls_are_read_back() {
        for len in 0_u8..40 {
            let bytes: Vec<u8> = (0..len).map(|index| index.wrapping_mul(37)).collect();
            let mut url = String::new();
            let resource = Resource {
                media_type: "image/\"png".into(),
                name: "".into(),
                bytes: bytes.clone(),
                orientation: None,
                drawn: false,
                pixels: None,
            };
            data_url(&resource, &mut url);
            assert_eq!(parse_data_url(&url), Some(("image/png".into(), bytes)));
        }
    }

    #[test]
    fn unusual_urls_are_read() {
        #[track_caller]
        fn check(url: &str, expected: Option<(&str, &[u8])>) {
            let expected = expected.map(|(name, bytes)| (name.to_owned(), bytes.to_vec()));
            assert_eq!(parse_data_url(url), expected, "{url}");
        }
        check(
            "data:image/svg+xml,%3Csvg%3E%",
            Some(("image/svg+xml", b"<svg>%")),
        );
        check(
            "DATA:;charset=x;base64, Zm 9v%0AYg",
            Some(("text/plain", b"foob")),
        );
        check("data:image/png;base64,Zm9vY", None);
        check("data:x", None);
        check("dat", None);
        check("é:éééé", None);
    }
}
