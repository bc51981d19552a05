//! Encryption with AES-256, revision 6 of the standard security handler (ISO 32000-2, 7.6.4). Decrypts nothing, because
//! the reader does that.
//!
//! The file is encrypted with a random key. The file contains this key twice, encrypted with keys that are derived from
//! the user password and the owner password. Strings in object streams are encrypted with the stream, all other strings
//! one by one, and the encryption dictionary not at all.

use super::value::{Dict, Value};
use crate::{
    error::{Error, Kind, Result},
    random,
};
use aes::{
    Aes128Enc, Aes256Enc,
    cipher::{BlockEncrypt, KeyInit},
};
use sha2::{Digest, Sha256, Sha384, Sha512};

/// Limit on a password, in bytes of UTF-8 (7.6.4.3.3).
const MAX_PASSWORD: usize = 127;
/// Length of a block of AES, in bytes.
const BLOCK: usize = 16;

/// Bits of the permissions of a reader without the owner's password (table 22), by the words of the option.
const PERMISSIONS: [(&str, i32); 7] = [
    ("print", 1 << 2 | 1 << 11),
    ("edit", 1 << 3),
    ("copy", 1 << 4),
    ("comment", 1 << 5),
    ("fill", 1 << 8),
    ("assemble", 1 << 10),
    ("all", ALL_ALLOWED),
];
/// All bits of permissions that the option can withhold.
const ALL_ALLOWED: i32 = 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 8 | 1 << 10 | 1 << 11;
/// Bits 7, 8 and 13 to 32 are always set, and so is bit 10, which lets programs read the text aloud.
const ALWAYS: i32 = !0xfff | 1 << 6 | 1 << 7 | 1 << 9;

/// The permissions in a list of words: `print,copy`, `all` or `none`.
///
/// Errors: [`Kind::BadInput`] for another word.
pub(super) fn permissions(list: &str) -> Result<i32> {
    let mut allowed = ALWAYS;
    for word in list
        .split(',')
        .map(str::trim)
        .filter(|word| *word != "none")
    {
        match PERMISSIONS.iter().find(|(known, _)| *known == word) {
            Some((_, bits)) => allowed |= bits,
            None => {
                let words: Vec<&str> = PERMISSIONS.iter().map(|(word, _)| *word).collect();
                let shown: String = word.chars().take(40).collect();
                let text = format!(
                    "permissions must be none, or a list of {}, but contains {shown:?}",
                    words.join(", ")
                );
                return Err(Error::new(Kind::BadInput, text));
            }
        }
    }
    Ok(allowed)
}

/// A key, and the dictionary from which readers with a password get it.
pub(super) struct Lock {
    pub(super) dict: Dict,
    key: [u8; 32],
}

impl Lock {
    /// Makes a lock that `user` and `owner` open. Without `owner`, the owner password is random, so the permissions
    /// apply to all readers.
    ///
    /// Errors: the system cannot supply random numbers.
    pub(super) fn new(user: &str, owner: Option<&str>, permissions: i32) -> Result<Self> {
        let key: [u8; 32] = random::bytes()?;
        let user = prepared(user);
        let owner = match owner {
            Some(owner) => prepared(owner),
            None => random::bytes::<32>()?.to_vec(),
        };
        let (u, ue) = wrapped(&user, &[], &key)?;
        let (o, oe) = wrapped(&owner, &u, &key)?;
        let mut perms = [0; BLOCK];
        perms[..4].copy_from_slice(&permissions.to_le_bytes());
        perms[4..8].fill(0xff);
        // T: metadata is encrypted as well.
        perms[8..12].copy_from_slice(b"Tadb");
        perms[12..].copy_from_slice(&random::bytes::<4>()?);
        let mut block = perms.into();
        Aes256Enc::new(&key.into()).encrypt_block(&mut block);
        let mut filter = Dict::default();
        filter.set("CFM", Value::name("AESV3"));
        filter.set("AuthEvent", Value::name("DocOpen"));
        filter.set("Length", 32);
        let mut filters = Dict::default();
        filters.set("StdCF", filter);
        let text = |bytes: &[u8]| Value::Text(bytes.into());
        let mut dict = Dict::default();
        dict.set("Filter", Value::name("Standard"));
        dict.set("V", 5);
        dict.set("R", 6);
        dict.set("Length", 256);
        dict.set("CF", filters);
        dict.set("StmF", Value::name("StdCF"));
        dict.set("StrF", Value::name("StdCF"));
        dict.set("U", text(&u));
        dict.set("UE", text(&ue));
        dict.set("O", text(&o));
        dict.set("OE", text(&oe));
        dict.set("P", i64::from(permissions));
        dict.set("Perms", text(&block));
        dict.set("EncryptMetadata", Value::Bool(true));
        Ok(Self { dict, key })
    }

    /// The cipher for strings and streams: a random block, followed by the data in cipher block chaining, padded to
    /// whole blocks (7.6.3.1).
    pub(super) fn cipher(&self) -> impl Fn(&[u8]) -> Vec<u8> + Send + Clone + use<> {
        let cipher = Aes256Enc::new(&self.key.into());
        move |data| {
            // A file that looks encrypted and is not would be worse than a panic, which ends only this job.
            let first = random::bytes().expect("random numbers, as when the key was made");
            let padding = BLOCK - data.len() % BLOCK;
            let mut out = Vec::with_capacity(BLOCK + data.len() + padding);
            out.extend(first);
            out.extend(data);
            out.resize(out.len() + padding, padding as u8);
            chain(&cipher, first, &mut out[BLOCK..]);
            out
        }
    }
}

/// Encrypts whole blocks in place by cipher block chaining.
fn chain(
    cipher: &impl BlockEncrypt<BlockSize = aes::cipher::consts::U16>,
    first: [u8; BLOCK],
    data: &mut [u8],
) {
    let mut before = first;
    for block in data.chunks_exact_mut(BLOCK) {
        for (byte, other) in block.iter_mut().zip(before) {
            *byte ^= other;
        }
        cipher.encrypt_block(aes::Block::from_mut_slice(block));
        before.copy_from_slice(block);
    }
}

/// Returns the dictionary entries for a password (algorithms 8 and 9): its hash followed by two salts (`U` or `O`), and
/// the encrypted key (`UE` or `OE`).
fn wrapped(password: &[u8], user: &[u8], key: &[u8; 32]) -> Result<([u8; 48], [u8; 32])> {
    let salts: [u8; 16] = random::bytes()?;
    let mut check = [0; 48];
    check[..32].copy_from_slice(&hash(password, &salts[..8], user));
    check[32..].copy_from_slice(&salts);
    let mut locked = *key;
    let cipher = Aes256Enc::new(&hash(password, &salts[8..], user).into());
    chain(&cipher, [0; BLOCK], &mut locked);
    Ok((check, locked))
}

/// Hash of a password (algorithm 2.B).
fn hash(password: &[u8], salt: &[u8], user: &[u8]) -> [u8; 32] {
    let mut key = Sha256::new()
        .chain_update(password)
        .chain_update(salt)
        .chain_update(user)
        .finalize()
        .to_vec();
    for round in 0_usize.. {
        let once = [password, &key, user].concat();
        let mut data = once.repeat(64);
        let (first, second) = key.split_at(BLOCK);
        let cipher = Aes128Enc::new(aes::Block::from_slice(first));
        let mut start = [0; BLOCK];
        start.copy_from_slice(&second[..BLOCK]);
        chain(&cipher, start, &mut data);
        // 256 modulo 3 is 1, so the sum of the bytes has the same remainder as the 128-bit number that they form.
        let sum: usize = data[..BLOCK].iter().map(|byte| usize::from(*byte)).sum();
        key = match sum % 3 {
            0 => Sha256::digest(&data).to_vec(),
            1 => Sha384::digest(&data).to_vec(),
            _ => Sha512::digest(&data).to_vec(),
        };
        let last = data.last().copied().map_or(0, usize::from);
        if round >= 63 && last + 32 <= round + 1 {
            break;
        }
    }
    let mut out = [0; 32];
    out.copy_from_slice(&key[..32]);
    out
}

/// A password in UTF-8, with the characters mapped as in SASLprep (RFC 4013, 2.1), and cut to [`MAX_PASSWORD`] bytes.
/// The normalisation that the standard also prescribes (RFC 4013, 2.2) is left out.
fn prepared(password: &str) -> Vec<u8> {
    let kept = password.chars().filter_map(|character| match character {
        '\u{ad}'
        | '\u{34f}'
        | '\u{1806}'
        | '\u{180b}'..='\u{180d}'
        | '\u{200b}'..='\u{200d}'
        | '\u{2060}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' => None,
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            Some(' ')
        }
        other => Some(other),
    });
    let mut bytes = kept.collect::<String>().into_bytes();
    bytes.truncate(MAX_PASSWORD);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permissions_are_bits() {
        #[track_caller]
        fn check(list: &str, expected: i32) {
            assert_eq!(permissions(list).unwrap(), expected, "{list}");
        }
        check("all", -4);
        check("none", -3392);
        check("print, copy", -3392 + 4 + 2048 + 16);
        assert!(permissions("dance").is_err());
    }
}
