//! Office packages that are encrypted as a whole (MS-OFFCRYPTO 2.3.4).
//!
//! A compound file contains two streams: a description of the encryption, and the encrypted package. The key is derived
//! from the password and a salt by up to a million hashes. Standard encryption (Office 2007) encrypts blocks
//! independently. Agile encryption (Office 2010 and later) encrypts segments, each with its own initialisation vector.

use super::{
    EncryptedFormat, Passwords,
    keys::{Aes, Hash},
    stream, unsupported,
};
use crate::{
    containers::{
        cfb,
        fields::Fields,
        xml::{Namespaces, Stream, Token},
        zip,
    },
    error::{self, Error, Result},
    job::Job,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use std::io::Cursor;

/// The reader finds elements of the description by their local names, in any namespace.
const NAMESPACES: Namespaces = &[];

/// Length of segments, in bytes (2.3.4.15).
const SEGMENT: usize = 4096;

/// Max. number of hashes for a key. Excel uses 100,000.
const MAX_SPINS: u32 = 1_000_000;

/// Block key of the verifier (2.3.4.11 and 2.3.4.13). The description has three secrets: the verifier, which is a
/// sample that shows whether the password is correct; the hash of the verifier; and the package's key. Each of them is
/// encrypted with a key that is derived from the password and the block key of the secret.
const VERIFIER: [u8; 8] = [0xfe, 0xa7, 0xd2, 0x76, 0x3b, 0x4b, 0x9e, 0x79];
/// Block key of the verifier's hash.
const VERIFIER_HASH: [u8; 8] = [0xd7, 0xaa, 0x0f, 0x6d, 0x30, 0x61, 0x34, 0x4e];
/// Block key of the package's key.
const KEY: [u8; 8] = [0x14, 0x6e, 0x0b, 0xe7, 0xab, 0xac, 0xd0, 0xd6];

/// Encrypted packages. The file does not show which format it contains, so the file's name decides.
pub(super) const KIND: EncryptedFormat = EncryptedFormat {
    formats: &["docx", "xlsx", "xlsb", "pptx"],
    signature: cfb::SIGNATURE,
    is_locked: |_, input| Ok(cfb::is_encrypted_package(cfb::SIGNATURE, input)),
    unlock,
};

/// Decrypts a package. The version in the stream `EncryptionInfo` distinguishes agile from standard encryption. The
/// first eight bytes of `EncryptedPackage` are the length of the decrypted package.
fn unlock(job: &Job<'_>, file: Vec<u8>, passwords: &Passwords<'_>) -> Result<Vec<u8>> {
    let mut input = Cursor::new(file);
    let info = stream(job, &mut input, &["EncryptionInfo"], u64::MAX)?;
    let package = stream(job, &mut input, &["EncryptedPackage"], u64::MAX)?;
    let size = package
        .first_chunk()
        .map_or(0, |size| u64::from_le_bytes(*size));
    let data = package.get(8..).unwrap_or_default();
    let fields = Fields(&info);
    let mut plain = match (fields.u16(0), fields.u16(2)) {
        (4, 4) => {
            let agile = Agile::read(job, &info)?;
            passwords.first_that_fits(|password| agile.open(job, data, password))?
        }
        (2..=4, 2) => {
            passwords.first_that_fits(|password| standard(job, fields, data, password))?
        }
        _ => return Err(unsupported("a certificate or another program")),
    };
    // The last block is padded, so the result is cut to the stated length of the package.
    plain.truncate(usize::try_from(size).unwrap_or(usize::MAX));
    // The name of the file may have the extension of another format.
    match Content::of(&plain) {
        Some(content) if !content.formats.contains(&job.from.name) => {
            let Content {
                what, extension, ..
            } = content;
            let text = format!(
                "the name of the encrypted file says {}, but it contains a {what}: give it the extension {extension}",
                job.from.name
            );
            Err(Error::new(error::Kind::BadInput, text))
        }
        _ => Ok(plain),
    }
}

/// Format of a package.
struct Content {
    /// Name in messages.
    what: &'static str,
    /// Extension of files in this format.
    extension: &'static str,
    /// Folder of the parts.
    folder: &'static str,
    /// Formats of the converter with this content.
    formats: &'static [&'static str],
}

/// All formats of packages.
const CONTENTS: [Content; 3] = [
    Content {
        what: "document",
        extension: "docx",
        folder: "word/",
        formats: &["docx"],
    },
    Content {
        what: "workbook",
        extension: "xlsx",
        folder: "xl/",
        formats: &["xlsx", "xlsb"],
    },
    Content {
        what: "presentation",
        extension: "pptx",
        folder: "ppt/",
        formats: &["pptx"],
    },
];

impl Content {
    /// Returns the format of a package by the names of its parts.
    fn of(package: &[u8]) -> Option<&'static Self> {
        CONTENTS.iter().find(|content| {
            let is_part = |name: &str| name.starts_with(content.folder);
            zip::holds(package, &mut Cursor::new(package), &[&is_part])
        })
    }
}

/// Truncates a hash, or pads it with bytes of 0x36, to a length (2.3.4.11).
fn fitted(mut hash: Vec<u8>, len: usize) -> Vec<u8> {
    hash.resize(len, 0x36);
    hash
}

/// Decrypts with standard encryption (2.3.4.5). `None` if the password is wrong.
fn standard(
    job: &Job<'_>,
    info: Fields<'_>,
    data: &[u8],
    password: &str,
) -> Result<Option<Vec<u8>>> {
    /// Number of additional hashes of the password.
    const SPINS: u32 = 50_000;
    let header = 12;
    let key_len = info.u32(header + 16) as usize / 8;
    let verifier = info.from(header).from(info.u32(8) as usize);
    let (salt, sample, expected) = (
        verifier.part(4, 16),
        verifier.part(20, 16),
        verifier.part(40, 32),
    );
    if expected.len() < 32 {
        return Err(job.unreadable("its encryption header is cut short"));
    }
    let hash = Hash::Sha1.spun(job, password, salt.0, SPINS)?;
    let hash = Hash::Sha1.of(&[&hash, &0_u32.to_le_bytes()]);
    // The key consists of two hashes, each of a block of 64 bytes. The blocks are filled with 0x36 and 0x5c, and their
    // beginning is combined with the hash of the password by exclusive or (2.3.4.7).
    let half = |fill: u8| {
        let mut block = [fill; 64];
        block
            .iter_mut()
            .zip(&hash)
            .for_each(|(byte, part)| *byte ^= part);
        Hash::Sha1.of(&[&block])
    };
    let key = [half(0x36), half(0x5c)].concat();
    let Some(cipher) = key.get(..key_len).and_then(Aes::new) else {
        return Err(unsupported("a cipher other than AES"));
    };
    // The password is correct if the decrypted sample has the expected hash.
    let (mut sample, mut expected) = (sample.0.to_vec(), expected.0.to_vec());
    cipher.blocks(&mut sample);
    cipher.blocks(&mut expected);
    if Hash::Sha1.of(&[&sample])[..] != expected[..20] {
        return Ok(None);
    }
    let mut plain = data.to_vec();
    cipher.blocks(&mut plain);
    Ok(Some(plain))
}

/// Attributes of an element that describes agile encryption.
#[derive(Default)]
struct Scheme {
    /// Salt of the password's hash or of the initialisation vectors.
    salt: Vec<u8>,
    /// Length of the key, in bytes.
    key_len: usize,
    /// Hash algorithm. `None` if it is unknown.
    hash: Option<Hash>,
    /// Number of additional hashes of the password.
    spins: u32,
    /// Encrypted sample.
    verifier: Vec<u8>,
    /// Encrypted hash of the sample.
    verifier_hash: Vec<u8>,
    /// Encrypted key of the package.
    key: Vec<u8>,
}

/// Agile encryption (2.3.4.10), used since Office 2010.
struct Agile {
    /// Encryption of the package.
    package: Scheme,
    package_hash: Hash,
    /// Encryption of the package's key with the password.
    password: Scheme,
    hash: Hash,
}

impl Agile {
    /// Reads the XML description (2.3.4.10). One element describes the encryption of the package, and another element
    /// describes the encryption of the package's key.
    fn read(job: &Job<'_>, info: &[u8]) -> Result<Self> {
        let (mut package, mut password) = (Scheme::default(), Scheme::default());
        let text = info.get(8..).unwrap_or_default();
        let mut xml = Stream::new(job, text, NAMESPACES)?;
        while let Some(token) = xml.next()? {
            let Token::Start(element) = token else {
                continue;
            };
            let scheme = match element.name {
                "keyData" => &mut package,
                "encryptedKey" => &mut password,
                _ => continue,
            };
            let text = |name: &str| element.attribute(name).unwrap_or_default();
            let bytes = |name: &str| STANDARD.decode(text(name).trim()).unwrap_or_default();
            scheme.salt = bytes("saltValue");
            scheme.key_len = text("keyBits").parse::<usize>().unwrap_or(0) / 8;
            scheme.hash = Hash::named(&text("hashAlgorithm"));
            scheme.spins = text("spinCount").parse().unwrap_or(0);
            scheme.verifier = bytes("encryptedVerifierHashInput");
            scheme.verifier_hash = bytes("encryptedVerifierHashValue");
            scheme.key = bytes("encryptedKeyValue");
            let chained = matches!(&*text("cipherChaining"), "ChainingModeCBC");
            if &*text("cipherAlgorithm") != "AES" || !chained {
                return Err(unsupported("a cipher other than AES in CBC mode"));
            }
        }
        if password.spins > MAX_SPINS || password.key_len > 32 || package.key_len > 32 {
            return Err(job.unreadable("its encryption header is invalid"));
        }
        let (Some(hash), Some(package_hash)) = (password.hash, package.hash) else {
            return Err(unsupported("a certificate, or an unknown hash"));
        };
        Ok(Self {
            package,
            package_hash,
            password,
            hash,
        })
    }

    /// Decrypts the package. `None` if the password is wrong, or if a key has an invalid length.
    fn open(&self, job: &Job<'_>, data: &[u8], password: &str) -> Result<Option<Vec<u8>>> {
        let scheme = &self.password;
        let spun = self.hash.spun(job, password, &scheme.salt, scheme.spins)?;
        // Decrypts one of the secrets.
        let open = |purpose: &[u8], secret: &[u8]| {
            let key = fitted(self.hash.of(&[&spun, purpose]), scheme.key_len);
            let start = fitted(scheme.salt.clone(), 16);
            Some(Aes::new(&key)?.chained(secret, &start))
        };
        let sample = open(&VERIFIER, &scheme.verifier);
        let expected = open(&VERIFIER_HASH, &scheme.verifier_hash);
        let (Some(sample), Some(expected), Some(key)) = (sample, expected, open(&KEY, &scheme.key))
        else {
            return Ok(None);
        };
        let found = self.hash.of(&[&sample]);
        if expected.len() < found.len() || expected[..found.len()] != found[..] {
            return Ok(None);
        }
        let Some(cipher) = key.get(..self.package.key_len).and_then(Aes::new) else {
            return Ok(None);
        };
        let mut plain = Vec::with_capacity(data.len());
        for (number, segment) in (0_u32..).zip(data.chunks(SEGMENT)) {
            job.check()?;
            let start = self
                .package_hash
                .of(&[&self.package.salt, &number.to_le_bytes()]);
            plain.extend(cipher.chained(segment, &fitted(start, 16)));
        }
        Ok(Some(plain))
    }
}
