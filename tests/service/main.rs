//! The service as its users meet it: a real process, real sockets, every rule of the interface. Looks at nothing
//! inside the program.

#![allow(clippy::unwrap_used)]

mod contract;
mod harness;
mod hostile;
