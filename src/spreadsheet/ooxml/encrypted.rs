//! Packages that are encrypted with the password that Excel itself tries (MS-OFFCRYPTO 2.3.4): whoever protects a workbook without
//! choosing a password gets this one, so that such files are opened everywhere. Tries no other password.
//!
//! A compound file holds two streams: one says how the package is encrypted, the other is the package. The key comes from the password,
//! a salt and some hundred thousand hashes; in the older scheme it encrypts block by block, in the newer one segment by segment, each with
//! an initialisation vector of its own.

use super::NAMESPACES;
use crate::{
    containers::{
        cfb,
        xml::{Stream, Token},
    },
    error::{Error, Kind, Result},
    job::{Input, Job},
};
use aes::{
    Aes128Dec, Aes192Dec, Aes256Dec, Block,
    cipher::{BlockDecrypt, KeyInit},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};

/// The password that Excel tries before it asks for one (2.4.2.4).
const PASSWORD: &str = "VelvetSweatshop";

/// Bytes of the package that share an initialisation vector (2.3.4.15).
const SEGMENT: usize = 4096;

/// The limit on hashes that make the key. Excel makes 100,000.
const MAX_SPINS: u32 = 1_000_000;

/// What the key of each purpose is hashed with (2.3.4.11 and 2.3.4.13).
const VERIFIER: [u8; 8] = [0xfe, 0xa7, 0xd2, 0x76, 0x3b, 0x4b, 0x9e, 0x79];
const VERIFIER_HASH: [u8; 8] = [0xd7, 0xaa, 0x0f, 0x6d, 0x30, 0x61, 0x34, 0x4e];
const KEY: [u8; 8] = [0x14, 0x6e, 0x0b, 0xe7, 0xab, 0xac, 0xd0, 0xd6];

/// The package in an encrypted file.
///
/// Errors: [`Kind::BadInput`] if it needs another password.
pub(crate) fn decrypt(job: &Job<'_>, input: &mut dyn Input) -> Result<Vec<u8>> {
    let _lease = job.lease(cfb::memory(job.input_len) + 2 * job.input_len)?;
    let info = stream(job, input, "EncryptionInfo")?;
    let package = stream(job, input, "EncryptedPackage")?;
    let size = package
        .first_chunk()
        .map_or(0, |size| u64::from_le_bytes(*size));
    let data = package.get(8..).unwrap_or_default();
    let version = (u16_at(&info, 0), u16_at(&info, 2));
    let plain = match version {
        (4, 4) => agile(job, &info, data)?,
        (2..=4, 2) => standard(job, &info, data)?,
        _ => None,
    };
    let mut plain = plain.ok_or_else(|| {
        Error::new(
            Kind::BadInput,
            "the file is encrypted: remove the password and send it again",
        )
    })?;
    plain.truncate(usize::try_from(size).unwrap_or(usize::MAX));
    Ok(plain)
}

fn stream(job: &Job<'_>, input: &mut dyn Input, name: &str) -> Result<Vec<u8>> {
    let mut stream = cfb::Stream::open(input, &[name]).map_err(|err| {
        let text = format!("the file is encrypted, and damaged as well: {err}");
        Error::new(Kind::BadInput, text)
    })?;
    let len = stream.len();
    if len > job.input_len {
        return Err(job.unreadable("a stream is longer than the file"));
    }
    let mut bytes = vec![0; usize::try_from(len).unwrap_or(0)];
    stream
        .read_exact(&mut bytes)
        .map_err(|err| job.unreadable(err))?;
    Ok(bytes)
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    let two = bytes.get(at..).and_then(|rest| rest.first_chunk());
    two.map_or(0, |two| u16::from_le_bytes(*two))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let four = bytes.get(at..).and_then(|rest| rest.first_chunk());
    four.map_or(0, |four| u32::from_le_bytes(*four))
}

/// The algorithms that hash passwords.
#[derive(Clone, Copy)]
enum Hash {
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}

impl Hash {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "SHA1" | "SHA-1" => Self::Sha1,
            "SHA256" | "SHA-256" => Self::Sha256,
            "SHA384" | "SHA-384" => Self::Sha384,
            "SHA512" | "SHA-512" => Self::Sha512,
            _ => return None,
        })
    }

    /// The hash of parts, one behind the other.
    fn of(self, parts: &[&[u8]]) -> Vec<u8> {
        fn all<D: Digest>(parts: &[&[u8]]) -> Vec<u8> {
            let mut digest = D::new();
            parts.iter().for_each(|part| digest.update(part));
            digest.finalize().to_vec()
        }
        match self {
            Self::Sha1 => all::<Sha1>(parts),
            Self::Sha256 => all::<Sha256>(parts),
            Self::Sha384 => all::<Sha384>(parts),
            Self::Sha512 => all::<Sha512>(parts),
        }
    }

    /// The hash of the password, hashed so many times more.
    fn spun(self, job: &Job<'_>, salt: &[u8], spins: u32) -> Result<Vec<u8>> {
        let password: Vec<u8> = PASSWORD.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let mut hash = self.of(&[salt, &password]);
        for spin in 0..spins {
            if spin % (1 << 14) == 0 {
                job.check()?;
            }
            hash = self.of(&[&spin.to_le_bytes(), &hash]);
        }
        Ok(hash)
    }
}

/// A key of AES.
enum Cipher {
    Short(Aes128Dec),
    Middle(Aes192Dec),
    Long(Aes256Dec),
}

impl Cipher {
    fn new(key: &[u8]) -> Option<Self> {
        Some(match key.len() {
            16 => Self::Short(Aes128Dec::new_from_slice(key).ok()?),
            24 => Self::Middle(Aes192Dec::new_from_slice(key).ok()?),
            32 => Self::Long(Aes256Dec::new_from_slice(key).ok()?),
            _ => return None,
        })
    }

    /// Decrypts whole blocks, each by itself.
    fn blocks(&self, data: &mut [u8]) {
        for block in data.chunks_exact_mut(16) {
            let block = Block::from_mut_slice(block);
            match self {
                Self::Short(cipher) => cipher.decrypt_block(block),
                Self::Middle(cipher) => cipher.decrypt_block(block),
                Self::Long(cipher) => cipher.decrypt_block(block),
            }
        }
    }

    /// Decrypts whole blocks, each of which was mixed with the one before.
    fn chained(&self, data: &[u8], start: &[u8]) -> Vec<u8> {
        let mut plain = data[..data.len() / 16 * 16].to_vec();
        self.blocks(&mut plain);
        let before = start.iter().take(16).chain(data);
        plain
            .iter_mut()
            .zip(before)
            .for_each(|(byte, mixed)| *byte ^= mixed);
        plain
    }
}

/// A hash cut or filled to a length (2.3.4.11).
fn fitted(mut hash: Vec<u8>, len: usize) -> Vec<u8> {
    hash.resize(len, 0x36);
    hash
}

/// The scheme of Office 2007 (2.3.4.5). `None` if it needs another password.
fn standard(job: &Job<'_>, info: &[u8], data: &[u8]) -> Result<Option<Vec<u8>>> {
    const SPINS: u32 = 50_000;
    let header = 12;
    let key_len = u32_at(info, header + 16) as usize / 8;
    let verifier = header + u32_at(info, 8) as usize;
    let field = |at: usize, len: usize| info.get(verifier.checked_add(at)?..)?.get(..len);
    let (Some(salt), Some(sample), Some(expected)) = (field(4, 16), field(20, 16), field(40, 32))
    else {
        return Ok(None);
    };
    let hash = Hash::Sha1.spun(job, salt, SPINS)?;
    let hash = Hash::Sha1.of(&[&hash, &0_u32.to_le_bytes()]);
    let half = |fill: u8| {
        let mut block = [fill; 64];
        block
            .iter_mut()
            .zip(&hash)
            .for_each(|(byte, part)| *byte ^= part);
        Hash::Sha1.of(&[&block])
    };
    let key = [half(0x36), half(0x5c)].concat();
    let Some(cipher) = key.get(..key_len).and_then(Cipher::new) else {
        return Ok(None);
    };
    let (mut sample, mut expected) = (sample.to_vec(), expected.to_vec());
    cipher.blocks(&mut sample);
    cipher.blocks(&mut expected);
    if Hash::Sha1.of(&[&sample])[..] != expected[..20] {
        return Ok(None);
    }
    let mut plain = data.to_vec();
    cipher.blocks(&mut plain);
    Ok(Some(plain))
}

/// What an element of the newer scheme says.
#[derive(Default)]
struct Scheme {
    salt: Vec<u8>,
    key_len: usize,
    hash: Option<Hash>,
    spins: u32,
    verifier: Vec<u8>,
    verifier_hash: Vec<u8>,
    key: Vec<u8>,
}

/// The scheme since Office 2010 (2.3.4.10). `None` if it needs another password.
fn agile(job: &Job<'_>, info: &[u8], data: &[u8]) -> Result<Option<Vec<u8>>> {
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
            return Ok(None);
        }
    }
    let (Some(hash), Some(package_hash)) = (password.hash, package.hash) else {
        return Ok(None);
    };
    if password.spins > MAX_SPINS || password.key_len > 32 || package.key_len > 32 {
        return Ok(None);
    }
    let spun = hash.spun(job, &password.salt, password.spins)?;
    let open = |purpose: &[u8], secret: &[u8]| {
        let key = fitted(hash.of(&[&spun, purpose]), password.key_len);
        let start = fitted(password.salt.clone(), 16);
        Some(Cipher::new(&key)?.chained(secret, &start))
    };
    let sample = open(&VERIFIER, &password.verifier);
    let expected = open(&VERIFIER_HASH, &password.verifier_hash);
    let (Some(sample), Some(expected), Some(key)) = (sample, expected, open(&KEY, &password.key))
    else {
        return Ok(None);
    };
    let found = hash.of(&[&sample]);
    if expected.len() < found.len() || expected[..found.len()] != found[..] {
        return Ok(None);
    }
    let Some(cipher) = key.get(..package.key_len).and_then(Cipher::new) else {
        return Ok(None);
    };
    let mut plain = Vec::with_capacity(data.len());
    for (number, segment) in (0_u32..).zip(data.chunks(SEGMENT)) {
        job.check()?;
        let start = package_hash.of(&[&package.salt, &number.to_le_bytes()]);
        plain.extend(cipher.chained(segment, &fitted(start, 16)));
    }
    Ok(Some(plain))
}
