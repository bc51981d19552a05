//! YAML (1.2.2) as data, parsed by `saphyr-parser`, whose events are turned into values here. Plain scalars have the
//! types of the core schema (10.3); a text that version 1.1 would read as another type is written in quotation marks.

mod read;
mod scalar;
mod write;

pub(super) use read::read;
pub(crate) use write::{item, write};
