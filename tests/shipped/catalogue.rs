//! Formats, pairs and options, as the service lists them. Contains no list itself.

use crate::harness::Server;
use serde_json::Value;
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// A format, as `/formats` describes it.
pub(crate) struct Format {
    pub(crate) name: String,
    pub(crate) media_type: String,
    pub(crate) targets: Vec<String>,
    pub(crate) sources: Vec<String>,
    pub(crate) options: Vec<Choice>,
}

impl Format {
    /// The field that makes pictures small, so that no encoder takes long. Empty if the target has no width.
    pub(crate) fn small(&self, from: &str) -> String {
        let mut widths = self.options.iter().filter(|option| option.name == "width");
        let width = widths.find(|option| option.applies_to(from));
        let field = |width: &Choice| format!("&width={}", width.minimum.unwrap_or(0).max(16));
        width.map(field).unwrap_or_default()
    }
}

/// An option of a target format.
pub(crate) struct Choice {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) minimum: Option<u64>,
    pub(crate) maximum: Option<u64>,
    pub(crate) values: Vec<String>,
    /// Source formats to which the option applies. The list is empty if the option applies to all.
    pub(crate) from: Vec<String>,
}

impl Choice {
    pub(crate) fn applies_to(&self, from: &str) -> bool {
        self.from.is_empty() || self.from.iter().any(|name| name == from)
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(text).collect()
}

fn choice(value: &Value) -> Choice {
    Choice {
        name: text(&value["name"]),
        kind: text(&value["type"]),
        minimum: value["minimum"].as_u64(),
        maximum: value["maximum"].as_u64(),
        values: texts(&value["values"]),
        from: texts(&value["from"]),
    }
}

/// All formats.
pub(crate) fn formats(server: &Server) -> Vec<Format> {
    let answer = server.get("/api/v1/formats").json();
    let entries = answer["data"]["formats"].as_array().unwrap();
    let format = |entry: &Value| Format {
        name: text(&entry["format"]),
        media_type: text(&entry["media_type"]),
        targets: texts(&entry["can_convert_to"]),
        sources: texts(&entry["can_convert_from"]),
        options: entry["options"]
            .as_array()
            .into_iter()
            .flatten()
            .map(choice)
            .collect(),
    };
    let formats: Vec<_> = entries.iter().map(format).collect();
    assert!(!formats.is_empty());
    formats
}

/// The format of this name.
#[track_caller]
pub(crate) fn named<'f>(formats: &'f [Format], name: &str) -> &'f Format {
    let found = formats.iter().find(|format| format.name == name);
    found.unwrap_or_else(|| panic!("there is no format {name}"))
}

/// Runs `work` on all items in a few threads, each of which has a state of its own. Returns all faults.
pub(crate) fn on_threads<T: Sync, S>(
    all: &[T],
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> Result<(), String> + Sync,
) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let threads = 2 * thread::available_parallelism().map_or(1, usize::from);
    let run = || {
        let (mut state, mut wrong) = (state(), Vec::new());
        while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(what) = work(&mut state, one) {
                eprintln!("{what}");
                wrong.push(what);
            }
        }
        wrong
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.min(16)).map(|_| scope.spawn(run)).collect();
        let found = workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap());
        found.collect()
    })
}

/// Fails if there are faults, and prints at most 200 of them.
#[track_caller]
pub(crate) fn nothing_is(wrong: &[String], of: usize) {
    let some: Vec<_> = wrong.iter().take(200).collect();
    assert!(wrong.is_empty(), "{} of {of}: {some:#?}", wrong.len());
}
