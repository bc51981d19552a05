//! Hashes and ciphers for encrypted office files. Reads no file format.

use crate::{error::Result, job::Job};
use aes::{
    Aes128, Aes192, Aes256, Block,
    cipher::{BlockDecrypt, BlockEncrypt, KeyInit},
};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};

/// Hash algorithms.
#[derive(Clone, Copy)]
pub(super) enum Hash {
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}

impl Hash {
    /// Returns the algorithm with this name, as listed in MS-OFFCRYPTO 2.3.4.10.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "SHA1" | "SHA-1" => Self::Sha1,
            "SHA256" | "SHA-256" => Self::Sha256,
            "SHA384" | "SHA-384" => Self::Sha384,
            "SHA512" | "SHA-512" => Self::Sha512,
            _ => return None,
        })
    }

    /// Returns the hash of concatenated parts.
    pub(super) fn of(self, parts: &[&[u8]]) -> Vec<u8> {
        match self {
            Self::Sha1 => digest::<Sha1>(parts),
            Self::Sha256 => digest::<Sha256>(parts),
            Self::Sha384 => digest::<Sha384>(parts),
            Self::Sha512 => digest::<Sha512>(parts),
        }
    }

    /// Returns the hash of the salt and the password after `spins` more rounds, each of which hashes its number and the
    /// previous hash (MS-OFFCRYPTO 2.3.4.7 and 2.3.4.11).
    pub(super) fn spun(
        self,
        job: &Job<'_>,
        password: &str,
        salt: &[u8],
        spins: u32,
    ) -> Result<Vec<u8>> {
        let mut hash = self.of(&[salt, &utf16(password)]);
        for spin in 0..spins {
            // Check now and then whether the job was cancelled.
            if spin % (1 << 14) == 0 {
                job.check()?;
            }
            hash = self.of(&[&spin.to_le_bytes(), &hash]);
        }
        Ok(hash)
    }
}

/// Returns the hash of concatenated parts.
pub(super) fn digest<D: Digest>(parts: &[&[u8]]) -> Vec<u8> {
    let mut digest = D::new();
    parts.iter().for_each(|part| digest.update(part));
    digest.finalize().to_vec()
}

/// Returns a password in the encoding that Office hashes: UTF-16.
pub(super) fn utf16(password: &str) -> Vec<u8> {
    password.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// AES cipher with a key of 128, 192 or 256 bits.
pub(super) enum Aes {
    Short(Aes128),
    Middle(Aes192),
    Long(Aes256),
}

impl Aes {
    /// Creates a cipher for a key of 16, 24 or 32 bytes. `None` for other lengths.
    pub(super) fn new(key: &[u8]) -> Option<Self> {
        Some(match key.len() {
            16 => Self::Short(Aes128::new_from_slice(key).ok()?),
            24 => Self::Middle(Aes192::new_from_slice(key).ok()?),
            32 => Self::Long(Aes256::new_from_slice(key).ok()?),
            _ => return None,
        })
    }

    /// Decrypts blocks independently of each other (ECB). A partial block at the end is not changed.
    pub(super) fn blocks(&self, data: &mut [u8]) {
        for block in data.chunks_exact_mut(16) {
            let block = Block::from_mut_slice(block);
            match self {
                Self::Short(cipher) => cipher.decrypt_block(block),
                Self::Middle(cipher) => cipher.decrypt_block(block),
                Self::Long(cipher) => cipher.decrypt_block(block),
            }
        }
    }

    /// Decrypts whole blocks in CBC mode, and drops a partial block at the end. `start` is the initialisation vector.
    pub(super) fn chained(&self, data: &[u8], start: &[u8]) -> Vec<u8> {
        let mut plain = data[..data.len() / 16 * 16].to_vec();
        self.blocks(&mut plain);
        // In encryption, each block was combined with the encrypted block before it. The same operation undoes this.
        let before = start.iter().take(16).chain(data);
        plain
            .iter_mut()
            .zip(before)
            .for_each(|(byte, mixed)| *byte ^= mixed);
        plain
    }

    /// Decrypts data in GCM mode (NIST SP 800-38D, 7.2). Does not check the authentication tag.
    pub(super) fn counted(&self, data: &mut [u8], start: [u8; 12]) {
        // The counter begins with 1, which belongs to the authentication tag, so the data begins with 2.
        for (number, part) in (2_u32..).zip(data.chunks_mut(16)) {
            let mut block = Block::default();
            block[..12].copy_from_slice(&start);
            block[12..].copy_from_slice(&number.to_be_bytes());
            match self {
                Self::Short(cipher) => cipher.encrypt_block(&mut block),
                Self::Middle(cipher) => cipher.encrypt_block(&mut block),
                Self::Long(cipher) => cipher.encrypt_block(&mut block),
            }
            part.iter_mut()
                .zip(&block)
                .for_each(|(byte, mixed)| *byte ^= mixed);
        }
    }
}

/// RC4 stream cipher. The `rc4` crate needs the length of the key at compile time, but it is known only from the file.
pub(super) struct Rc4 {
    /// Permutation of all bytes.
    state: [u8; 256],
    /// Index that common descriptions call `i`.
    first: u8,
    /// Index that common descriptions call `j`.
    second: u8,
}

impl Rc4 {
    /// Creates a cipher for a key. An empty key counts as a zero byte.
    pub(super) fn new(key: &[u8]) -> Self {
        let mut state: [u8; 256] = std::array::from_fn(|at| at as u8);
        let key = match key.is_empty() {
            true => &[0],
            false => key,
        };
        let mut second = 0_u8;
        for (first, byte) in (0..256).zip(key.iter().cycle()) {
            second = second.wrapping_add(state[first]).wrapping_add(*byte);
            state.swap(first, second.into());
        }
        Self {
            state,
            first: 0,
            second: 0,
        }
    }

    /// Encrypts or decrypts the next bytes.
    pub(super) fn apply(&mut self, data: &mut [u8]) {
        for byte in data {
            self.first = self.first.wrapping_add(1);
            let one = self.state[usize::from(self.first)];
            self.second = self.second.wrapping_add(one);
            let other = self.state[usize::from(self.second)];
            self.state.swap(self.first.into(), self.second.into());
            *byte ^= self.state[usize::from(one.wrapping_add(other))];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6229, section 2: the first bytes of a key stream.
    #[test]
    fn rc4_matches_the_test_vectors() {
        let mut bytes = [0; 16];
        Rc4::new(&[1, 2, 3, 4, 5]).apply(&mut bytes);
        let expected = 0xb239_6305_f03d_c027_ccc3_524a_0a11_18a8_u128;
        assert_eq!(u128::from_be_bytes(bytes), expected);
    }

    /// GCM test case 3 of NIST.
    #[test]
    fn aes_counter_mode_matches_the_gcm_test_case() {
        let bytes = |hex: &str| -> Vec<u8> {
            let digits = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
            (0..hex.len()).step_by(2).map(digits).collect()
        };
        let cipher = Aes::new(&bytes("feffe9928665731c6d6a8f9467308308")).unwrap();
        let start = bytes("cafebabefacedbaddecaf888");
        let mut data = bytes("42831ec2217774244b7221b784d0d49c");
        cipher.counted(&mut data, start.try_into().unwrap());
        assert_eq!(data, bytes("d9313225f88406e5a55909c5aff5269a"));
    }
}
