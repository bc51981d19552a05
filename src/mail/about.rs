//! Metadata of a mail, and its attachments as an archive. Renders no page.

use super::convert::each;
use crate::{
    containers::zip::{Names, Packing, Writer},
    error::Result,
    job::{Input, Job, Output},
};
use serde_json::{Map, Value};

/// Returns header fields and attachment names of a mail, or of the first mail of a mailbox, and the number of mails if
/// there are several.
///
/// Errors: those of reading the file.
pub fn about(job: &Job<'_>, input: &mut dyn Input) -> Result<Map<String, Value>> {
    let mut about = Map::new();
    let (mut count, mut first) = (0, None);
    each(job, input, &mut |message| {
        count += 1;
        first.get_or_insert(message);
        Ok(())
    })?;
    if count > 1 {
        about.insert("MessageCount".into(), count.into());
    }
    let Some(message) = first else {
        return Ok(about);
    };
    let fields = [
        ("From", message.from.as_str()),
        ("To", &message.to),
        ("Cc", &message.cc),
        ("Bcc", &message.bcc),
        ("Subject", message.subject.trim()),
        ("Date", message.moment.as_deref().unwrap_or_default()),
    ];
    for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_empty()) {
        about.insert(name.into(), value.into());
    }
    let files: Vec<&str> = message.listed().map(|file| file.name.as_str()).collect();
    if !files.is_empty() {
        about.insert("Attachments".into(), files.into());
    }
    Ok(about)
}

/// Writes all attachments that are not empty into an archive, including the pictures of the body. Without such
/// attachments, it writes nothing.
///
/// Errors: those of reading the mail, and of [`Job::check`].
pub fn embedded(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Result<()> {
    let mut archive = Writer::new(job, output);
    let mut names = Names::default();
    let mut has_attachments = false;
    each(job, input, &mut |message| {
        for file in message.into_attachments() {
            job.check()?;
            if !file.bytes.is_empty() {
                has_attachments = true;
                archive.add(&names.add(&file.name), &file.bytes, Packing::Stored)?;
            }
        }
        Ok(())
    })?;
    match has_attachments {
        true => archive.finish(),
        false => Ok(()),
    }
}
