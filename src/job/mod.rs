//! The words of a conversion: the job, its options, what it may spend, what it has to say. Runs nothing itself.

mod converter;
mod gate;
mod input;
mod notes;
mod options;
mod quality;

pub use converter::{Converter, Job, Recognise};
pub use gate::{Gate, Need, Unlimited};
pub use input::{Input, Output, input_len, read_head};
pub use notes::Notes;
pub use options::{OptionSpec, Options};
pub use quality::Quality;
