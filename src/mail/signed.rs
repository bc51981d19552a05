//! Extracts the content of an opaque signature (CMS SignedData, RFC 5652, section 5). Does not check the signature.

/// Maximum nesting depth of ASN.1 values.
const MAX_DEPTH: usize = 12;
/// The object identifier of signed data, 1.2.840.113549.1.7.2, in DER.
const SIGNED_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 2];

/// CMS SignedData.
#[derive(Debug, PartialEq)]
pub(super) enum Signed {
    /// Signed content.
    Content(Vec<u8>),
    /// No content: certificates or revocation lists alone (RFC 8551, 3.2.2), or a detached signature.
    WithoutContent,
}

/// Returns the content of signed data. `None` for any other content type, and for damaged data.
pub(super) fn content(bytes: &[u8]) -> Option<Signed> {
    // ContentInfo: an object identifier, and the content with an explicit tag (RFC 5652, section 3).
    let (outer, _) = value(bytes)?;
    let (oid, rest) = value(outer.content)?;
    if oid.content != SIGNED_DATA {
        return None;
    }
    let (explicit, _) = value(rest)?;
    let (signed, _) = value(explicit.content)?;
    // SignedData: a version, a set of digest algorithms, and the encapsulated content.
    let (_, rest) = value(signed.content)?;
    let (_, rest) = value(rest)?;
    let (info, _) = value(rest)?;
    // EncapsulatedContentInfo: an object identifier, and the content with an explicit tag (5.2).
    let (_, rest) = value(info.content)?;
    if rest.is_empty() {
        return Some(Signed::WithoutContent);
    }
    let (explicit, _) = value(rest)?;
    let mut content = Vec::new();
    octets(explicit.content, &mut content, 0)?;
    Some(Signed::Content(content))
}

/// A decoded BER value. The tag is the identifier octet; signed data have no longer tags.
struct Value<'b> {
    tag: u8,
    content: &'b [u8],
}

/// Appends an OCTET STRING, which may be constructed of several pieces (X.690, 8.7).
fn octets(bytes: &[u8], out: &mut Vec<u8>, depth: usize) -> Option<()> {
    let mut rest = bytes;
    while !rest.is_empty() {
        let (found, after) = value(rest)?;
        match found.tag {
            // 4 is a primitive OCTET STRING, and 0x24 a constructed OCTET STRING.
            4 => out.extend_from_slice(found.content),
            0x24 if depth < MAX_DEPTH => octets(found.content, out, depth + 1)?,
            _ => return Some(()),
        }
        rest = after;
    }
    Some(())
}

/// Reads the first value (X.690, 8.1), and returns it with the bytes after it.
fn value(bytes: &[u8]) -> Option<(Value<'_>, &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    let (&first, rest) = rest.split_first()?;
    // Indefinite form: the content ends at an end-of-contents marker (X.690, 8.1.3.6).
    if first == 0x80 {
        let len = indefinite(rest, 0)?;
        return Some((
            Value {
                tag,
                content: &rest[..len],
            },
            rest.get(len + 2..)?,
        ));
    }
    let (len, rest) = match first {
        0..0x80 => (usize::from(first), rest),
        _ => {
            // Long form: the lower seven bits are the number of length bytes that follow (X.690, 8.1.3.5).
            let count = usize::from(first & 0x7f);
            if count > 4 {
                return None;
            }
            let (digits, rest) = rest.split_at_checked(count)?;
            let len = digits
                .iter()
                .fold(0_usize, |len, digit| len << 8 | usize::from(*digit));
            (len, rest)
        }
    };
    // In a truncated file, the content ends with the file.
    let len = len.min(rest.len());
    let (content, after) = rest.split_at(len);
    Some((Value { tag, content }, after))
}

/// Returns the length of a content in the indefinite form, up to its end-of-contents marker (two zero bytes). Nested
/// values are skipped.
fn indefinite(bytes: &[u8], depth: usize) -> Option<usize> {
    if depth > MAX_DEPTH {
        return None;
    }
    let mut at = 0;
    loop {
        let rest = bytes.get(at..)?;
        match rest {
            [0, 0, ..] => return Some(at),
            [_, 0x80, inner @ ..] => at += 2 + indefinite(inner, depth + 1)? + 2,
            [_, _, ..] => {
                let (_, after) = value(rest)?;
                at += rest.len() - after.len();
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrap(tag: u8, content: &[u8]) -> Vec<u8> {
        [
            &[tag, 0x82, (content.len() >> 8) as u8, content.len() as u8],
            content,
        ]
        .concat()
    }

    #[test]
    fn signed_content_is_extracted() {
        let text = [wrap(4, b"Subject: a"), wrap(4, b"\n\nb")].concat();
        let pieces = [&[0x24, 0x80][..], &text, &[0, 0]].concat();
        let info = wrap(0x30, &[wrap(6, b"x"), wrap(0xa0, &pieces)].concat());
        let signed = wrap(0x30, &[wrap(2, &[1]), wrap(0x31, b""), info].concat());
        let whole = wrap(0x30, &[wrap(6, SIGNED_DATA), wrap(0xa0, &signed)].concat());
        let expected = Signed::Content(b"Subject: a\n\nb".to_vec());
        assert_eq!(content(&whole), Some(expected));
        for end in 0..whole.len() {
            let _ = content(&whole[..end]);
        }
        let deep = [0x30, 0x80].repeat(10_000);
        assert!(content(&deep).is_none());
    }
}
