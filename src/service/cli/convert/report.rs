//! Reports on conversions: sentences for people on standard error, or one line of JSON for each conversion on standard
//! output. Converts nothing.

use crate::{
    cli::{
        Outcome, error_text,
        terminal::{complain, with_flags},
    },
    engine::Finished,
    error::Error,
};
use serde::Serialize;
use std::path::PathBuf;

/// Amount and form of the reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ReportStyle {
    /// Prints remarks and failures.
    #[default]
    Plain,
    /// Prints only failures.
    Quiet,
    /// Prints remarks, failures, and the result of each conversion.
    Verbose,
    /// Prints a line of JSON for each conversion.
    Json,
}

/// A finished conversion, at its final path.
pub(super) struct Made {
    pub(super) outputs: Vec<PathBuf>,
    /// Total size in bytes.
    pub(super) size: u64,
    /// Whether the output is one archive of several results.
    pub(super) is_archive: bool,
}

/// A line of JSON. Later versions may add fields, but never rename them.
#[derive(Serialize)]
struct Line<'a> {
    inputs: &'a [String],
    success: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    outputs: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl ReportStyle {
    /// Returns whether the output is for people.
    pub(super) fn is_for_people(self) -> bool {
        match self {
            Self::Plain | Self::Verbose => true,
            Self::Quiet | Self::Json => false,
        }
    }

    /// Reports a success. `names` says whether remarks name the file, because the command converts several.
    pub(super) fn made(
        self,
        inputs: &[String],
        made: &Made,
        done: &Finished,
        names: bool,
    ) -> Outcome {
        let outputs = || made.outputs.iter().map(|it| it.display().to_string());
        if self == Self::Json {
            return print(&Line {
                inputs,
                success: true,
                outputs: outputs().collect(),
                size: Some(made.size),
                seconds: Some(done.duration.as_secs_f64()),
                notes: Some(done.notes.0.iter().map(|note| with_flags(note)).collect()),
                error: None,
            });
        }
        if self.is_for_people() {
            for note in &done.notes.0 {
                match names {
                    true => complain(format_args!("{}: {note}", inputs.join(", "))),
                    false => complain(note),
                }
            }
        }
        if self == Self::Verbose {
            complain(format_args!(
                "{} became {}: {} in {:.2} s",
                inputs.join(", "),
                outputs().collect::<Vec<_>>().join(", "),
                super::many::megabytes(made.size),
                done.duration.as_secs_f64()
            ));
        }
        Ok(std::process::ExitCode::SUCCESS)
    }

    /// Reports a failure as a line of JSON. Does nothing in the other styles. The caller also prints the failure on
    /// standard error, in every style.
    pub(super) fn failed(self, inputs: &[String], error: &Error) -> Outcome {
        if self == Self::Json {
            return print(&Line {
                inputs,
                success: false,
                outputs: Vec::new(),
                size: None,
                seconds: None,
                notes: None,
                error: Some(with_flags(&error_text(error))),
            });
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
}

/// Prints a line of JSON.
fn print(line: &Line<'_>) -> Outcome {
    let line = serde_json::to_string(line)
        .map_err(|err| Error::internal("a line of JSON cannot be made", err))?;
    crate::cli::say(&format!("{line}\n"))
}
