//! Formulas in Office Math Markup Language (OMML), as used by Word (ECMA-376 part 1, 22.1). Contains no code of its own.

mod read;
mod write;

#[cfg(feature = "presentation")]
pub(crate) use read::formulas;
pub(crate) use read::read;
pub(crate) use write::write;
