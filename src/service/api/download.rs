//! `GET` and `DELETE /api/v1/download/{conversion_id}`. Deletes nothing itself: the claim does that, after the client's
//! kernel has acknowledged a download, or on request.

use super::{
    endpoint::Call,
    envelope,
    failures::{failure, unreachable_store},
    file_name,
    path_id::Named,
    precondition, preview,
    range::{self, RequestedRange},
    records::StatusData,
    state::Api,
};
use crate::{
    http::{self, Head, Payload, Piece, Response, Status, Stream},
    store::{Claim, Receipt, Record, Unavailable},
};
use std::{io, ops::Range, time::SystemTime};

/// A result that is being sent. The claim reserves it for this client, and ends the link when the transfer is complete.
struct Download {
    claim: Claim,
    /// The file and its byte range; taken when the transfer starts.
    piece: Option<Piece>,
}

impl Stream for Download {
    fn next(&mut self) -> io::Result<Option<Piece>> {
        Ok(self.piece.take())
    }

    fn completing(&mut self) {
        self.claim.sent();
    }

    fn held_up(&mut self) {
        self.claim.unsent();
    }

    fn may_go_on(&self) -> bool {
        self.claim.holds()
    }

    fn acknowledged(self: Box<Self>) -> Option<Box<dyn http::Receipt>> {
        let receipt: Box<dyn http::Receipt> = Box::new(self.claim.delivered()?);
        Some(receipt)
    }
}

impl http::Receipt for Receipt {
    fn lost(self: Box<Self>) {
        (*self).lost();
    }
}

/// Handles a download: checks preconditions and the range, claims the bytes, and sends them.
pub(super) fn answer(api: &Api, call: &Call<'_>) -> Response {
    let head = call.head;
    let id = &match Named::parse(call.rest) {
        Named::Id(id) => id,
        Named::Malformed(_) => {
            return envelope::error(
                Status::NOT_FOUND,
                "this is not the identifier of a conversion",
            );
        }
    };
    if !head.is_head()
        && let Some(response) = preview::answer(head, &call.prefix(api))
    {
        return response;
    }
    let now = SystemTime::now();
    let claim = |range: Option<Range<u64>>| {
        let take = |wait| api.store.claim_to_open(id, range, now, wait);
        api.waiters.with(take)
    };
    // A request with a condition or a range needs the record before the claim. Any other request claims the result
    // immediately, so that a shared store is asked only once.
    let known = match is_for_all(head) {
        true => claim(None).map(|claim| (claim.record().clone(), Some(claim))),
        false => api.store.peek(id, now).map(|record| (record, None)),
    };
    let (record, taken) = match known {
        Ok(known) => known,
        Err(why) => return unavailable(&why),
    };
    let (range, response) = match plan(head, &record) {
        Ok(plan) => plan,
        Err(response) => return response,
    };
    if head.is_head() {
        return response.payload(Payload::Length(range.end - range.start));
    }
    let claim = match taken.map_or_else(|| claim(Some(range.clone())), Ok) {
        Ok(claim) => claim,
        Err(why) => return unavailable(&why),
    };
    match claim.open() {
        Ok(file) => {
            let len = range.end - range.start;
            let piece = Some(Piece::File(file, range));
            response.payload(Payload::Stream(len, Box::new(Download { claim, piece })))
        }
        Err(error) => failure(&error, &head.request_id),
    }
}

/// Ends a link: the result is deleted before the answer is sent, and counts as downloaded. Refused while the conversion
/// or a download is in progress.
pub(super) fn delete(api: &Api, call: &Call<'_>) -> Response {
    let id = &match Named::parse(call.rest) {
        Named::Id(id) => id,
        Named::Malformed(_) => return unavailable(&Unavailable::NotFound),
    };
    let conflict =
        |detail: &'static str| envelope::error(Status::CONFLICT, detail).field("Retry-After", "1");
    let now = SystemTime::now();
    let record = match api.store.peek(id, now) {
        Ok(record) => record,
        Err(Unavailable::Processing) => {
            return conflict("the conversion is still in progress; there is nothing to delete yet");
        }
        Err(why) => return unavailable(&why),
    };
    if precondition::evaluate(call.head, &record.etag(), Some(record.created_at())).is_some() {
        let detail = "the file has changed since the version that the request names";
        return envelope::error(Status::PRECONDITION_FAILED, detail).field("ETag", record.etag());
    }
    let claim = |wait| api.store.claim(id, None, now, wait);
    match api.waiters.with(claim) {
        Ok(claim) => {
            // The client wants the result deleted, so no proof of delivery is needed.
            drop(claim.delivered());
            envelope::success(
                Status::OK,
                "File deleted",
                StatusData::expired(id.to_string(), &call.prefix(api), record.expires_at()),
            )
        }
        Err(Unavailable::Claimed) => conflict("another client is downloading the file"),
        Err(why) => unavailable(&why),
    }
}

/// Returns whether the request is a `GET` of the whole result, without a condition.
fn is_for_all(head: &Head) -> bool {
    !head.is_head() && head.field("range").is_none() && !precondition::is_in(head)
}

/// Returns the byte range to send, and the answer without its content.
///
/// Errors: the answer to send instead, if a precondition is not met, or the file does not contain the range.
fn plan(head: &Head, record: &Record) -> Result<(Range<u64>, Response), Response> {
    let (len, etag) = (record.file_size, record.etag());
    if let Some(status) = precondition::evaluate(head, &etag, Some(record.created_at())) {
        let response = if status == Status::NOT_MODIFIED {
            // A 304 has the fields for caches that the file itself would have had (RFC 9110, section 15.4.5).
            caching(Response::new(status), record)
        } else {
            envelope::error(
                status,
                "the file does not meet the precondition of the request",
            )
        };
        return Err(response.field("ETag", etag));
    }
    // A range is only valid if the content is still the one of which the client already has a part (If-Range, RFC 9110,
    // section 13.1.5).
    let modified = httpdate::fmt_http_date(record.created_at());
    let same = head
        .field("if-range")
        .is_none_or(|validator| validator == etag || validator == modified);
    let asked = match head.field("range") {
        // Ranges are defined only for GET (RFC 9110, section 14.2).
        Some(value) if same && !head.is_head() => range::parse(value, len),
        Some(_) | None => RequestedRange::Whole,
    };
    let (range, response) = match asked {
        RequestedRange::Whole => (0..len, Response::new(Status::OK)),
        RequestedRange::Part(range) => {
            let content_range = format!("bytes {}-{}/{len}", range.start, range.end - 1);
            (
                range,
                Response::new(Status::PARTIAL_CONTENT).field("Content-Range", content_range),
            )
        }
        RequestedRange::Unsatisfiable => {
            let detail = format!("the requested range is not in the file, which has {len} bytes");
            return Err(envelope::error(Status::RANGE_NOT_SATISFIABLE, detail)
                .field("Content-Range", format!("bytes */{len}"))
                .field("Accept-Ranges", "bytes"));
        }
    };
    let name = file_name::of_result(&record.original_filename, record.extension());
    let response = response
        .field("Content-Type", record.media_type.as_str())
        .field("Content-Disposition", file_name::attachment(&name))
        .field("Last-Modified", modified)
        .field("ETag", etag)
        .field("Accept-Ranges", "bytes")
        .field("X-Content-Type-Options", "nosniff")
        .field("Content-Security-Policy", "sandbox");
    Ok((range, caching(response, record)))
}

/// Adds the fields for caches: `Expires` and `Cache-Control`.
fn caching(response: Response, record: &Record) -> Response {
    response
        .field("Expires", httpdate::fmt_http_date(record.expires_at()))
        .field("Cache-Control", "no-store")
}

/// Returns the error for a result that cannot be downloaded, with the reason.
fn unavailable(why: &Unavailable) -> Response {
    let not_found = |detail: &'static str| envelope::error(Status::NOT_FOUND, detail);
    match why {
        Unavailable::Unreachable => unreachable_store(),
        Unavailable::NotFound => not_found("no conversion has this identifier"),
        Unavailable::Processing => {
            not_found("the conversion is still in progress").field("Retry-After", "1")
        }
        Unavailable::Claimed => {
            not_found("another client is downloading the file, or this part of it")
                .field("Retry-After", "1")
        }
        Unavailable::Expired {
            downloaded: true, ..
        } => not_found("the file has been downloaded already, or its client deleted it"),
        Unavailable::Expired {
            downloaded: false, ..
        } => not_found("the link has expired, and the file was deleted"),
        Unavailable::Failed(failure) => envelope::coded_error(
            Status::NOT_FOUND,
            format!(
                "the conversion failed, so it has no file: {}",
                failure.message
            ),
            failure.reason,
        ),
    }
}
