//! The program that tests start.

use std::path::PathBuf;

/// The program that the variable `CONVERTD_BIN` names, such as the static one that `make test` links. Without the
/// variable, the program that cargo has built for the tests.
pub(crate) fn program() -> PathBuf {
    let built = env!("CARGO_BIN_EXE_convertd").into();
    std::env::var_os("CONVERTD_BIN").map_or(built, PathBuf::from)
}
