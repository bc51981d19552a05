//! The `convertd` program.
fn main() {}
