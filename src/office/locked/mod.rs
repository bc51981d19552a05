//! Decrypts Office and OpenDocument files that are encrypted with a password, so that their readers need not know about
//! encryption. Encrypts nothing, and guesses no password except the one that Excel itself tries.
//!
//! ```text
//! package   docx, xlsx, xlsb, pptx      the whole file is one encrypted stream
//! odf       odt, ods, odp               each part of the archive is encrypted by itself
//! xls, doc, ppt                         records, streams and objects, each in its own way, all by the keys of `binary`
//! ```
//! The decrypted file is held in memory, under a lease that lasts as long as its reader works.

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

/// The password that Excel tries before it asks for one (MS-OFFCRYPTO 2.4.2.4): a workbook that is protected without a
/// password is encrypted with this one.
const USUAL: &str = "VelvetSweatshop";

/// A kind of files that may be encrypted.
struct Kind {
    /// The formats of this kind.
    formats: &'static [&'static str],
    /// First bytes of such a file, if it may be encrypted.
    signature: &'static [u8],
    /// Returns whether a file with this signature is encrypted. Reads only a small part of it.
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

/// Returns whether files of this format may be encrypted with a password.
pub fn takes_password(format: &str) -> bool {
    KINDS.iter().any(|kind| kind.formats.contains(&format))
}

/// Runs `work` with the decrypted file, and with a job that has the decrypted length.
///
/// Errors: [`BadInput`](error::Kind::BadInput) if the file is encrypted, and the password is missing or wrong; and
/// those of `work`.
pub fn with_unlocked<T>(
    job: &Job<'_>,
    input: &mut dyn Input,
    work: impl FnOnce(&Job<'_>, &mut dyn Input) -> Result<T>,
) -> Result<T> {
    let head = read_head(input, cfb::SIGNATURE.len()).map_err(|err| job.unreadable(err))?;
    let mut kinds = KINDS.iter();
    let kind = kinds.find(|kind| {
        // A file that cannot be read here is left to its reader, which reports the fault better or still reads a part.
        kind.formats.contains(&job.from.name)
            && head.starts_with(kind.signature)
            && (kind.is_locked)(job, input).unwrap_or(false)
    });
    input.rewind().map_err(|err| job.unreadable(err))?;
    let Some(kind) = kind else {
        return work(job, input);
    };
    // The lease covers the file, its decrypted copy, and the part being decrypted.
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

/// The first bytes of a stream of a compound file, at most `limit`; empty if the stream is missing.
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
    // A damaged file may state a stream longer than itself. The caller's lease covers these bytes.
    let len = stream.len().min(limit).min(job.input_len);
    let mut bytes = vec![0; usize::try_from(len).unwrap_or(0)];
    stream.read_exact(&mut bytes).map_err(damaged)?;
    Ok(bytes)
}

/// Overwrites the stream with one of these names in a file in memory, if it exists.
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

    /// Returns the result of `open` for the first password that fits. `open` returns `None` for a wrong password.
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
                "the file is encrypted, and the password in the field password is wrong",
            ),
        };
        Err(Error::new(error::Kind::BadInput, text).because(reason))
    }
}

/// The error for an unsupported encryption method.
fn unsupported(way: &str) -> Error {
    let text = format!(
        "the file is encrypted by {way}, which is not supported: remove the password and send it again"
    );
    Error::new(error::Kind::BadInput, text).because(Reason::Encrypted)
}
