//! Files of Office and OpenDocument that are encrypted with a password: makes of each the file that it would be without one, so
//! that no reader knows of passwords. Encrypts nothing, and guesses no password but the one that Excel itself tries.
//!
//! ```text
//! package   docx, xlsx, xlsb, pptx      the whole file is one encrypted stream
//! odf       odt, ods, odp               each part of the archive is encrypted by itself
//! xls, doc, ppt                         records, streams and objects, each in its own way, all by the keys of `binary`
//! ```
//! What is decrypted has to be held in memory, which is leased here for as long as the reader works with it.

mod binary;
#[cfg(feature = "document")]
mod doc;
mod keys;
mod odf;
mod package;
mod ppt;
mod xls;

use crate::{
    containers::{bytes, cfb},
    error::{self, Error, Reason, Result},
    job::{Input, Job, PASSWORD, read_head},
};
use std::io::{self, Cursor};

/// The password that Excel tries before it asks for one (MS-OFFCRYPTO 2.4.2.4): whoever protects a workbook without choosing a
/// password gets this one.
const USUAL: &str = "VelvetSweatshop";

/// A kind of files that may be encrypted.
struct Kind {
    /// The formats of this kind.
    formats: &'static [&'static str],
    /// First bytes of such a file, if it may be encrypted.
    signature: &'static [u8],
    /// Whether a file that begins so is encrypted. Reads little of it.
    is_locked: fn(&Job<'_>, &mut dyn Input) -> Result<bool>,
    /// Removes the encryption of a file.
    unlock: fn(&Job<'_>, Vec<u8>, &Passwords<'_>) -> Result<Vec<u8>>,
}

const KINDS: &[Kind] = &[
    package::KIND,
    odf::KIND,
    xls::KIND,
    #[cfg(feature = "document")]
    doc::KIND,
    ppt::KIND,
];

/// Whether files of this format may be encrypted with a password.
pub fn takes_password(format: &str) -> bool {
    KINDS.iter().any(|kind| kind.formats.contains(&format))
}

/// Runs `work` with the file as it is without its encryption, and with a job that knows its length.
///
/// Errors: [`BadInput`](error::Kind::BadInput) if the file is encrypted, and the password is missing or another one; and those of
/// `work`.
pub fn with_unlocked<T>(
    job: &Job<'_>,
    input: &mut dyn Input,
    work: impl FnOnce(&Job<'_>, &mut dyn Input) -> Result<T>,
) -> Result<T> {
    let head = read_head(input, cfb::SIGNATURE.len()).map_err(|err| job.unreadable(err))?;
    let mut kinds = KINDS.iter();
    let kind = kinds.find(|kind| {
        // What cannot be read here the reader says better, or gets something out of it.
        kind.formats.contains(&job.from.name)
            && head.starts_with(kind.signature)
            && (kind.is_locked)(job, input).unwrap_or(false)
    });
    input.rewind().map_err(|err| job.unreadable(err))?;
    let Some(kind) = kind else {
        return work(job, input);
    };
    // The file, what it is without its encryption, and what is being decrypted.
    let lease = job.lease(job.input_len.saturating_mul(3))?;
    let file = bytes::up_to(input, job.input_len).map_err(|err| job.unreadable(err))?;
    let plain = (kind.unlock)(job, file, &Passwords::new(job))?;
    lease.set_exactly(plain.len() as u64)?;
    let job = Job {
        input_len: plain.len() as u64,
        ..*job
    };
    work(&job, &mut Cursor::new(plain))
}

/// The bytes of a stream of a compound file, `limit` of them at most; none, if there is no such stream.
///
/// Errors: [`BadInput`](error::Kind::BadInput) if the file is damaged.
fn stream(job: &Job<'_>, input: &mut dyn Input, names: &[&str], limit: u64) -> Result<Vec<u8>> {
    let damaged = |err: io::Error| {
        let text = format!("the file is encrypted, and damaged as well: {err}");
        Error::new(error::Kind::BadInput, text)
    };
    let _tables = job.lease(cfb::memory(job.input_len))?;
    let mut stream = match cfb::Stream::open(input, names) {
        Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        opened => opened.map_err(damaged)?,
    };
    // A stream may be longer than the file, if the file lies. What it holds is part of what the caller leases.
    let len = stream.len().min(limit).min(job.input_len);
    let mut bytes = vec![0; usize::try_from(len).unwrap_or(0)];
    stream.read_exact(&mut bytes).map_err(damaged)?;
    Ok(bytes)
}

/// Overwrites a stream of a file in memory, if there is one of these names.
fn overwrite(
    job: &Job<'_>,
    file: &mut Cursor<Vec<u8>>,
    names: &[&str],
    bytes: &[u8],
) -> Result<()> {
    let _tables = job.lease(cfb::memory(job.input_len))?;
    cfb::overwrite(file, names, bytes).map_err(|err| job.unreadable(err))
}

/// The passwords that are tried, in their order.
struct Passwords<'a> {
    sent: Option<&'a str>,
}

impl<'a> Passwords<'a> {
    fn new(job: &Job<'a>) -> Self {
        Self {
            sent: job.options().word(PASSWORD.name),
        }
    }

    /// Result of `open` for the first password that fits: it gives `None` for the others.
    ///
    /// Errors: [`BadInput`](error::Kind::BadInput) if none fits; those of `open`.
    fn first_that_fits<T>(&self, mut open: impl FnMut(&str) -> Result<Option<T>>) -> Result<T> {
        for password in self.sent.into_iter().chain([USUAL]) {
            if let Some(opened) = open(password)? {
                return Ok(opened);
            }
        }
        let (reason, text) = match self.sent {
            None => (
                Reason::PasswordMissing,
                "the file is encrypted: send its password in the field password",
            ),
            Some(_) => (
                Reason::PasswordWrong,
                "the file is encrypted with another password than that in the field password",
            ),
        };
        Err(Error::new(error::Kind::BadInput, text).because(reason))
    }
}

/// The error for a way of encryption that is not read.
fn unsupported(way: &str) -> Error {
    let text = format!(
        "the file is encrypted by {way}, which is not supported: remove the password and send it again"
    );
    Error::new(error::Kind::BadInput, text).because(Reason::Encrypted)
}
