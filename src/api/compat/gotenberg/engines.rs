//! `POST /forms/pdfengines/…`: PDFs as they are, put together, divided, turned and locked.

use super::{
    answer::Reply,
    fields::Fields,
    merge,
    post_process::{self, Insists, PostProcess},
    refusal::{Refusal, UNSUPPORTED},
    route::Task,
};
use crate::api::compat::{form::Sent, item::Item, work::Work};
use crate::http::{Payload, Response, Status};
use serde_json::{Map, Value};

const PDF: &[&str] = &[".pdf"];

pub(super) fn answer(work: &Work<'_, '_>, sent: &Sent, task: Task) -> Result<Reply, Refusal> {
    let mut fields = Fields::new(sent);
    let insists = Insists {
        split: task == Task::Split,
        rotate: task == Task::Rotate,
        metadata: task == Task::WriteMetadata,
        stamp: task == Task::Stamp,
        watermark: task == Task::Watermark,
        shrink: task == Task::Optimize,
    };
    let mut finish = post_process::read(&mut fields, insists);
    let files = fields.files(PDF);
    match task {
        Task::Flatten => finish.flatten = true,
        Task::Encrypt if finish.lock.is_none() => {
            fields.problem("a 'userPassword' or 'ownerPassword' is required".into());
        }
        Task::Merge => {
            fields.idle_flag("titleBookmarks");
            fields.idle_flag("autoIndexBookmarks");
        }
        Task::Split
        | Task::Rotate
        | Task::Encrypt
        | Task::Convert
        | Task::WriteMetadata
        | Task::Stamp
        | Task::Watermark
        | Task::Optimize => {}
    }
    let idle = fields.end()?;
    if task == Task::Convert && finish.pdfa.is_none() && !finish.pdfua {
        return Err(Refusal::form(
            "either 'pdfa' or 'pdfua' form fields must be provided",
        ));
    }
    finish.check(|_| UNSUPPORTED.to_owned())?;
    let files = files.into_iter().map(|part| part.item.clone());
    let files: Vec<Item> = files
        .map(|file| conforming(work, &finish, file))
        .collect::<Result<_, _>>()?;
    let results = match task {
        Task::Merge => finish.run(work, merge::together(work, &files)?, None)?,
        _ => {
            let mut results = Vec::new();
            for file in files {
                results.extend(finish.run(work, file, None)?);
            }
            results
        }
    };
    Ok(Reply::of(results, idle))
}

/// `metadata/read`: what each file says about itself, by its name.
pub(super) fn metadata(work: &Work<'_, '_>, sent: &Sent) -> Result<Response, Refusal> {
    let mut fields = Fields::new(sent);
    let files = fields.files(PDF);
    fields.end()?;
    let mut all = Map::new();
    for file in files {
        let about = work.about(&file.item)?;
        all.insert(file.item.name.clone(), Value::Object(about));
    }
    Ok(Response::new(Status::OK)
        .field("Content-Type", "application/json")
        .field("Cache-Control", "no-store")
        .payload(Payload::Bytes(
            Value::Object(all).to_string().into_bytes().into(),
        )))
}

/// A file that says of itself that it is PDF/A or PDF/UA, if that is wanted: what is in the way of PDF/A is mended where it can be.
/// Refuses what cannot: nothing else is called so. Its metadata is plain text in such files.
pub(super) fn conforming(
    work: &Work<'_, '_>,
    finish: &PostProcess,
    file: Item,
) -> Result<Item, Refusal> {
    let claims = finish.pdfa.is_none() || holds(&file, b"pdfaid:part")?;
    let file = match claims {
        true => file,
        false => finish.archival(work, &file)?,
    };
    let wanted = [
        (finish.pdfa.is_some(), &b"pdfaid:part"[..]),
        (finish.pdfua, &b"pdfuaid:part"[..]),
    ];
    for (_, words) in wanted.into_iter().filter(|(is_wanted, _)| *is_wanted) {
        if !holds(&file, words)? {
            return Err(Refusal::bad(UNSUPPORTED));
        }
    }
    Ok(file)
}

/// Whether these bytes are anywhere in a file.
fn holds(file: &Item, words: &[u8]) -> crate::error::Result<bool> {
    let mut seen = Vec::new();
    let mut found = false;
    file.each_piece(|piece| {
        seen.extend_from_slice(piece);
        found = found || memchr::memmem::find(&seen, words).is_some();
        // They may stand across two pieces.
        seen.drain(..seen.len().saturating_sub(words.len()));
        Ok(())
    })?;
    Ok(found)
}
