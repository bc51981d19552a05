//! Digests that stay the same after a restart: SipHash-2-4 of 128 bits, with a key that only the service can read, so
//! that a client cannot make two requests with the same digest.

use serde::{Deserialize, Serialize};
use siphasher::sip128::{Hasher128, SipHasher24};
use std::{fmt, hash::Hasher, io};

/// Digests by which the store recognises that a request is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeat {
    /// Digest of the key that the client chose.
    pub key: Digest,
    /// Digest of the whole request.
    pub form: Digest,
}

/// A digest of 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Digest([u64; 2]);

impl fmt::Display for Digest {
    /// Writes hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [high, low] = self.0;
        write!(f, "{high:016x}{low:016x}")
    }
}

/// Makes a [`Digest`].
#[derive(Clone)]
pub struct Digester(SipHasher24);

impl Digester {
    pub(super) fn new(key: [u8; 16]) -> Self {
        Self(SipHasher24::new_with_key(&key))
    }

    /// Adds a text, preceded by its length: "ab" and "c" give another digest than "a" and "bc".
    pub fn add_text(&mut self, text: &str) {
        self.0.write(&(text.len() as u64).to_le_bytes());
        self.0.write(text.as_bytes());
    }

    /// Returns the digest of everything that has been added.
    pub fn finish(&self) -> Digest {
        let hash = self.0.finish128();
        Digest([hash.h1, hash.h2])
    }
}

/// Adds bytes without their length. Two pieces that are added one after another give the same digest as their
/// concatenation.
impl io::Write for Digester {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
