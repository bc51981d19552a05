//! The external loader of Open WebUI: the client sends a file to `/process`, and gets its text as JSON, whole or page
//! by page. Keeps nothing.

pub(super) mod route;

use super::{
    detail::{failed, json_of, refused},
    detect::{self, File},
    form,
    item::Item,
    pages::{self, Page},
    work::{self, Work, client_of},
};
use crate::{
    api::{file_name, plain_body, query::percent_decode, state::Api},
    error::Result,
    http::{Head, Request, Response, Status},
};
use route::Route;
use serde_json::{Map, Value, json};

/// Message that makes the client fall back to another loader.
const NO_TEXT: &str = "No extractable text";

/// Refuses a request that its head alone rules out. `None` if its body must be read.
pub(super) fn admit(api: &Api, head: &Head, route: Route) -> Option<Response> {
    if !route.allows(head.method) {
        let status = Status::METHOD_NOT_ALLOWED;
        return Some(refused(status, status.reason()).field("Allow", "PUT, POST"));
    }
    let error = work::refuse_upload(api, head).err()?;
    Some(failed(&error, &head.request_id))
}

pub(super) fn answer(api: &Api, request: Request<'_, '_>) -> Response {
    let head = request.head;
    respond(api, request).unwrap_or_else(|error| failed(&error, &head.request_id))
}

/// Handles a request: receives the file, and answers with its text as Markdown and its metadata.
fn respond(api: &Api, request: Request<'_, '_>) -> Result<Response> {
    let Request { head, peer, body } = request;
    let client = client_of(api, head, peer);
    // The request counts towards the client's limit until the answer is complete.
    let _turn = api.fairness.enter(client)?;
    let mut spool = work::upload(api, head, client)?;
    plain_body::store(&mut *body, &mut spool, api.max_upload)
        .map_err(|error| form::failed(api, body, error))?;
    let name = head.field("x-filename").map(percent_decode);
    let name = name.map(|name| file_name::sanitise(&name));
    let item = Item::uploaded(name.unwrap_or_default(), spool)?;
    let work = Work::new(api, client, body);
    let file = detect::detect(&item, head)?;
    let pages = pages::markdown(&work, &file)?;
    let about = about(&work, &file)?;
    let documents: Vec<Value> = pages
        .into_iter()
        .filter(|page| !page.text.trim().is_empty())
        .map(|page| document(page, &about))
        .collect();
    if documents.is_empty() {
        return Ok(refused(Status::UNPROCESSABLE, NO_TEXT));
    }
    // A text that is not divided into pages is answered as one object, pages as a list.
    let is_whole = documents.len() == 1 && documents[0]["metadata"].get("page").is_none();
    Ok(match is_whole {
        true => json_of(Status::OK, &documents[0]),
        false => json_of(Status::OK, &Value::Array(documents)),
    })
}

/// Returns the metadata of the file, which every page repeats: its name and type, its title and its authors.
fn about(work: &Work<'_, '_>, file: &File) -> Result<Map<String, Value>> {
    let mut about = Map::new();
    if let Some(name) = &file.name {
        about.insert("source".into(), name.as_str().into());
    }
    about.insert("content_type".into(), file.media_type.into());
    let metadata = work.about(&file.item)?;
    for (name, known) in [("title", "dc:title"), ("author", "dc:creator")] {
        if let Some(value) = metadata.get(known).or_else(|| metadata.get(name)) {
            about.insert(name.into(), value.clone());
        }
    }
    Ok(about)
}

/// Returns the JSON of a page, with the metadata of the file.
fn document(page: Page, about: &Map<String, Value>) -> Value {
    let mut metadata = about.clone();
    if let Some(number) = page.number {
        metadata.insert("page".into(), number.into());
    }
    if let Some(name) = page.name {
        metadata.insert("file".into(), name.into());
    }
    json!({ "page_content": page.text, "metadata": metadata })
}
