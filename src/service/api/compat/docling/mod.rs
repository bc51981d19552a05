//! Answers clients of docling-serve 1: a file becomes Markdown, HTML or text inside JSON. Fetches nothing: a source
//! that is a URL is refused.

mod options;
pub(super) mod route;

use super::{
    detail::{failed, json_of, refused},
    detect::{self, File},
    form,
    item::Item,
    pages,
    work::{self, Work, client_of},
};
use crate::{
    api::{file_name, plain_body, state::Api},
    error::{Error, Kind, Result},
    http::{Body, Head, Request, Response, Status},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use options::Options;
use route::Route;
use serde_json::{Map, Value, json};
use std::{io::Write as _, net::IpAddr, time::Instant};

/// Room for the JSON around the base64, in bytes.
const JSON_ROOM: u64 = 64 << 10;

/// Answers or refuses a request by its head alone. `None` if its body must be read.
pub(super) fn admit(api: &Api, head: &Head, route: Route) -> Option<Response> {
    if !route.allows(head.method) {
        let status = Status::METHOD_NOT_ALLOWED;
        return Some(refused(status, status.reason()));
    }
    match route {
        Route::Health => Some(health(api)),
        Route::Nothing => {
            let text = "there is no such path; use /v1/convert/file or /v1/convert/source";
            Some(refused(Status::NOT_FOUND, text))
        }
        Route::File | Route::Source => {
            let error = work::refuse_upload(api, head).err()?;
            Some(failed(&error, &head.request_id))
        }
    }
}

fn health(api: &Api) -> Response {
    match api.store.reachable() {
        Ok(()) => json_of(Status::OK, &json!({ "status": "ok" })),
        Err(_) => refused(Status::SERVICE_UNAVAILABLE, "the store cannot be reached"),
    }
}

pub(super) fn answer(api: &Api, request: Request<'_, '_>, route: Route) -> Response {
    let head = request.head;
    respond(api, request, route).unwrap_or_else(|error| failed(&error, &head.request_id))
}

/// Handles a request: receives the file, converts it, and answers with docling's JSON.
fn respond(api: &Api, request: Request<'_, '_>, route: Route) -> Result<Response> {
    let Request { head, peer, body } = request;
    let client = client_of(api, head, peer);
    // The client's turn lasts until the answer is complete.
    let _turn = api.fairness.enter(client)?;
    let (item, options) = match route {
        Route::Source => of_json(api, head, client, body)?,
        Route::File | Route::Health | Route::Nothing => of_form(api, head, client, body)?,
    };
    let begun = Instant::now();
    let work = Work::new(api, client, body);
    let file = detect::detect(&item, head)?;
    let mut document = content(&work, &file, &options)?;
    document.insert("filename".into(), item.name.as_str().into());
    let answer = json!({
        "document": document,
        "status": match options.unmade.is_empty() { true => "success", false => "partial_success" },
        "errors": options.unmade.iter().map(|name| json!({
            "component_type": "user_input",
            "module_name": "convertd",
            "error_message": format!("the format {name} is not supported; use md, html or text"),
        })).collect::<Vec<_>>(),
        "processing_time": begun.elapsed().as_secs_f64(),
        "timings": {},
    });
    Ok(json_of(Status::OK, &answer))
}

/// The file and the fields of a form.
fn of_form(
    api: &Api,
    head: &Head,
    client: Option<IpAddr>,
    body: &mut Body<'_>,
) -> Result<(Item, Options)> {
    let received = form::receive(api, head, client, &mut *body, |_| false);
    let mut sent = received.map_err(|error| form::failed(api, body, error))?;
    let mut options = Options::default();
    for (name, value) in &sent.fields {
        options.set(name, value);
    }
    match sent.files.len() {
        1 => Ok((sent.files.swap_remove(0).item, options)),
        0 => Err(Error::new(
            Kind::BadInput,
            "the form has no file in the field files",
        )),
        count => {
            let text = format!("the form has {count} files; send each in a request of its own");
            Err(Error::new(Kind::BadInput, text))
        }
    }
}

/// The file and the options in a JSON body.
fn of_json(
    api: &Api,
    head: &Head,
    client: Option<IpAddr>,
    body: &mut Body<'_>,
) -> Result<(Item, Options)> {
    // The JSON is stored before it is parsed, as every upload is.
    let mut spool = work::upload(api, head, client)?;
    let most = api.max_upload / 3 * 4 + JSON_ROOM;
    plain_body::store(
        &mut *body,
        &mut spool,
        most.min(Api::max_body(api.max_upload)),
    )
    .map_err(|error| form::failed(api, body, error))?;
    let sent = Item::uploaded(String::new(), spool)?;
    let text = sent.bytes(most)?;
    let request = options::Request::read(&text)?;
    let bytes = STANDARD
        .decode(request.base64.trim())
        .map_err(|_| Error::new(Kind::BadInput, "base64_string is not valid base64"))?;
    drop(text);
    let mut spool = work::upload(api, head, client)?;
    spool
        .write_all(&bytes)
        .map_err(|err| Error::storage("the upload could not be stored", err))?;
    let item = Item::uploaded(file_name::sanitise(&request.name), spool)?;
    Ok((item, request.options))
}

/// The content in each requested format.
fn content(work: &Work<'_, '_>, file: &File, options: &Options) -> Result<Map<String, Value>> {
    let mut document = Map::new();
    for (name, member, target) in [
        ("md", "md_content", "md"),
        ("html", "html_content", "html"),
        ("text", "text_content", "txt"),
    ] {
        let is_wanted = options.formats.iter().any(|format| format == name);
        let text = match is_wanted {
            false => None,
            true if target == "md" => {
                let pages = pages::markdown(work, file)?;
                let texts: Vec<String> = pages.into_iter().map(|page| page.text).collect();
                Some(options.placed(&texts.join(options.page_break())))
            }
            true => pages::whole(work, file, target)?,
        };
        document.insert(member.into(), text.into());
    }
    document.insert("json_content".into(), Value::Null);
    document.insert("doctags_content".into(), Value::Null);
    Ok(document)
}
