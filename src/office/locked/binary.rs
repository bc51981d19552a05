//! Encryption of binary files of Office 97 to 2003 (MS-OFFCRYPTO 2.3.5 and 2.3.6). RC4 encrypts each block of a stream
//! with its own key, which is derived from the password, a salt and the block's number. Does not depend on a file
//! format.

use super::{
    Passwords,
    keys::{Hash, Rc4, digest, utf16},
    unsupported,
};
use crate::{containers::fields::Fields, error::Result};
use md5::Md5;

/// Hash of the password and a salt. The key of a block is derived from this hash and the number of the block.
pub(super) enum Keys {
    /// Office 97: the first five bytes of an MD5 hash.
    Md5([u8; 5]),
    /// Office 2002 and later (CryptoAPI): a SHA-1 hash, and the length of keys in bytes.
    Sha1(Vec<u8>, usize),
}

/// Identifier of RC4 (2.3.2).
const RC4: u32 = 0x6801;

impl Keys {
    /// Reads an encryption header from its version field on (2.3.5.1 and 2.3.6.1), and finds the password.
    ///
    /// Errors: [`BadInput`](crate::error::Kind::BadInput) if no password is correct, or for other encryption methods.
    pub(super) fn find(header: Fields<'_>, passwords: &Passwords<'_>) -> Result<Self> {
        match (header.u16(0), header.u16(2)) {
            (1, 1) => passwords.first_that_fits(|password| Ok(Self::of_97(header, password))),
            (2..=4, 2) => {
                let description = header.part(12, header.u32(8) as usize);
                if description.u32(8) != RC4 {
                    return Err(unsupported("a cipher other than RC4"));
                }
                let verifier = header.from(12).from(description.len());
                let bits = description.u32(16);
                passwords.first_that_fits(|password| Ok(Self::of_2002(verifier, bits, password)))
            }
            _ => Err(unsupported("an unknown program")),
        }
    }

    /// Derives the hash from a password (2.3.6.2). `None` if the password is wrong.
    fn of_97(header: Fields<'_>, password: &str) -> Option<Self> {
        let (salt, sample) = (header.part(4, 16), header.part(20, 32));
        let once = digest::<Md5>(&[&utf16(password)]);
        let repeated = [&once[..5], salt.0].concat().repeat(16);
        let hash = digest::<Md5>(&[&repeated]);
        let keys = Self::Md5(*hash.first_chunk()?);
        keys.fits(sample, 16, digest::<Md5>).then_some(keys)
    }

    /// Derives the hash from a password (2.3.5.2). `None` if the password is wrong.
    fn of_2002(verifier: Fields<'_>, bits: u32, password: &str) -> Option<Self> {
        let salt = verifier.part(4, 16);
        let (sample, expected) = (verifier.part(20, 16), verifier.part(40, 20));
        let hash = Hash::Sha1.of(&[salt.0, &utf16(password)]);
        // 0 stands for 40 bits.
        let len = match bits {
            0 => 5,
            bits => (bits as usize / 8).clamp(1, 16),
        };
        let keys = Self::Sha1(hash, len);
        let sample = [sample.0, expected.0].concat();
        let of = |parts: &[&[u8]]| Hash::Sha1.of(parts);
        keys.fits(Fields(&sample), 20, of).then_some(keys)
    }

    /// Returns whether this is the hash of the correct password. The sample consists of 16 bytes and their hash, which
    /// are encrypted together.
    fn fits(
        &self,
        sample: Fields<'_>,
        hash_len: usize,
        hash: impl Fn(&[&[u8]]) -> Vec<u8>,
    ) -> bool {
        let mut sample = sample.0.to_vec();
        self.cipher(0).apply(&mut sample);
        sample.len() == 16 + hash_len && hash(&[&sample[..16]]) == sample[16..]
    }

    /// Returns the cipher of a block.
    pub(super) fn cipher(&self, block: u32) -> Rc4 {
        match self {
            Self::Md5(start) => Rc4::new(&digest::<Md5>(&[start, &block.to_le_bytes()])),
            Self::Sha1(start, len) => {
                let mut key = Hash::Sha1.of(&[start, &block.to_le_bytes()]);
                key.truncate(*len);
                // Keys of 40 bits are padded with zeros (2.3.5.2).
                if *len == 5 {
                    key.resize(16, 0);
                }
                Rc4::new(&key)
            }
        }
    }
}

/// Decrypts parts of a stream at any offset. Each block of the stream has its own key.
pub(super) struct Mixed<'a> {
    keys: &'a Keys,
    /// Number of the block in `bytes`.
    block: Option<usize>,
    /// Key stream of that block.
    bytes: Vec<u8>,
}

impl<'a> Mixed<'a> {
    /// Prepares the decryption of a stream with blocks of this length.
    pub(super) fn new(keys: &'a Keys, block_len: usize) -> Self {
        Self {
            keys,
            block: None,
            bytes: vec![0; block_len],
        }
    }

    /// Decrypts data at an offset of the stream.
    pub(super) fn apply(&mut self, place: usize, data: &mut [u8]) {
        let (mut block, mut inside) = (place / self.bytes.len(), place % self.bytes.len());
        let mut rest = data;
        while !rest.is_empty() {
            if self.block != Some(block) {
                self.bytes.fill(0);
                let number = u32::try_from(block).unwrap_or(u32::MAX);
                self.keys.cipher(number).apply(&mut self.bytes);
                self.block = Some(block);
            }
            let len = rest.len().min(self.bytes.len() - inside);
            let (part, after) = rest.split_at_mut(len);
            part.iter_mut()
                .zip(&self.bytes[inside..])
                .for_each(|(byte, mixed)| *byte ^= mixed);
            (rest, block, inside) = (after, block + 1, 0);
        }
    }
}
