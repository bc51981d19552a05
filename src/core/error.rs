//! The one error type of the crate. It never decides on a status code: `api` maps the kind.

use serde::{Deserialize, Serialize};
use std::{borrow::Cow, error, fmt, io};

/// Kind of an error, classified by who is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// The client sent something that cannot be used: a field, a form, a file.
    BadInput,
    /// The client sent more than the limit on uploads allows.
    TooLarge,
    /// The requested resource, such as a job or its result, does not exist or no longer exists.
    NotFound,
    /// The request contradicts another one.
    Conflict,
    /// The service has reached one of its own limits. The same request may succeed later.
    Busy,
    /// The service could not finish the request, but the file is not at fault. The same request may succeed later.
    Unavailable,
    /// The disk has too little free space for the request.
    StorageFull,
    /// A conversion needs more memory than it was granted. The engine runs it again with more, as long as there is
    /// more.
    OutOfMemory,
    /// The client sends more slowly than the minimum rate or the deadline allows.
    TooSlow,
    /// The peer stopped sending or reading before the exchange was complete.
    Disconnected,
    /// A fault of the service itself.
    Internal,
}

/// The exact fault, for callers that treat it differently from other errors of the same [`Kind`]. Sentences are for
/// people and change, so code compares reasons, never messages. A reason travels from a converter's process to the
/// service together with the kind of the error, and to clients as the `code` of the error: the name of a reason must
/// not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The file is locked, and no password was sent.
    PasswordMissing,
    /// The password for the file is wrong.
    PasswordWrong,
    /// The file is encrypted by a method that this program cannot open, with or without a password.
    Encrypted,
    /// The content of the file matches no format that can be read.
    UnknownFormat,
    /// A list of pages cannot be understood.
    PageList,
    /// A list of pages names a page that the file does not have.
    PageMissing,
    /// The requested metadata cannot be written into this file.
    Metadata,
    /// A file that the input refers to was not sent.
    FileMissing,
    /// The body of a request is not in the content coding that its head declares.
    Coding,
    /// This conversion does not have the requested target format or optional field, or does not allow the field
    /// together with another one.
    NotOffered,
    /// The content of the file violates the specification of its format.
    Unreadable,
    /// Parts of the file are missing, and the rest is converted only if the field `damaged` allows it.
    Damaged,
}

impl Reason {
    /// Returns whether the file was not opened because it is encrypted.
    pub fn is_locked(self) -> bool {
        match self {
            Self::PasswordMissing | Self::PasswordWrong | Self::Encrypted => true,
            Self::UnknownFormat
            | Self::PageList
            | Self::PageMissing
            | Self::Metadata
            | Self::FileMissing
            | Self::Coding
            | Self::NotOffered
            | Self::Unreadable
            | Self::Damaged => false,
        }
    }
}

/// An error with a `message` for the client and a `source` for the log.
pub struct Error {
    kind: Kind,
    reason: Option<Reason>,
    message: Cow<'static, str>,
    source: Option<Box<dyn error::Error + Send + Sync>>,
}

/// The result of most functions of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The longest text of a client that a message repeats, in characters.
const MAX_QUOTED: usize = 60;

/// Quotes a client's text for a message: in quotation marks, and cut after [`MAX_QUOTED`] characters.
pub fn quoted(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

impl Error {
    /// Makes an error. The client reads `message` and must be able to act on it.
    pub fn new(kind: Kind, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            kind,
            reason: None,
            message: message.into(),
            source: None,
        }
    }

    /// Adds a reason, for callers that treat this fault differently from others of its kind.
    #[must_use]
    pub fn because(mut self, reason: impl Into<Option<Reason>>) -> Self {
        self.reason = reason.into();
        self
    }

    /// Puts the name of a part before the message, if the fault lies in one part of the input (a file of an archive).
    #[must_use]
    pub fn within(mut self, part: &str) -> Self {
        self.message = format!("{part}: {}", self.message).into();
        self
    }

    /// Attaches the cause. It is written to the log and never sent to a client.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Box<dyn error::Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Kind of the error, which tells who is at fault.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The exact fault, if callers treat it differently from others of its kind.
    pub fn reason(&self) -> Option<Reason> {
        self.reason
    }

    /// Returns whether the file was not opened because it is encrypted.
    pub fn is_locked(&self) -> bool {
        self.reason.is_some_and(Reason::is_locked)
    }

    /// The message for the client.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// A fault of the service: [`Kind::Internal`] with `source` as its cause, which only the log shows.
    pub fn internal(
        what: &'static str,
        source: impl Into<Box<dyn error::Error + Send + Sync>>,
    ) -> Self {
        Self::new(Kind::Internal, what).caused_by(source)
    }

    /// An I/O error while the result of a conversion is written. Its kind is chosen as in [`Self::storage`].
    pub fn unwritten(source: io::Error) -> Self {
        Self::storage("the result could not be written", source)
    }

    /// An I/O error on stored files: [`Kind::StorageFull`] if the disk is full, or a quota or the limit on file size
    /// (`ulimit -f`) is reached, otherwise [`Kind::Internal`].
    pub fn storage(what: &'static str, source: io::Error) -> Self {
        let kind = match source.kind() {
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => Kind::StorageFull,
            _ => Kind::Internal,
        };
        Self::new(kind, what).caused_by(source)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        let mut source = error::Error::source(self);
        let mut last = self.message.to_string();
        while let Some(cause) = source {
            let text = cause.to_string();
            // Many messages already end with the text of their cause; the log shows it only once.
            if !last.ends_with(&text) {
                write!(f, ": {text}")?;
            }
            last = text;
            source = cause.source();
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}({self})", self.kind)
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        self.source
            .as_ref()
            .map(|source| &**source as &(dyn error::Error + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_message_and_the_chain_of_causes() {
        let error = Error::internal(
            "the record could not be written",
            io::Error::other("no such device"),
        );
        assert_eq!(
            error.to_string(),
            "the record could not be written: no such device"
        );
        assert_eq!(error.message(), "the record could not be written");
    }

    #[test]
    fn the_error_of_a_part_names_it_and_keeps_its_reason() {
        let error = Error::new(Kind::BadInput, "it is locked").because(Reason::PasswordMissing);
        let error = error.within("b.pdf");
        assert_eq!(error.message(), "b.pdf: it is locked");
        assert_eq!(error.reason(), Some(Reason::PasswordMissing));
        assert!(error.is_locked());
    }

    #[test]
    fn a_cause_within_the_message_is_not_repeated() {
        let cause = io::Error::other("no such device");
        let text = format!("the record could not be written: {cause}");
        let error = Error::new(Kind::Internal, text).caused_by(cause);
        assert_eq!(
            error.to_string(),
            "the record could not be written: no such device"
        );
    }

    #[test]
    fn a_full_disk_has_its_own_kind() {
        let full = Error::storage("x", io::Error::from(io::ErrorKind::StorageFull));
        let other = Error::storage("x", io::Error::from(io::ErrorKind::PermissionDenied));
        assert_eq!(
            (full.kind(), other.kind()),
            (Kind::StorageFull, Kind::Internal)
        );
    }
}
