//! `POST /api/v1/bundle`: several results as one ZIP archive. The link of each ends, as after a download of its own.
//! Writes nothing to the disk, and holds no result in memory.
//!
//! The archive is made while it is sent. Its entries are stored uncompressed, so its length follows from names and
//! sizes, and is known in advance. The checksum of an entry comes before the data of the entry. It is not computed
//! here, because the store keeps a checksum with each result.
//!
//! All results are claimed before the first byte is sent, and all links end when the client's kernel has acknowledged
//! the whole archive. If the transfer breaks off, the claims are dropped, and every link stays as it was.

use super::{
    endpoint::Call,
    envelope,
    failures::{failure, unreachable_store},
    file_name,
    state::Api,
};
use crate::{
    containers::zip::{self, Member, Moment, Names, STORED},
    error::{Error, Kind, Result},
    format::ARCHIVE_MEDIA_TYPE,
    http::{self, Body, Framing, Head, Payload, Piece, Response, Status, Stream},
    id::ConversionId,
    store::{Claim, Receipt, Record, Unavailable},
};
use serde::Deserialize;
use std::{
    collections::HashSet,
    fs::File,
    io::{self, Read},
    time::{Duration, Instant, SystemTime},
};
use time::OffsetDateTime;

/// Limit on the results in one archive.
pub(super) const MAX_RESULTS: usize = 1000;
/// Limit on the body, in bytes: 1000 identifiers of 36 characters, and white space between them.
const MAX_BODY: u64 = 64 << 10;
/// The name of the archive.
const NAME: &str = "converted.zip";
/// Limit on the identifiers that an error names.
const MAX_NAMED: usize = 5;

/// The body of a request.
#[derive(Deserialize)]
struct Contents {
    conversion_ids: Vec<String>,
}

/// Refuses requests that the head alone rules out, before the body is read.
pub(super) fn admit(_: &Api, call: &Call<'_>) -> Result<(), Response> {
    check(call.head).map_err(|error| failure(&error, &call.head.request_id))
}

/// Checks the type and the length of the body.
fn check(head: &Head) -> Result<()> {
    let content_type = head.field("content-type").unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    if !media_type.eq_ignore_ascii_case("application/json") {
        let text = format!("Content-Type is {content_type:?}; it must be application/json");
        return Err(Error::new(Kind::BadInput, text));
    }
    match head.framing {
        Framing::Length(len) if len > MAX_BODY => Err(too_long()),
        Framing::None | Framing::Length(_) | Framing::Chunked => Ok(()),
    }
}

/// Handles a request for several results: claims all of them, or none, and streams the archive.
pub(super) fn answer(api: &Api, call: &Call<'_>, body: &mut Body<'_>) -> Response {
    let now = SystemTime::now();
    let ids = match receive(body) {
        Ok(ids) => ids,
        Err(error) => return failure(&error, &call.head.request_id),
    };
    let claims = match api.waiters.with(|wait| claim(api, &ids, now, wait)) {
        Ok(claims) => claims,
        Err(response) => return response,
    };
    let bundle = Bundle::new(claims);
    Response::new(Status::OK)
        .field("Content-Type", ARCHIVE_MEDIA_TYPE)
        .field("Content-Disposition", file_name::attachment(NAME))
        .field("Cache-Control", "no-store")
        .field("X-Content-Type-Options", "nosniff")
        .field("Content-Security-Policy", "sandbox")
        .payload(Payload::Stream(bundle.len(), Box::new(bundle)))
}

/// Reads the body, and parses the identifiers in it.
///
/// Errors: [`Kind::BadInput`] and [`Kind::TooLarge`] for an invalid or long body, and the errors of its transfer.
fn receive(body: &mut Body<'_>) -> Result<Vec<String>> {
    let mut text = Vec::new();
    body.take(MAX_BODY + 1)
        .read_to_end(&mut text)
        .map_err(|err| match err.kind() {
            io::ErrorKind::TimedOut => Error::new(Kind::TooSlow, "the body arrives too slowly"),
            io::ErrorKind::InvalidData => {
                Error::new(Kind::BadInput, "the chunks of the body are malformed")
            }
            io::ErrorKind::FileTooLarge => too_long(),
            _ => Error::new(
                Kind::Disconnected,
                "the connection ended before the body did",
            ),
        })?;
    if text.len() as u64 > MAX_BODY {
        return Err(too_long());
    }
    identifiers(&text)
}

/// Parses the body, and checks the number of identifiers.
fn identifiers(text: &[u8]) -> Result<Vec<String>> {
    let refuse = |text: String| Error::new(Kind::BadInput, text);
    let contents: Contents = serde_json::from_slice(text).map_err(|err| {
        refuse(format!(
            "the body must be JSON like {{\"conversion_ids\": [\"…\"]}}: {err}"
        ))
    })?;
    let ids = contents.conversion_ids;
    match ids.len() {
        0 => Err(refuse("conversion_ids is empty".into())),
        1..=MAX_RESULTS => Ok(ids),
        len => Err(refuse(format!(
            "conversion_ids has {len} entries; it may have at most {MAX_RESULTS}"
        ))),
    }
}

fn too_long() -> Error {
    let text = format!("the body is longer than {MAX_BODY} bytes");
    Error::new(Kind::TooLarge, text)
}

/// Claims each result for delivery. A result that is named twice is claimed once.
///
/// Errors: the answer that names the unavailable results, or the answer that the store cannot be reached. All claims
/// made so far are dropped.
fn claim(
    api: &Api,
    ids: &[String],
    now: SystemTime,
    wait: Duration,
) -> std::result::Result<Vec<Claim>, Response> {
    let until = Instant::now() + wait;
    let mut seen = HashSet::new();
    let (mut claims, mut missing, mut comes) = (Vec::new(), Vec::new(), true);
    for text in ids {
        if !seen.insert(text.to_ascii_lowercase()) {
            continue;
        }
        let claimed = text
            .parse::<ConversionId>()
            .map_err(|_| Unavailable::NotFound)
            .and_then(|id| {
                let left = until.saturating_duration_since(Instant::now());
                api.store.claim(&id, None, now, left)
            });
        match claimed {
            Ok(claim) => claims.push(claim),
            // If all unavailable results are still being made or sent, the request may succeed a moment later, so the
            // answer has `Retry-After`. A deleted result never comes back.
            Err(why) => {
                comes &= matches!(why, Unavailable::Processing | Unavailable::Claimed);
                missing.push((text, why));
            }
        }
    }
    if missing.is_empty() {
        return Ok(claims);
    }
    if missing
        .iter()
        .any(|(_, why)| *why == Unavailable::Unreachable)
    {
        return Err(unreachable_store());
    }
    let response = envelope::error(Status::NOT_FOUND, complaint(&missing));
    Err(match comes {
        true => response.field("Retry-After", "1"),
        false => response,
    })
}

/// Returns the error message: the identifiers of the first unavailable results, with the reason for each.
fn complaint(missing: &[(&String, Unavailable)]) -> String {
    let reasons: Vec<String> = missing
        .iter()
        .take(MAX_NAMED)
        .map(|(id, why)| {
            let shown: String = id.chars().take(40).collect();
            format!("{shown} {}", reason(why))
        })
        .collect();
    let more = match missing.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!(
        "nothing was downloaded, because some results are not available: {}{more}",
        reasons.join("; ")
    )
}

fn reason(why: &Unavailable) -> &'static str {
    match why {
        Unavailable::NotFound => "is not the identifier of a conversion",
        Unavailable::Processing => "is still in progress",
        Unavailable::Claimed => "is being downloaded by another client",
        Unavailable::Expired { downloaded: true } => "has been downloaded or deleted already",
        Unavailable::Expired { downloaded: false } => "has expired",
        Unavailable::Failed(_) => "has failed",
        Unavailable::Unreachable => "cannot be looked up at the moment",
    }
}

/// An archive that is being sent, piece by piece.
struct Bundle {
    claims: Vec<Claim>,
    /// Entries in the order of the claims. The checksum of each is set when its head is sent.
    members: Vec<Member>,
    next: Next,
}

/// The part of the archive that comes next.
enum Next {
    /// The head of the entry with this index.
    Head(usize),
    /// The data of the entry with this index.
    Data(usize, File),
    /// The directory at the end of the archive.
    Directory,
    Nothing,
}

impl Bundle {
    /// Computes the layout of the archive. Names, sizes and offsets of the entries follow from the records, so the
    /// length is known before any file is read.
    fn new(claims: Vec<Claim>) -> Self {
        let mut names = Names::default();
        let mut start = 0;
        let member = |claim: &Claim| {
            let record = claim.record();
            let name = file_name::of_result(&record.original_filename, record.extension());
            let member = Member {
                name: names.add(&name).into(),
                method: STORED,
                modified: moment(record),
                crc: 0,
                packed: record.file_size,
                size: record.file_size,
                start,
            };
            start += member.local_header_len() + member.packed;
            member
        };
        let members = claims.iter().map(member).collect();
        Self {
            claims,
            members,
            next: Next::Head(0),
        }
    }

    /// Returns the length of the archive in bytes.
    fn len(&self) -> u64 {
        self.end_of_data() + self.directory().len() as u64
    }

    /// Returns the offset of the directory, which follows the last entry.
    fn end_of_data(&self) -> u64 {
        self.members
            .last()
            .map_or(0, |last| last.start + last.local_header_len() + last.packed)
    }

    fn directory(&self) -> Vec<u8> {
        zip::directory(&self.members, self.end_of_data())
    }
}

impl Stream for Bundle {
    fn next(&mut self) -> io::Result<Option<Piece>> {
        match std::mem::replace(&mut self.next, Next::Nothing) {
            Next::Head(index) if index == self.members.len() => {
                self.next = Next::Directory;
                // An empty piece: the directory follows in a step of its own.
                Ok(Some(Piece::Bytes(Vec::new())))
            }
            Next::Head(index) => {
                let claim = &self.claims[index];
                let file = claim.open().map_err(io::Error::other)?;
                let member = &mut self.members[index];
                member.crc = claim.checksum(&file).map_err(io::Error::other)?;
                self.next = Next::Data(index, file);
                Ok(Some(Piece::Bytes(member.local_header())))
            }
            Next::Data(index, file) => {
                self.next = Next::Head(index + 1);
                Ok(Some(Piece::File(file, 0..self.members[index].size)))
            }
            Next::Directory => Ok(Some(Piece::Bytes(self.directory()))),
            Next::Nothing => Ok(None),
        }
    }

    fn completing(&mut self) {
        self.claims.iter().for_each(Claim::sent);
    }

    fn held_up(&mut self) {
        self.claims.iter().for_each(Claim::unsent);
    }

    fn may_go_on(&self) -> bool {
        self.claims.iter().all(Claim::holds)
    }

    fn acknowledged(self: Box<Self>) -> Option<Box<dyn http::Receipt>> {
        let receipts = self.claims.into_iter().filter_map(Claim::delivered);
        Some(Box::new(Receipts(receipts.collect())))
    }
}

/// The receipts of all results in the archive.
struct Receipts(Vec<Receipt>);

impl http::Receipt for Receipts {
    fn lost(self: Box<Self>) {
        self.0.into_iter().for_each(Receipt::lost);
    }
}

/// Returns the creation time of a result in UTC, for its entry.
fn moment(record: &Record) -> Moment {
    let made = OffsetDateTime::from(record.created_at());
    Moment::new(
        made.year(),
        [
            made.month().into(),
            made.day(),
            made.hour(),
            made.minute(),
            made.second(),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_that_cannot_be_used_is_refused_with_a_sentence() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            let error = identifiers(text.as_bytes()).unwrap_err();
            assert!(error.message().contains(expected), "{}", error.message());
        }
        check("", "must be JSON");
        check("[]", "must be JSON");
        check("{}", "conversion_ids");
        check(r#"{"conversion_ids": "a"}"#, "must be JSON");
        check(r#"{"conversion_ids": [1]}"#, "must be JSON");
        check(r#"{"conversion_ids": []}"#, "is empty");
        let many = vec!["\"x\""; MAX_RESULTS + 1].join(",");
        check(&format!("{{\"conversion_ids\": [{many}]}}"), "at most 1000");
    }
}
