//! Formulas in Office Math Markup Language (OMML), as used by Word (ECMA-376 part 1, 22.1). Contains no code of its
//! own.

mod read;
mod write;

pub use read::formulas;
pub use read::read;
pub use write::write;
