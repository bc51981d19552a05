//! Drop-in answers for existing clients of other services: Gotenberg, Tika, docling, Open WebUI's loader and Azure's
//! Read model. Off unless the operator names them. The engine, limits, fairness, keys and log are those of the API.
//! Results are streamed in the answer. Only results of Azure's Read model are stored.

#[cfg(feature = "ocr")]
mod azure;
mod base64_json;
mod detail;
mod detect;
mod docling;
mod form;
mod gotenberg;
mod gunzip;
mod json_text;
mod openwebui;
mod pages;
pub(super) mod route;
mod tika;
mod work;

use super::{archive, auth, item, state::Api};
pub use route::Compat;
pub(super) use route::{LABELS, Route};

use crate::http::{Admission, Head, Refusal, Request, Response, Status};

/// Decides about a request by its head alone.
pub(super) fn admit(api: &Api, head: &Head, route: Route) -> Admission {
    let (is_open, answer) = match route {
        #[cfg(feature = "ocr")]
        Route::Azure(route) => return azure::admit(api, head, route),
        Route::Docling(route) => (
            route == docling::route::Route::Health,
            docling::admit(api, head, route),
        ),
        Route::Gotenberg(route) => (route.is_open(), gotenberg::admit(api, head, route)),
        Route::OpenWebUi(route) => (false, openwebui::admit(api, head, route)),
        Route::Tika(route) => (false, tika::admit(api, head, route)),
    };
    if !is_open && !auth::admits(&api.keys, head) && !auth::admits_basic(&api.keys, head) {
        let status = Status::UNAUTHORIZED;
        let response = refused(head, route, status, status.reason());
        return Admission::Answer(response.field("WWW-Authenticate", "Basic realm=\"convertd\""));
    }
    answer.map_or(Admission::Upload, Admission::Answer)
}

/// Passes a request to the drop-in service that its path belongs to.
pub(super) fn answer(api: &Api, request: Request<'_, '_>, route: Route) -> Response {
    match route {
        #[cfg(feature = "ocr")]
        Route::Azure(route) => azure::answer(api, request, route),
        Route::Gotenberg(gotenberg::route::Route::Form(form)) => {
            gotenberg::answer(api, request, form)
        }
        Route::Docling(route) => docling::answer(api, request, route),
        Route::OpenWebUi(_) => openwebui::answer(api, request),
        Route::Tika(route) => tika::answer(api, request, route),
        Route::Gotenberg(_) => refused(request.head, route, Status::NOT_FOUND, "Not Found"),
    }
}

/// Returns the answer to a request that the HTTP server refuses, in the form of the drop-in service.
pub(super) fn refuse(head: &Head, route: Route, refusal: &Refusal) -> Response {
    refused(head, route, refusal.status, &refusal.detail)
}

fn refused(head: &Head, route: Route, status: Status, text: &str) -> Response {
    match route {
        #[cfg(feature = "ocr")]
        Route::Azure(_) => azure::refused(status, text),
        Route::Gotenberg(_) => gotenberg::refused(head, status, text),
        Route::Docling(_) | Route::OpenWebUi(_) => detail::refused(status, text),
        Route::Tika(_) => tika::refused(status, text),
    }
}
