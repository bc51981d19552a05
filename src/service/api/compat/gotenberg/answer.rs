//! A successful answer: a PDF, or an archive of several PDFs. The client may choose the name of the result.

use super::refusal::Refusal;
use crate::{
    api::{
        compat::{item::Item, work::Work},
        file_name,
    },
    format::ARCHIVE_MEDIA_TYPE,
    http::{Head, Response, Status},
    id::ConversionId,
};

/// Header field with the name of the result, without an extension.
const NAME: &str = "gotenberg-output-filename";

/// Returns the name that the client wants, without an extension.
pub(super) fn wanted(head: &Head) -> Option<String> {
    let name = head.field(NAME).map(str::trim);
    name.filter(|name| !name.is_empty())
        .map(file_name::sanitise)
}

/// The results of a route.
pub(super) struct Reply {
    results: Vec<Item>,
    /// Names of fields that had no effect.
    pub(super) idle: Vec<&'static str>,
}

impl Reply {
    pub(super) fn of(results: Vec<Item>, idle: Vec<&'static str>) -> Self {
        Self { results, idle }
    }

    /// Makes the answer: one PDF, or a ZIP archive of several.
    pub(super) fn answer(self, work: &Work<'_, '_>, head: &Head) -> Result<Response, Refusal> {
        let (item, media_type, extension) = match &self.results[..] {
            [one] => (one.clone(), "application/pdf", "pdf"),
            several => {
                let named: Vec<_> = several
                    .iter()
                    .map(|item| (item.name.clone(), item))
                    .collect();
                (work.pack(&named)?, ARCHIVE_MEDIA_TYPE, "zip")
            }
        };
        let name = match wanted(head) {
            None => ConversionId::random()?.to_string(),
            Some(name) => name,
        };
        let name = format!("{name}.{extension}");
        Ok(Response::new(Status::OK)
            .field("Content-Type", media_type)
            .field("Content-Disposition", file_name::attachment(&name))
            .field("Cache-Control", "no-store")
            .field("X-Content-Type-Options", "nosniff")
            .payload(item.payload()?))
    }
}
