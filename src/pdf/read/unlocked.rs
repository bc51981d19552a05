//! Files in which only embedded files are encrypted (ISO 32000-2, 7.6.6), so that no password is needed for their
//! pages. `hayro` requires a password whenever the trailer has an encryption entry, so this module overwrites the
//! entry. Decrypts nothing.

use memchr::memmem;

/// Key of the trailer entry for encryption.
const ENTRY: &[u8] = b"/Encrypt";
/// A meaningless key of the same length, which replaces [`ENTRY`].
const NOTHING: &[u8; ENTRY.len()] = b"/Ignored";

/// Hides the encryption entry if only embedded files are encrypted. Returns whether only embedded files are encrypted.
pub(super) fn unlock(bytes: &mut [u8]) -> bool {
    let only_attachments = memmem::find(bytes, b"/EFF").is_some()
        && is_plain(bytes, b"/StmF")
        && is_plain(bytes, b"/StrF");
    if only_attachments {
        let ends = |byte: Option<&u8>| byte.is_none_or(|byte| !byte.is_ascii_alphanumeric());
        let found: Vec<usize> = memmem::find_iter(bytes, ENTRY)
            .filter(|at| ends(bytes.get(at + ENTRY.len())))
            .collect();
        for at in found {
            bytes[at..at + ENTRY.len()].copy_from_slice(NOTHING);
        }
    }
    only_attachments
}

/// Returns whether a crypt filter key selects `Identity`, no encryption, wherever it occurs in the file. A missing key
/// means the same.
fn is_plain(bytes: &[u8], key: &[u8]) -> bool {
    memmem::find_iter(bytes, key).all(|at| {
        let value = bytes[at + key.len()..].trim_ascii_start();
        value.starts_with(b"/Identity")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_attachments_may_be_encrypted() {
        #[track_caller]
        fn check(file: &str, expected: Option<&str>) {
            let mut bytes = file.as_bytes().to_vec();
            assert_eq!(unlock(&mut bytes), expected.is_some(), "{file}");
            assert_eq!(bytes, expected.unwrap_or(file).as_bytes());
        }
        check(
            "/StmF/Identity /StrF\n/Identity /EFF /StdCF /EncryptMetadata true /Encrypt 5 0 R /Encrypt",
            Some(
                "/StmF/Identity /StrF\n/Identity /EFF /StdCF /EncryptMetadata true /Ignored 5 0 R /Ignored",
            ),
        );
        check("/EFF /StdCF /Encrypt<<", Some("/EFF /StdCF /Ignored<<"));
        check("/StmF /Identity /StrF /StdCF /EFF /StdCF /Encrypt 5", None);
        check("/StmF /StdCF /EFF /StdCF /Encrypt 5", None);
        check("/StmF /Identity /StrF /Identity /Encrypt 5", None);
    }
}
