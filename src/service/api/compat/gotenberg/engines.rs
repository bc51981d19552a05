//! `POST /forms/pdfengines/…`: applies one task to PDFs, such as merging, splitting, stamping or encrypting.

use super::{
    answer::Reply,
    bookmarks,
    fields::Fields,
    forms::Task,
    merge,
    post_process::{self, PostProcess, RequiredFields},
    refusal::{Refusal, UNSUPPORTED},
};
use crate::api::compat::{
    form::Sent,
    item::Item,
    work::{Load, Work},
};
use crate::format::{PDF_A_CONFORMANCE, PDF_A_PART, PDF_OUTLINE, PDF_UA_PART};
use crate::http::{Payload, Response, Status};
use serde_json::{Map, Value};

const PDF: &[&str] = &[".pdf"];

/// Handles a task of the PDF engines. Some tasks require fields that are optional in other tasks.
pub(super) fn answer(work: &Work<'_, '_>, sent: &Sent, task: Task) -> Result<Reply, Refusal> {
    let mut fields = Fields::new(sent);
    let required = RequiredFields {
        split: task == Task::Split,
        rotate: task == Task::Rotate,
        metadata: task == Task::WriteMetadata,
        stamp: task == Task::Stamp,
        watermark: task == Task::Watermark,
        shrink: task == Task::Optimize,
        takes_bookmarks: matches!(task, Task::Merge | Task::WriteBookmarks),
    };
    let mut finish = post_process::read(&mut fields, required);
    let marks = match task {
        Task::WriteBookmarks => bookmarks::read(&mut fields, true),
        Task::Merge => bookmarks::read(&mut fields, false),
        _ => None,
    };
    let mut merging = bookmarks::Merging::default();
    let files = match task {
        Task::Merge => fields.all_files(PDF, |_| false),
        _ => fields.files(PDF),
    };
    match task {
        Task::Flatten => finish.flatten = true,
        Task::Encrypt if finish.lock.is_none() => {
            fields.problem("a 'userPassword' or 'ownerPassword' is required".into());
        }
        Task::Merge => {
            merging = bookmarks::Merging {
                titles: fields.flag("titleBookmarks", false),
                keeps_own: fields.flag("autoIndexBookmarks", false),
            };
        }
        Task::Split
        | Task::Rotate
        | Task::Encrypt
        | Task::Convert
        | Task::WriteMetadata
        | Task::WriteBookmarks
        | Task::Embed
        | Task::Stamp
        | Task::Watermark
        | Task::Optimize => {}
    }
    let idle = fields.end()?;
    if task == Task::Convert && !finish.claims() {
        return Err(Refusal::form(
            "either 'pdfa' or 'pdfua' form fields must be provided",
        ));
    }
    finish.check(|_| UNSUPPORTED.to_owned())?;
    let files: Vec<Item> = files.into_iter().map(|part| part.item.clone()).collect();
    work.refuse_beyond(load(&files, task, &finish))?;
    let mut results = Vec::new();
    match task {
        Task::Merge => {
            finish.bookmarks = bookmarks::of_merged(work, &files, marks.as_ref(), &merging)?;
            let merged = merge::together(work, &files, &finish.options())?;
            results = finish.run(work, conforming(work, &finish, merged)?, None)?;
        }
        _ => {
            for file in files {
                let file = conforming(work, &finish, file)?;
                finish.bookmarks = marks.as_ref().and_then(|marks| marks.of(&file.name));
                results.extend(finish.run(work, file, None)?);
            }
        }
    }
    Ok(Reply::of(results, idle))
}

/// Returns a lower limit of the request's load, before any conversion has run.
fn load(files: &[Item], task: Task, finish: &PostProcess) -> Load {
    let each = finish.steps();
    let steps = match task {
        Task::Merge => 1 + each,
        _ => each * files.len() as u64,
    };
    let together: u64 = files.iter().map(Item::len).sum();
    Load {
        steps,
        pages: 0,
        bytes: together * (each + u64::from(task == Task::Merge)),
    }
}

/// Handles `metadata/read`: answers with the metadata of each file, under its name.
pub(super) fn metadata(work: &Work<'_, '_>, sent: &Sent) -> Result<Response, Refusal> {
    about_each(sent, &[], |file| {
        let mut about = work.about(file)?;
        // Names with a colon are claims of PDF/A and PDF/UA. They are left out, because ExifTool, and therefore
        // Gotenberg, does not list them.
        about.retain(|name, _| !name.contains(':'));
        Ok(Value::Object(about))
    })
}

/// Handles `bookmarks/read`: answers with the bookmarks of each file, under its name.
pub(super) fn bookmarks(work: &Work<'_, '_>, sent: &Sent) -> Result<Response, Refusal> {
    about_each(sent, &[], |file| {
        let own = work.about_with_bookmarks(file)?.remove(PDF_OUTLINE);
        Ok(own.unwrap_or_else(|| Value::Array(Vec::new())))
    })
}

/// Answers with what `about` returns for each file, under its name. The form must not have the `refused` fields.
pub(super) fn about_each(
    sent: &Sent,
    refused: &[&'static str],
    about: impl Fn(&Item) -> Result<Value, Refusal>,
) -> Result<Response, Refusal> {
    let mut fields = Fields::new(sent);
    fields.refused(refused);
    let files = fields.files(PDF);
    fields.end()?;
    let mut all = Map::new();
    for file in files {
        all.insert(file.item.name.clone(), about(&file.item)?);
    }
    Ok(Response::new(Status::OK)
        .field("Content-Type", "application/json")
        .field("Cache-Control", "no-store")
        .payload(Payload::Bytes(
            Value::Object(all).to_string().into_bytes().into(),
        )))
}

/// Returns a file whose metadata claim the part of PDF/A or PDF/UA that the form asks for, if any. Violations of PDF/A
/// are repaired where possible. A file that still violates the standard is refused, because its metadata must not
/// claim conformance.
pub(super) fn conforming(
    work: &Work<'_, '_>,
    finish: &PostProcess,
    file: Item,
) -> Result<Item, Refusal> {
    if !finish.claims() {
        return Ok(file);
    }
    let part = finish.part();
    let claims = |file: &Item| -> Result<(bool, bool), Refusal> {
        let about = work.about(file)?;
        let number = |name: &str| about.get(name).and_then(Value::as_u64);
        let level = about.get(PDF_A_CONFORMANCE).and_then(Value::as_str);
        // Levels A and U include level B (ISO 19005-2, 5.2).
        let is_level = matches!(level, Some("A" | "B" | "U"));
        let is_archive = is_level && number(PDF_A_PART) == part;
        Ok((
            part.is_none() || is_archive,
            !finish.pdfua || number(PDF_UA_PART) == Some(1),
        ))
    };
    let (is_archive, is_accessible) = claims(&file)?;
    if is_archive && is_accessible {
        return Ok(file);
    }
    // If only PDF/UA is violated, the file is refused, because repairs are possible for PDF/A only.
    if is_archive {
        return Err(Refusal::bad(UNSUPPORTED));
    }
    let mended = finish.archival(work, &file)?;
    match claims(&mended)? {
        (true, true) => Ok(mended),
        _ => Err(Refusal::bad(UNSUPPORTED)),
    }
}
