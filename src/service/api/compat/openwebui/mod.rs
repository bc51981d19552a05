//! The external loader of Open WebUI: the client sends a file to `/process`, and gets its text as JSON, whole or page
//! by page. Keeps nothing.

use super::{
    detail::{self, failed, json_of, refused},
    detect::{self, File},
    form,
    item::Item,
    keyed,
    pages::{self, Page},
    work::{self, Work, client_of},
};
use crate::{
    api::{
        endpoint::{Call, Dispatch, Endpoint, Interface},
        file_name, plain_body,
        query::percent_decode,
        state::Api,
    },
    error::Result,
    http::{Body, Method, Response, Status},
};
use serde_json::{Map, Value, json};

/// Message that makes the client fall back to another loader.
const NO_TEXT: &str = "No extractable text";

/// The path of the loader.
pub(super) static INTERFACE: Interface = Interface {
    label: Some("openwebui"),
    endpoints: &[Endpoint {
        template: "/process",
        has: str::is_empty,
        operations: &[keyed(Method::Put, PROCESS), keyed(Method::Post, PROCESS)],
    }],
    refuse: |_, status, reason| refused(status, reason),
};

const PROCESS: Dispatch = Dispatch::Upload {
    admit: detail::admit,
    answer,
};

fn answer(api: &Api, call: &Call<'_>, body: &mut Body<'_>) -> Response {
    respond(api, call, body).unwrap_or_else(|error| failed(&error, &call.head.request_id))
}

/// Handles a request: receives the file, and answers with its text as Markdown and its metadata.
fn respond(api: &Api, call: &Call<'_>, body: &mut Body<'_>) -> Result<Response> {
    let head = call.head;
    let client = client_of(api, head, call.peer);
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
