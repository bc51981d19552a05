//! The plan of a command: which of its paths are inputs, and where the results go. Opens nothing.
//!
//! ```text
//! convert a.jpg b.png                   one file to the given path
//! convert a.pdf b.jpg c.docx out.pdf    several files to one result
//! convert a.jpg b.jpg --to png          each result beside its input
//! convert a.jpg b.jpg --to png web/     all results into a folder
//! ```

use crate::{
    cli::{Failure, work},
    format, registry,
};
use std::path::{Path, PathBuf};

/// Inputs and outputs of a command; see the module.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// An input and its output.
    One(PathBuf, PathBuf),
    /// Inputs that become one output.
    Joined(Vec<PathBuf>, PathBuf),
    /// Inputs, each of which is converted by itself: into a directory, or beside the input.
    Each(Vec<PathBuf>, Option<PathBuf>),
}

/// The paths and options of a command line.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// The paths in their order.
    pub(super) paths: Vec<PathBuf>,
    /// Value of `--output`: the path of the result.
    pub(super) output: Option<PathBuf>,
    /// Value of `--out-dir`: the folder of the results.
    pub(super) out_dir: Option<PathBuf>,
    /// Value of `--to`: the name of the target format.
    pub(super) to: Option<String>,
}

impl Words {
    /// Decides which paths are inputs and which is the output.
    ///
    /// Errors: [`Failure::Usage`] if the paths are ambiguous.
    pub(super) fn plan(mut self) -> Result<Plan, Failure> {
        let usage = |text: String| Err(Failure::Usage(text));
        if self.out_dir.is_some() && self.output.is_some() {
            return usage(
                "--out-dir and --output exclude each other; give only one of them".into(),
            );
        }
        if self.paths.is_empty() {
            return usage("convert needs at least one input file".into());
        }
        if self.out_dir.is_none() && self.output.is_none() {
            match self.paths.last() {
                Some(last) if self.paths.len() > 1 && is_folder(last) => {
                    self.out_dir = self.paths.pop();
                }
                Some(_) | None => {}
            }
        } else if self.output.as_deref().is_some_and(is_folder) {
            self.out_dir = self.output.take();
        }
        if let Some(folder) = self.out_dir {
            if self.to.is_none() {
                return usage(format!(
                    "{} is a directory for the results; name their format with --to FORMAT",
                    folder.display()
                ));
            }
            return Ok(Plan::Each(self.paths, Some(folder)));
        }
        if self.output.is_none() && self.last_is_output() {
            self.output = self.paths.pop();
        }
        match (self.output, &self.to) {
            (Some(output), to) if self.paths.len() > 1 => {
                check_joined(&output, to.as_deref())?;
                Ok(Plan::Joined(self.paths, output))
            }
            (Some(output), _) => Ok(Plan::One(self.paths.remove(0), output)),
            (None, Some(_)) => Ok(Plan::Each(self.paths, None)),
            (None, None) => usage(
                "convert needs an output file, or the format of the result: name it with --to"
                    .into(),
            ),
        }
    }

    /// Returns whether the last path is the output. With `--to`, the last path may also be an input.
    fn last_is_output(&self) -> bool {
        let Some(last) = self.paths.last() else {
            return false;
        };
        match (&self.to, self.paths.len()) {
            (_, 1) => false,
            (None, _) => true,
            (Some(to), 2) => is_called(last, to) || !is_input(last),
            (Some(to), _) => is_called(last, to),
        }
    }
}

/// Returns whether a path is a directory, or is written like one.
fn is_folder(path: &Path) -> bool {
    path.to_string_lossy().ends_with('/') || path.is_dir()
}

/// Returns whether a path has the extension of a format.
fn is_called(path: &Path, to: &str) -> bool {
    let extension = format::extension(&path.to_string_lossy());
    let format = registry::by_name(&format::normalise(to));
    format
        .zip(extension)
        .is_some_and(|(format, extension)| format.is_called(&extension))
}

/// Returns whether a path is an existing file with the extension of a format that can be converted.
fn is_input(path: &Path) -> bool {
    let extension = format::extension(&path.to_string_lossy()).unwrap_or_default();
    let is_read = |format| registry::targets_of(format).next().is_some();
    path.is_file() && registry::by_name(&extension).is_some_and(is_read)
}

/// Checks the target of several files that become one: it must be PDF.
fn check_joined(output: &Path, to: Option<&str>) -> Result<(), Failure> {
    let written = output.display().to_string();
    let name = match to {
        Some(to) => Some(to.to_owned()),
        None => format::extension(&written),
    };
    if name.is_some_and(|name| work::is_joined(&name)) {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{written} is not a pdf: several files can be merged only into a pdf; convert each one separately with --to FORMAT --out-dir DIR"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn inputs_and_outputs_are_told_apart() {
        let id = crate::id::ConversionId::random().unwrap();
        let root = std::env::temp_dir().join(format!("convertd-plan-{id}"));
        fs::create_dir_all(root.join("folder")).unwrap();
        for name in ["a.png", "b.png", "c.any"] {
            fs::write(root.join(name), b"x").unwrap();
        }
        let at = |name: &str| match name.is_empty() || name == "-" {
            true => PathBuf::from(name),
            false => root.join(name),
        };
        let check = |paths: &str, to: Option<&str>, expected: Option<Plan>| {
            let words = Words {
                paths: paths.split_whitespace().map(at).collect(),
                to: to.map(str::to_owned),
                ..Words::default()
            };
            assert_eq!(words.plan().ok(), expected, "{paths} {to:?}");
        };
        let all = |names: &str| names.split_whitespace().map(at).collect::<Vec<_>>();
        let one = |from, to| Some(Plan::One(at(from), at(to)));
        let each = |names, place: Option<&str>| Some(Plan::Each(all(names), place.map(at)));
        check("a.png x.jpg", None, one("a.png", "x.jpg"));
        check("a.png c.any", Some("gif"), one("a.png", "c.any"));
        check("a.png new.png", Some("gif"), one("a.png", "new.png"));
        check("a.png b.png", Some("png"), one("a.png", "b.png"));
        check("a.png b.png", Some("jpg"), each("a.png b.png", None));
        check("a.png", Some("jpg"), each("a.png", None));
        check(
            "a.png b.png no.png",
            Some("jpg"),
            each("a.png b.png no.png", None),
        );
        check("a.png folder", Some("jpg"), each("a.png", Some("folder")));
        check("a.png new/", Some("jpg"), each("a.png", Some("new/")));
        check("- -", Some("jpg"), one("-", "-"));
        check("a.png -", Some("jpg"), one("a.png", "-"));
        check("a.png folder", None, None);
        check("a.png", None, None);
        check("", Some("jpg"), None);
        check("a.png b.png x.jpg", None, None);
        #[cfg(feature = "pdf")]
        for to in [None, Some("pdf")] {
            let joined = Plan::Joined(all("a.png b.png"), at("x.pdf"));
            check("a.png b.png x.pdf", to, Some(joined));
        }
        fs::remove_dir_all(root).unwrap();
    }
}
