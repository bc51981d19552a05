//! The record of a conversion, and its form as JSON in the files of the data directory. Contains no paths.

use super::digest::Repeat;
use crate::{
    error::{Error, Kind, Reason},
    format::{ARCHIVE_EXTENSION, ARCHIVE_MEDIA_TYPE},
    id::ConversionId,
    job::Task,
};
use serde::{Deserialize, Serialize};
use std::{
    net::IpAddr,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// The last second of the year 9999 in Unix time: RFC 3339 has four digits for the year.
pub(super) const LAST_SECOND: u64 = 253_402_300_799;

/// Tolerance for terms that begin in the future, in seconds. A term that begins later than this was issued before the
/// clock was set back, and counts as over.
pub(super) const FUTURE: u64 = 24 * 60 * 60;

/// Limit on attempts at a conversion. If the service has ended unexpectedly during each of them, the conversion fails
/// for good.
pub const MAX_ATTEMPTS: u32 = 3;

/// A client's request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The name of the uploaded file, for people. Never a path.
    pub original_filename: String,
    /// The format of the uploaded file, if it was packed into an archive together with further files. The task then
    /// names the format of the archive. In JSON the task uses the key `original_format`, so this field has another key.
    #[serde(
        rename = "packed_format",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub original_format: Option<Box<str>>,
    /// The conversion: its formats, quality and options.
    #[serde(flatten)]
    pub task: Task,
    /// The media type of the result, unless the result turns out to be an archive.
    pub media_type: String,
    /// Remarks about the request itself. The converter's remarks about the file follow them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// Digests by which the store recognises a repeat of the request; `None` if the client sent no key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<Box<Repeat>>,
}

/// The facts that a converter reports in addition to its output.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Duration of the conversion alone, in seconds.
    pub conversion_time: f64,
    /// Remarks for the person who requested the conversion, as whole sentences.
    pub notes: Vec<String>,
    /// Whether the result is a ZIP archive of files in the target format, rather than one such file.
    pub archive: bool,
}

/// The reason why a conversion has no result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The party at fault. It decides the status code of the answer.
    pub kind: Kind,
    /// The exact fault, if clients can distinguish it from others. Records of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// A sentence that the client may read.
    pub message: String,
}

impl Failure {
    /// The part of an error that a client may know.
    pub fn of(error: &Error) -> Self {
        Self {
            kind: error.kind(),
            reason: error.reason(),
            message: error.message().to_owned(),
        }
    }

    /// Failure that is a fault of the service.
    pub(super) fn internal(message: &str) -> Self {
        Self {
            kind: Kind::Internal,
            reason: None,
            message: message.to_owned(),
        }
    }

    /// Failure of a conversion whose thread panicked.
    pub(super) fn unexpected() -> Self {
        Self::internal("the conversion ended unexpectedly")
    }

    /// Failure of a conversion that was begun [`MAX_ATTEMPTS`] times.
    pub fn tried_too_often() -> Self {
        Self::internal("the service ended each time it tried this conversion")
    }
}

/// A stored result and the link to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Identifier of the conversion. Whoever knows it can download the result.
    #[serde(with = "text")]
    pub id: ConversionId,
    /// The name of the uploaded file, for people. Never a path.
    pub original_filename: String,
    /// The format of the upload.
    pub original_format: String,
    /// The format of the result, under the name that the client used for it.
    pub target_format: String,
    /// The media type of the result.
    pub media_type: String,
    /// The length of the result in bytes.
    pub file_size: u64,
    /// Duration of the conversion alone, in seconds.
    pub conversion_time: f64,
    /// Remarks of the converter, as whole sentences.
    pub notes: Vec<String>,
    /// Whether the result is a ZIP archive of files in the target format, rather than one such file. Missing in records
    /// of earlier versions, which made no archives.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub archive: bool,
    /// The client whose share the result counts towards. If missing, as in records of earlier versions, it counts
    /// towards no share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) owner: Option<IpAddr>,
    /// Digests of the request, as in [`Request`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) repeat: Option<Box<Repeat>>,
    #[serde(flatten)]
    pub(super) term: Term,
}

impl Record {
    /// The record of a result that `request` asked for.
    pub(super) fn new(
        id: ConversionId,
        request: Request,
        outcome: Outcome,
        file_size: u64,
        owner: Option<IpAddr>,
        term: Term,
    ) -> Self {
        Self {
            id,
            original_filename: request.original_filename,
            original_format: request
                .original_format
                .map_or(request.task.from, String::from),
            target_format: request.task.to,
            media_type: match outcome.archive {
                true => ARCHIVE_MEDIA_TYPE.to_owned(),
                false => request.media_type,
            },
            file_size,
            conversion_time: outcome.conversion_time,
            notes: outcome.notes,
            archive: outcome.archive,
            owner,
            repeat: request.repeat,
            term,
        }
    }

    /// Digests by which the store recognises a repeat of the request, if its client sent a key.
    pub(super) fn repeat(&self) -> Option<&Repeat> {
        self.repeat.as_deref()
    }

    /// Time at which the link was issued, in whole seconds.
    pub fn created_at(&self) -> SystemTime {
        from_unix(self.term.created_at)
    }

    /// End of the link's term: the first whole second at which it no longer works.
    pub fn expires_at(&self) -> SystemTime {
        self.term.end()
    }

    /// The file extension of the result: the name of the target format, unless the result is an archive.
    pub fn extension(&self) -> &str {
        match self.archive {
            true => ARCHIVE_EXTENSION,
            false => &self.target_format,
        }
    }

    /// A strong entity tag (RFC 9110, section 8.8.3), quoted. The content of a link never changes, so any constant
    /// would do. The tag must not reveal the identifier, because everybody who knows the identifier can download the
    /// result.
    pub fn etag(&self) -> String {
        format!("\"{:x}-{:x}\"", self.term.created_at, self.file_size)
    }
}

/// Period for which a link or a record is valid, in whole seconds of Unix time. The end is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Term {
    created_at: u64,
    expires_at: u64,
}

impl Term {
    /// A term of length `ttl` that begins `now`. Rounding its end up adds up to a second.
    pub(super) fn new(now: SystemTime, ttl: Duration) -> Self {
        let since_epoch = now.duration_since(UNIX_EPOCH).unwrap_or_default();
        let end = since_epoch.saturating_add(ttl);
        let rounded_up = end
            .as_secs()
            .saturating_add((end.subsec_nanos() > 0).into());
        Self {
            created_at: since_epoch.as_secs().min(LAST_SECOND),
            expires_at: rounded_up.min(LAST_SECOND),
        }
    }

    /// A term with given limits in Unix time, as a shared store decided them.
    pub(super) fn between(created_at: u64, expires_at: u64) -> Self {
        let expires_at = expires_at.min(LAST_SECOND);
        Self {
            created_at: created_at.min(expires_at),
            expires_at,
        }
    }

    /// Returns whether the term is over at `now`, by the wall clock. A term that begins more than a day after `now`
    /// counts as over, too: it was issued while the clock was wrong, and could otherwise last for years.
    pub(super) fn is_over(&self, now: SystemTime) -> bool {
        let now = unix(now);
        now >= self.expires_at || self.created_at > now.saturating_add(FUTURE)
    }

    /// The first moment at which the term is over.
    pub(super) fn end(&self) -> SystemTime {
        from_unix(self.expires_at)
    }

    fn is_sane(&self) -> bool {
        self.created_at <= self.expires_at && self.expires_at <= LAST_SECOND
    }
}

/// Whole seconds since 1970. A time before 1970 counts as 1970, a time after 9999 as the end of 9999.
pub(super) fn unix(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs()
        .min(LAST_SECOND)
}

pub(super) fn from_unix(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(seconds)
}

/// The record of a conversion in its present state, as JSON in a file of the data directory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub(super) enum Saved {
    /// Accepted and not finished. It is run again after a restart.
    Processing {
        #[serde(with = "text")]
        id: ConversionId,
        attempts: u32,
        request: Request,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        owner: Option<IpAddr>,
    },
    /// Converted: there is a result.
    Ready(Record),
    /// Failed for good.
    Failed {
        #[serde(with = "text")]
        id: ConversionId,
        failure: Failure,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        owner: Option<IpAddr>,
        #[serde(flatten)]
        term: Term,
    },
}

impl Saved {
    /// Parses the record that was written for `id`. `None` for any other text, including the record of another
    /// conversion.
    pub(super) fn parse(json: &[u8], id: &ConversionId) -> Option<Self> {
        let saved: Self = serde_json::from_slice(json).ok()?;
        let (named, sane) = match &saved {
            Self::Processing { id, .. } => (id, true),
            Self::Ready(record) => (&record.id, record.term.is_sane()),
            Self::Failed { id, term, .. } => (id, term.is_sane()),
        };
        (named == id && sane).then_some(saved)
    }
}

/// Identifiers as text in JSON.
mod text {
    use crate::id::ConversionId;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(id: &ConversionId, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(id)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<ConversionId, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Options, Quality};
    use crate::store::digest::Digester;

    fn at(seconds: f64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs_f64(seconds)
    }

    #[test]
    fn a_term_lasts_no_shorter_than_promised_and_ends_on_a_whole_second() {
        #[track_caller]
        fn check(now: f64, ttl: f64, ends: u64) {
            let term = Term::new(at(now), Duration::from_secs_f64(ttl));
            assert_eq!(term.expires_at, ends);
            assert!(!term.is_over(at(ends as f64 - 0.25)) || ttl == 0.0);
            assert!(term.is_over(at(ends as f64)));
            assert!(term.is_sane());
        }
        check(1000.0, 1800.0, 2800);
        check(1000.25, 1800.0, 2801);
        check(1000.0, 0.5, 1001);
        check(1000.0, 0.0, 1000);
        check(1e10, 1e12, LAST_SECOND);
    }

    #[test]
    fn a_clock_set_back_prolongs_a_term_by_the_step_but_not_for_ever() {
        let term = Term::new(at(1e9), Duration::from_secs(1800));
        assert!(!term.is_over(at(1e9 - 3600.0)));
        assert!(!term.is_over(at(1e9 - 86_400.0)));
        assert!(term.is_over(at(1e9 - 86_401.0)));
        assert!(term.is_over(at(1e9 + 3600.0)));
    }

    #[test]
    fn a_clock_outside_of_what_can_be_written_does_no_harm() {
        let before = UNIX_EPOCH - Duration::from_secs(10);
        assert_eq!(Term::new(before, Duration::from_secs(5)).expires_at, 5);
        let far = Term::new(at(1e18), Duration::MAX);
        assert_eq!(far.expires_at, LAST_SECOND);
        assert!(far.is_sane());
    }

    fn request() -> Request {
        let mut options = Options::default();
        options.insert("width", "100");
        Request {
            original_filename: "ünïcode \"quoted\"\u{202e}.png".into(),
            task: Task {
                from: "png".into(),
                to: "jpeg".into(),
                quality: Quality::Medium,
                options,
                file_title: None,
            },
            original_format: Some("html".into()),
            media_type: "image/jpeg".into(),
            remarks: vec!["A field was ignored.".into()],
            repeat: Some(Box::new(repeat())),
        }
    }

    fn repeat() -> Repeat {
        let digester = Digester::new([7; 16]);
        Repeat {
            key: digester.finish(),
            form: digester.finish(),
        }
    }

    #[test]
    fn every_state_round_trips_and_no_other_text_is_taken_for_one() {
        let id = ConversionId::random().unwrap();
        let term = Term::new(at(1e9), Duration::from_secs(1800));
        let states = [
            Saved::Processing {
                id,
                attempts: 3,
                request: request(),
                owner: Some("2001:db8::".parse().unwrap()),
            },
            Saved::Ready(Record {
                id,
                original_filename: "a".into(),
                original_format: "png".into(),
                target_format: "jpg".into(),
                media_type: "image/jpeg".into(),
                file_size: u64::MAX,
                conversion_time: 0.123_456_789,
                notes: vec!["The animation was reduced to its first frame.".into()],
                archive: true,
                owner: Some("192.0.2.1".parse().unwrap()),
                repeat: Some(Box::new(repeat())),
                term,
            }),
            Saved::Failed {
                id,
                failure: Failure {
                    kind: Kind::BadInput,
                    reason: Some(Reason::Unreadable),
                    message: "not a PNG".into(),
                },
                owner: None,
                term,
            },
        ];
        for state in states {
            let json = serde_json::to_vec(&state).unwrap();
            assert_eq!(Saved::parse(&json, &id), Some(state));
            let other = ConversionId::random().unwrap();
            assert_eq!(Saved::parse(&json, &other), None, "another's record");
            for cut in 0..json.len() {
                assert_eq!(Saved::parse(&json[..cut], &id), None, "cut at {cut}");
            }
        }
    }

    #[test]
    fn a_record_with_an_impossible_time_is_invalid() {
        let id = ConversionId::random().unwrap();
        let json = |from: u64, to: u64| {
            format!(
                r#"{{"state":"failed","id":"{id}","failure":{{"kind":"BadInput","message":""}},
                "created_at":{from},"expires_at":{to}}}"#
            )
        };
        assert!(Saved::parse(json(5, 6).as_bytes(), &id).is_some());
        assert!(Saved::parse(json(6, 5).as_bytes(), &id).is_none());
        assert!(Saved::parse(json(6, u64::MAX).as_bytes(), &id).is_none());
    }

    #[test]
    fn the_entity_tag_does_not_give_the_right_to_download() {
        let id = ConversionId::random().unwrap();
        let record = Record {
            id,
            original_filename: String::new(),
            original_format: String::new(),
            target_format: String::new(),
            media_type: String::new(),
            file_size: 10,
            conversion_time: 0.0,
            notes: Vec::new(),
            archive: false,
            owner: None,
            repeat: None,
            term: Term::new(at(16.0), Duration::ZERO),
        };
        assert_eq!(record.etag(), "\"10-a\"");
    }
}
