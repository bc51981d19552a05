//! Formulas.

pub(crate) mod omml;
