//! Encrypted OpenDocument packages (OpenDocument 1.3, part 2, 3.4 and 4.8). The manifest describes the encryption of
//! each part of the archive. LibreOffice 24.8 and later write a single encrypted part, which is another package.
//!
//! Parts are compressed before they are encrypted, so decrypted parts are still compressed.

use super::{
    EncryptedFormat, Passwords,
    keys::{Aes, Hash},
    unsupported,
};
use crate::{
    containers::{
        xml::{Element, Namespaces, Stream, Token},
        zip::{self, Archive, Packing},
    },
    error::Result,
    job::Job,
};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use base64::{Engine, engine::general_purpose::STANDARD};
use pbkdf2::pbkdf2_hmac;
use sha1::Sha1;
use std::{collections::HashMap, io::Cursor};

pub(super) const KIND: EncryptedFormat = EncryptedFormat {
    formats: &["odt", "ods", "odp", "odg"],
    // Flat files cannot be encrypted.
    signature: b"PK",
    is_locked: |job, input| {
        let _directory = job.lease(zip::directory_memory(job, input)?)?;
        let mut archive = Archive::open(job, input)?;
        Ok(!parts(job, &mut archive)?.is_empty())
    },
    unlock,
};

/// Part that lists all parts.
const MANIFEST: &str = "META-INF/manifest.xml";

/// The reader finds elements of the manifest by their local names, in any namespace.
const NAMESPACES: Namespaces = &[];

/// Part that contains a whole package.
const WHOLE: &str = "encrypted-package";

/// Max. number of hash rounds for a key, about a second of work. LibreOffice uses 100,000.
const MAX_ROUNDS: u32 = 1_000_000;
/// Max. product of the memory of Argon2, in KiB, and the number of passes: about a second of work. LibreOffice makes 3
/// passes over 64 MiB.
const MAX_MEMORY: u32 = 1 << 20;
/// Max. number of parallel lanes of Argon2. LibreOffice uses 4.
const MAX_LANES: u32 = 16;

/// Max. number of bytes that a checksum covers (4.8.3).
const CHECKED: usize = 1024;

/// Encrypted part of an archive.
struct EncryptedPart {
    /// Name of the part.
    name: String,
    /// Length after decryption and decompression, in bytes.
    size: u64,
    /// Hash of the beginning of the decrypted, compressed data, with its algorithm. It detects wrong passwords.
    checksum: Option<(Hash, Vec<u8>)>,
    /// Encryption algorithm.
    cipher: Cipher,
    /// Initialisation vector.
    start: Vec<u8>,
    /// Derivation of the key from the password.
    derivation: Derivation,
    /// Salt of the derivation.
    salt: Vec<u8>,
    /// Length of the key, in bytes.
    key_len: usize,
    /// Algorithm that hashes the password before the derivation.
    hash: Hash,
}

/// Encryption algorithms (4.8.4).
enum Cipher {
    /// AES in CBC mode.
    Chained,
    /// AES in GCM mode.
    Counted,
    /// Unsupported.
    Other,
}

/// Algorithms that derive a key from a password (4.8.6).
enum Derivation {
    /// PBKDF2 with this number of rounds (RFC 8018, 5.2).
    Rounds(u32),
    /// Argon2id (RFC 9106), with LibreOffice's attributes.
    Argon2 {
        passes: u32,
        memory: u32,
        lanes: u32,
    },
    /// Unsupported.
    Other,
}

/// Returns the encrypted parts of the archive, as listed in the manifest.
fn parts(job: &Job<'_>, archive: &mut Archive<'_>) -> Result<Vec<EncryptedPart>> {
    let Some(size) = archive.entry(MANIFEST).map(|entry| entry.size) else {
        return Ok(Vec::new());
    };
    let _text = job.lease(size)?;
    let text = archive.read(MANIFEST)?;
    let mut xml = Stream::new(job, &*text, NAMESPACES)?;
    let mut parts: Vec<EncryptedPart> = Vec::new();
    let (mut name, mut size, mut is_part) = (String::new(), 0, false);
    while let Some(token) = xml.next()? {
        let Token::Start(element) = token else {
            continue;
        };
        match element.name {
            "file-entry" => {
                name = element.attribute("full-path").unwrap_or_default().into();
                size = number(&element, "size").into();
                is_part = false;
            }
            "encryption-data" => {
                // The limit is the number of parts in the archive, because the manifest may list any number.
                is_part = archive.entry(&name).is_some() && parts.len() < archive.entries().len();
                if is_part {
                    parts.push(EncryptedPart::new(name.clone(), size, &element));
                }
            }
            _ if is_part => {
                if let Some(part) = parts.last_mut() {
                    part.read(&element);
                }
            }
            _ => {}
        }
    }
    Ok(parts)
}

/// Reads a number in an attribute. Missing and invalid numbers are 0.
fn number(element: &Element<'_>, name: &str) -> u32 {
    let value = element.attribute(name).unwrap_or_default();
    value.trim().parse().unwrap_or(0)
}

/// Reads Base64 data in an attribute. Empty if it is invalid.
fn base64(element: &Element<'_>, name: &str) -> Vec<u8> {
    let value = element.attribute(name).unwrap_or_default();
    STANDARD.decode(value.trim()).unwrap_or_default()
}

/// Returns the algorithm for a name or an address: SHA-256 if it contains `sha256`, otherwise SHA-1.
fn hash(name: &str) -> Hash {
    match name.to_ascii_lowercase().contains("sha256") {
        true => Hash::Sha256,
        false => Hash::Sha1,
    }
}

impl EncryptedPart {
    /// Creates a part from an `encryption-data` element. The values of its child elements are not known yet, and have
    /// defaults.
    fn new(name: String, size: u64, data: &Element<'_>) -> Self {
        let checksum = base64(data, "checksum");
        let kind = hash(&data.attribute("checksum-type").unwrap_or_default());
        Self {
            name,
            size,
            checksum: (!checksum.is_empty()).then_some((kind, checksum)),
            cipher: Cipher::Other,
            start: Vec::new(),
            derivation: Derivation::Other,
            salt: Vec::new(),
            key_len: 16,
            hash: Hash::Sha1,
        }
    }

    /// Reads an element that describes the encryption of the part.
    fn read(&mut self, element: &Element<'_>) {
        let text = |name: &str| element.attribute(name).unwrap_or_default();
        match element.name {
            "algorithm" => {
                self.start = base64(element, "initialisation-vector");
                let name = text("algorithm-name");
                self.cipher = match name.ends_with("-cbc") {
                    true => Cipher::Chained,
                    false if name.ends_with("-gcm") => Cipher::Counted,
                    false => Cipher::Other,
                };
            }
            "key-derivation" => {
                let name = text("key-derivation-name");
                self.derivation =
                    match name.eq_ignore_ascii_case("pbkdf2") || name.ends_with("#pbkdf2") {
                        true => Derivation::Rounds(number(element, "iteration-count")),
                        false if name.ends_with("argon2id") => Derivation::Argon2 {
                            passes: number(element, "argon2-iterations"),
                            memory: number(element, "argon2-memory"),
                            lanes: number(element, "argon2-lanes"),
                        },
                        false => Derivation::Other,
                    };
                self.salt = base64(element, "salt");
                if let len @ 1.. = number(element, "key-size") {
                    self.key_len = len as usize;
                }
            }
            "start-key-generation" => {
                self.hash = hash(&text("start-key-generation-name"));
            }
            _ => {}
        }
    }

    /// Derives the key from a password.
    fn key(&self, job: &Job<'_>, password: &str) -> Result<Aes> {
        let start = self.hash.of(&[password.as_bytes()]);
        let invalid = || job.unreadable("its encryption data are invalid");
        let mut key = vec![0; self.key_len.min(64)];
        match self.derivation {
            Derivation::Rounds(rounds @ 1..=MAX_ROUNDS) => {
                pbkdf2_hmac::<Sha1>(&start, &self.salt, rounds, &mut key);
            }
            Derivation::Argon2 {
                passes,
                memory,
                lanes: lanes @ 1..=MAX_LANES,
            } if passes.saturating_mul(memory) <= MAX_MEMORY => {
                let params = Params::new(memory, passes, lanes, Some(key.len()));
                let params = params.map_err(|_| invalid())?;
                let _memory = job.lease(u64::from(memory) << 10)?;
                let mut blocks = vec![Block::default(); params.block_count()];
                let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
                let derived = argon2.hash_password_into_with_memory(
                    &start,
                    &self.salt,
                    &mut key,
                    &mut blocks,
                );
                derived.map_err(|_| invalid())?;
            }
            Derivation::Other => return Err(unsupported("a certificate")),
            _ => return Err(invalid()),
        }
        job.check()?;
        Aes::new(&key).ok_or_else(invalid)
    }

    /// Decrypts the part, which stays compressed. `None` if the password is wrong.
    fn decrypt(&self, key: &Aes, bytes: &[u8]) -> Option<Vec<u8>> {
        let plain = match self.cipher {
            Cipher::Chained => {
                let mut plain = key.chained(bytes, &self.start);
                // The last byte is the number of bytes that pad the last block (XML Encryption 1.1, 5.2).
                let added = usize::from(*plain.last()?);
                plain.truncate(plain.len().checked_sub(added)?);
                plain
            }
            // The initialisation vector precedes the data, and the authentication tag follows the data (XML Encryption
            // 1.1, 5.2.4).
            _ => {
                let (start, rest) = bytes.split_first_chunk()?;
                let mut plain = rest.get(..rest.len().checked_sub(16)?)?.to_vec();
                key.counted(&mut plain, *start);
                plain
            }
        };
        // Without a checksum, this function accepts any password, and decompression detects wrong passwords.
        let fits = self.checksum.as_ref().is_none_or(|(hash, checksum)| {
            let beginning = &plain[..plain.len().min(CHECKED)];
            hash.of(&[beginning]) == *checksum
        });
        fits.then_some(plain)
    }

    /// Decrypts and decompresses the part. A whole package may be stored uncompressed. `None` if the password is wrong.
    fn open(&self, job: &Job<'_>, key: &Aes, bytes: &[u8]) -> Result<Option<Vec<u8>>> {
        let Some(packed) = self.decrypt(key, bytes) else {
            return Ok(None);
        };
        if self.name == WHOLE && packed.starts_with(b"PK") {
            return Ok(Some(packed));
        }
        zip::unpacked(job, &packed, self.size)
    }
}

/// Decrypts all parts, and writes a new archive. All parts have the same password, which is tried on the first part. If
/// that part is a whole package (LibreOffice 24.8 and later), it is the result.
fn unlock(job: &Job<'_>, file: Vec<u8>, passwords: &Passwords<'_>) -> Result<Vec<u8>> {
    let mut input = Cursor::new(file);
    let _directory = job.lease(zip::directory_memory(job, &mut input)?)?;
    let mut archive = Archive::open(job, &mut input)?;
    let parts = parts(job, &mut archive)?;
    let is_known = |part: &EncryptedPart| !matches!(part.cipher, Cipher::Other);
    let Some(first) = parts.first().filter(|_| parts.iter().all(is_known)) else {
        return Err(unsupported("Blowfish (LibreOffice before 3.5)"));
    };
    let by_name: HashMap<&str, &EncryptedPart> =
        parts.iter().map(|part| (&*part.name, part)).collect();
    let sizes = archive.entries().iter().map(|entry| {
        let part = by_name.get(&*entry.name);
        part.map_or(entry.size, |part| part.size)
    });
    // Memory for the new archive, and for the part that is being written.
    let _written = job.lease(sizes.fold(0, u64::saturating_add).saturating_mul(2))?;
    let bytes = archive.read(&first.name)?;
    let (password, plain) = passwords.first_that_fits(|password| {
        let opened = first.open(job, &first.key(job, password)?, &bytes)?;
        Ok(opened.map(|plain| (password.to_owned(), plain)))
    })?;
    if first.name == WHOLE {
        return Ok(plain);
    }
    let mut output = Cursor::new(Vec::new());
    let mut copy = zip::Writer::new(job, &mut output);
    copy.add(&first.name, &plain, Packing::Stored)?;
    drop(plain);
    let names: Vec<Box<str>> = archive
        .entries()
        .iter()
        .map(|entry| entry.name.clone())
        .collect();
    for name in names.iter().filter(|name| ***name != *first.name) {
        let bytes = archive.read(name)?;
        let Some(part) = by_name.get(&**name) else {
            copy.add(name, &bytes, Packing::Stored)?;
            continue;
        };
        let plain = part.open(job, &part.key(job, &password)?, &bytes)?;
        let plain = plain.ok_or_else(|| job.unreadable(format!("the part {name:?} is damaged")))?;
        copy.add(name, &plain, Packing::Stored)?;
    }
    copy.finish()?;
    Ok(output.into_inner())
}
