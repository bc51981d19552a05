//! Percent-encoding of URLs (RFC 3986, 2.1). Encodes nothing.

/// Decodes percent-encoding, as in the fragment of a link.
pub fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let digit = |at: usize| {
        let digit = bytes.get(at).map(|byte| char::from(*byte))?.to_digit(16)?;
        u8::try_from(digit).ok()
    };
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push(high << 4 | low);
                at += 3;
            }
            _ => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_encoded_fragments_are_decoded() {
        assert_eq!(decoded("gr%C3%B6%C3%9fe%2"), "größe%2");
    }
}
