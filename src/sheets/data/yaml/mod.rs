//! Data in YAML (1.2.2), read by `saphyr-parser`, whose events become values here. Plain scalars mean what the core schema (10.3) says;
//! what version 1.1 takes for something else is written in quotation marks.

mod read;
mod scalar;
mod write;

pub(super) use read::read;
pub(crate) use write::{item, write};
