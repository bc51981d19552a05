//! Decrypts Office and OpenDocument files that are encrypted with a password, so that their readers need no knowledge
//! of encryption. Encrypts nothing, and tries only the given password and the default password of Excel.
//!
//! ```text
//! package   docx, xlsx, xlsb, pptx      the whole file is one encrypted stream
//! odf       odt, ods, odp, odg          the parts of the archive are encrypted separately
//! xls, doc, ppt                         records, streams or objects are encrypted with the keys of `binary`
//! ```
//! The decrypted file is held in memory. Its length counts towards the job's memory while the reader of the file works.

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

/// Password that Excel tries before it asks for one (MS-OFFCRYPTO 2.4.2.4). Workbooks that are protected without a
/// password are encrypted with it.
const DEFAULT: &str = "VelvetSweatshop";

/// Kind of files that may be encrypted.
struct EncryptedFormat {
    /// Names of the formats.
    formats: &'static [&'static str],
    /// First bytes of files that may be encrypted.
    signature: &'static [u8],
    /// Returns whether a file with this signature is encrypted. Reads only a small part of the file.
    is_locked: fn(&Job<'_>, &mut dyn Input) -> Result<bool>,
    /// Decrypts a file.
    unlock: fn(&Job<'_>, Vec<u8>, &Passwords<'_>) -> Result<Vec<u8>>,
}

/// All kinds of files that may be encrypted.
const KINDS: &[EncryptedFormat] = &[
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

/// Calls `work` with the decrypted file, and with a job whose input has the length of the decrypted file. A file that
/// is not encrypted is passed on unchanged.
///
/// Errors: [`BadInput`](error::Kind::BadInput) if the file is encrypted, and the password is missing or wrong, or the
/// encryption method is not supported. Also the errors of `work`, and of reserving memory.
pub fn with_unlocked<T>(
    job: &Job<'_>,
    input: &mut dyn Input,
    work: impl FnOnce(&Job<'_>, &mut dyn Input) -> Result<T>,
) -> Result<T> {
    let head = read_head(input, cfb::SIGNATURE.len()).map_err(|err| job.unreadable(err))?;
    let mut kinds = KINDS.iter();
    let kind = kinds.find(|kind| {
        // Errors count as "not encrypted" here, because the reader of the format gives a better message, or can still
        // read a part of a damaged file.
        kind.formats.contains(&job.from.name)
            && head.starts_with(kind.signature)
            && (kind.is_locked)(job, input).unwrap_or(false)
    });
    input.rewind().map_err(|err| job.unreadable(err))?;
    let Some(kind) = kind else {
        return work(job, input);
    };
    // The lease covers the file, its decrypted copy, and the part that is being decrypted.
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

/// Reads the first bytes of a stream of a compound file, up to `limit`. Empty if the stream is missing.
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
    // A damaged file may state a length of the stream that is greater than the length of the file. The caller has
    // reserved memory for the bytes, unless `limit` is small.
    let len = stream.len().min(limit).min(job.input_len);
    let mut bytes = vec![0; usize::try_from(len).unwrap_or(0)];
    stream.read_exact(&mut bytes).map_err(damaged)?;
    Ok(bytes)
}

/// Overwrites a stream of a compound file in memory, if it exists.
fn overwrite(
    job: &Job<'_>,
    file: &mut Cursor<Vec<u8>>,
    names: &[&str],
    bytes: &[u8],
) -> Result<()> {
    let _tables = job.lease(cfb::memory(job.input_len))?;
    cfb::overwrite(file, names, bytes).map_err(|err| job.unreadable(err))
}

/// Passwords that are tried.
struct Passwords<'a> {
    /// Password of the request.
    sent: Option<&'a str>,
}

impl<'a> Passwords<'a> {
    /// Returns the passwords for a job.
    fn new(job: &Job<'a>) -> Self {
        Self {
            sent: job.options().word(PASSWORD.name),
        }
    }

    /// Returns the result of `open` for the first correct password. `open` returns `None` for a wrong password.
    ///
    /// Errors: [`BadInput`](error::Kind::BadInput) if no password is correct. Also the errors of `open`.
    fn first_that_fits<T>(&self, mut open: impl FnMut(&str) -> Result<Option<T>>) -> Result<T> {
        for password in self.sent.into_iter().chain([DEFAULT]) {
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

/// Returns the error for an unsupported encryption method.
fn unsupported(way: &str) -> Error {
    let text = format!(
        "the file is encrypted by {way}, which is not supported: remove the password and send it again"
    );
    Error::new(error::Kind::BadInput, text).because(Reason::Encrypted)
}
