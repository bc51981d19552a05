//! Code that the tests of presentations share: conversion in memory. Contains no test.

use convertd::{
    error::Result,
    job::{Notes, Quality, Unlimited},
};

#[path = "../support/conversion.rs"]
mod conversion;
#[path = "../support/growth.rs"]
mod growth;

pub(crate) use growth::is_linear;

/// Converts with optional fields. Also returns the notes.
pub(crate) fn convert_with(
    name: &str,
    bytes: &[u8],
    to: &str,
    fields: &[(&str, &str)],
) -> Result<(Vec<u8>, Notes)> {
    conversion::run(&Unlimited, (name, bytes), to, Quality::Medium, fields, 0)
}

/// Converts to a text format.
pub(crate) fn text_of(name: &str, bytes: &[u8], to: &str) -> Result<String> {
    let (result, _) = convert_with(name, bytes, to, &[])?;
    Ok(String::from_utf8(result).unwrap())
}

/// Converts to text with a memory budget in bytes, and with a limit on the number of steps.
pub(crate) fn within(memory: u64, steps: u64, name: &str, bytes: &[u8]) -> Result<Vec<u8>> {
    let gate = conversion::Narrow::new(memory, steps);
    let made = conversion::run(&gate, (name, bytes), "txt", Quality::Medium, &[], 0);
    made.map(|(bytes, _)| bytes)
}
