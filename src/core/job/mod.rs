//! The types that describe a conversion: its task, options and quality, its converter, its limits, and the remarks on
//! its result. Runs nothing itself.

mod companions;
mod converter;
mod damage;
mod gate;
mod in_memory;
mod input;
mod ledger;
mod max_size;
mod notes;
mod options;
mod password;
mod quality;
mod task;
pub mod testing;

pub use companions::Companions;
pub use converter::{Converter, Job, Pair, Recognise};
pub use damage::{DAMAGED, Damage};
pub use gate::too_large;
pub use gate::{Gate, Need, Progress, Unit, Unlimited};
pub use in_memory::InMemory;
pub use input::read_buffered;
pub use input::{Input, Output, input_len, read_head};
pub use ledger::{Lease, Ledger};
pub use max_size::{MAX_SIZE, NEAR};
pub use notes::{Notes, Tag};
pub use options::{OptionKind, OptionSpec, Options};
pub use password::PASSWORD;
pub use quality::Quality;
pub use task::Task;
