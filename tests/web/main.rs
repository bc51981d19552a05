//! What is at `/`: the page, as browsers meet it, and what shells and proxies do. Looks at nothing inside the program.

#![allow(clippy::unwrap_used)]

mod answers;
mod browser;
mod manual;

/// The harness of the tests of the service.
#[path = "../service"]
mod service {
    pub(crate) mod harness;
}

#[path = "../support/tools.rs"]
mod tools;

use service::harness;
