//! The endpoints of the API, with a row for each: path, methods, access rule, handler and description. The rows of
//! drop-in services are in their own modules.

use super::{
    auth, bundle, contents, convert, download,
    endpoint::{Call, Dispatch, Endpoint, Interface, Lock, Operation},
    envelope, formats, health, manual,
    openapi::{self, operations as describe},
    page, plain_form,
    state::Api,
    static_files, status,
};
use crate::{
    http::{Head, Method, Response},
    manual::chapter,
};
use serde_json::Value;

/// The API.
pub(super) static API: Interface = Interface {
    label: None,
    endpoints: ENDPOINTS,
    refuse: |_, status, reason| envelope::error(status, reason.to_owned()),
};

/// All endpoints of the API.
pub(super) static ENDPOINTS: &[Endpoint] = &[
    Endpoint {
        template: "/",
        has: str::is_empty,
        operations: &[
            Operation::open(Method::Get, Dispatch::AtOnce(page::answer)),
            Operation {
                method: Method::Post,
                lock: Some(Lock {
                    admits: has_key,
                    refuse: plain_form::locked,
                }),
                work: Dispatch::Upload {
                    admit: plain_form::admit,
                    answer: plain_form::answer,
                },
                describe: None,
            },
        ],
    },
    Endpoint {
        template: "/web/{name}",
        has: |name| static_files::asset_name(name).is_some(),
        operations: &[Operation::open(Method::Get, Dispatch::AtOnce(page::asset))],
    },
    Endpoint {
        template: "/manual",
        has: str::is_empty,
        operations: &[Operation::open(
            Method::Get,
            Dispatch::Quick(|api, call, _| manual::answer(api, call)),
        )],
    },
    // People who look for a description of an API try this path. Links in the page are relative, and lead to the
    // manual.
    Endpoint {
        template: "/docs",
        has: str::is_empty,
        operations: &[Operation::open(
            Method::Get,
            Dispatch::Quick(|api, call, _| manual::answer(api, call)),
        )],
    },
    Endpoint {
        template: "/manual/{chapter}",
        has: |name| chapter(name).is_some(),
        operations: &[Operation::open(
            Method::Get,
            Dispatch::Quick(|api, call, _| manual::answer(api, call)),
        )],
    },
    Endpoint {
        template: "/api/v1",
        has: |rest| matches!(rest, "" | "/"),
        operations: &[Operation::open(
            Method::Get,
            Dispatch::AtOnce(|api, call| contents::answer(api, call, ENDPOINTS)),
        )],
    },
    Endpoint {
        template: "/api/v1/health",
        has: str::is_empty,
        operations: &[Operation {
            method: Method::Get,
            lock: None,
            work: Dispatch::AtOnce(|api, _| health::answer(&api.health, &api.store, &api.engine)),
            describe: Some(describe::health),
        }],
    },
    Endpoint {
        template: "/healthz",
        has: str::is_empty,
        operations: &[Operation::open(
            Method::Get,
            Dispatch::AtOnce(|_, _| health::alive()),
        )],
    },
    Endpoint {
        template: "/readyz",
        has: str::is_empty,
        operations: &[Operation::open(
            Method::Get,
            Dispatch::AtOnce(|api, _| health::ready(&api.health, &api.store, &api.engine)),
        )],
    },
    Endpoint {
        template: "/api/v1/formats",
        has: str::is_empty,
        operations: &[keyed(
            Method::Get,
            Dispatch::Known {
                wait: |_, _| Ok(None),
                known: formats::known,
                answer: formats::answer,
            },
            describe::formats,
        )],
    },
    Endpoint {
        template: "/api/v1/convert",
        has: str::is_empty,
        operations: &[
            keyed(
                Method::Post,
                Dispatch::Upload {
                    admit: convert::admit,
                    answer: convert::answer,
                },
                describe::convert,
            ),
            keyed(
                Method::Put,
                Dispatch::Upload {
                    admit: convert::admit_file,
                    answer: convert::answer,
                },
                describe::convert_bare,
            ),
        ],
    },
    Endpoint {
        template: "/api/v1/bundle",
        has: str::is_empty,
        operations: &[keyed(
            Method::Post,
            Dispatch::Upload {
                admit: bundle::admit,
                answer: bundle::answer,
            },
            describe::bundle,
        )],
    },
    Endpoint {
        template: "/api/v1/download/{conversion_id}",
        has: is_segment,
        operations: &[
            keyed(
                Method::Get,
                Dispatch::Quick(|api, call, _| download::answer(api, call)),
                describe::download,
            ),
            keyed(
                Method::Delete,
                Dispatch::Quick(|api, call, _| download::delete(api, call)),
                describe::delete,
            ),
        ],
    },
    Endpoint {
        template: "/api/v1/status/{conversion_id}",
        has: is_segment,
        operations: &[keyed(
            Method::Get,
            Dispatch::Known {
                wait: status::wait,
                known: status::known,
                answer: status::answer,
            },
            describe::status,
        )],
    },
    Endpoint {
        template: "/api/v1/openapi.json",
        has: str::is_empty,
        operations: &[keyed(
            Method::Get,
            Dispatch::Quick(|api, call, _| description(api, call)),
            describe::openapi,
        )],
    },
    METRICS,
];

/// The metrics. A separate listener may serve this endpoint instead.
pub(super) const METRICS: Endpoint = Endpoint {
    template: "/metrics",
    has: str::is_empty,
    operations: &[keyed(
        Method::Get,
        Dispatch::Quick(|api, _, _| api.metrics.answer()),
        describe::metrics,
    )],
};

/// An operation for programs, which need an API key if keys are set.
const fn keyed(method: Method, work: Dispatch, describe: fn() -> Value) -> Operation {
    Operation {
        method,
        lock: Some(Lock {
            admits: has_key,
            refuse: |_, _| auth::challenge(),
        }),
        work,
        describe: Some(describe),
    }
}

fn has_key(api: &Api, head: &Head) -> bool {
    auth::admits(&api.keys, head)
}

fn is_segment(text: &str) -> bool {
    !text.contains('/')
}

fn description(api: &Api, call: &Call<'_>) -> Response {
    openapi::answer(ENDPOINTS, &call.prefix(api))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_their_endpoints() {
        #[track_caller]
        fn check(path: &str, expected: Option<(&str, &str)>) {
            let found = API
                .find(path)
                .map(|(endpoint, rest)| (endpoint.template, rest));
            assert_eq!(found, expected, "{path}");
        }
        let (status, download) = (
            "/api/v1/status/{conversion_id}",
            "/api/v1/download/{conversion_id}",
        );
        check("/api/v1", Some(("/api/v1", "")));
        check("/api/v1/", Some(("/api/v1", "/")));
        check("/docs", Some(("/docs", "")));
        check("/api/v1/health", Some(("/api/v1/health", "")));
        check("/api/v1/convert", Some(("/api/v1/convert", "")));
        check("/api/v1/bundle", Some(("/api/v1/bundle", "")));
        check("/api/v1/status/a5f0c1de", Some((status, "a5f0c1de")));
        check("/api/v1/status/", Some((status, "")));
        check("/api/v1/download/%2e%2E", Some((download, "%2e%2E")));
        check("/api/v1/download/../x", None);
        check("/api/v1/status", None);
        check("/api/v1/health/", None);
        check("/api/v2/health", None);
        check("/", Some(("/", "")));
        check("/web/page.js", Some(("/web/{name}", "page.js")));
        check("/manual", Some(("/manual", "")));
        check("/manual/limits", Some(("/manual/{chapter}", "limits")));
        check("/manual/", None);
        check("/manual/limits.md", None);
        check("/web/../page.js", None);
        check("/web/", None);
        check("/index.html", None);
        check("*", None);
    }

    #[test]
    fn endpoints_say_what_can_be_done() {
        #[track_caller]
        fn check(path: &str, allowed: &str) {
            assert_eq!(API.find(path).unwrap().0.allowed(), allowed);
        }
        check("/api/v1/download/x", "GET, HEAD, DELETE, OPTIONS");
        check("/api/v1/status/x", "GET, HEAD, OPTIONS");
        check("/api/v1/convert", "POST, PUT, OPTIONS");
    }
}
