//! Formulas as Word has them (ECMA-376 part 1, 22.1: Office Math Markup Language).

mod read;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;
