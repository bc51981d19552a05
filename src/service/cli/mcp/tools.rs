//! The two tools: `convert`, for files below the roots, and `formats`. Does not read or write messages of the protocol.

use super::{protocol::Fault, roots::Roots};
use crate::{
    cli::{convert, error_text, formats, work::Wanted},
    config::Config,
    error::{Error, Kind, Result},
    format::{self, Format},
    registry,
};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Limit on a text that is returned as an answer, in bytes. A longer one would fill the context of a model.
const LONGEST_TEXT: u64 = 256 << 10;

/// Result of a tool.
pub(super) enum ToolResult {
    Texts(Vec<String>),
    /// Reason of a failure, for the model to read.
    Failed(String),
}

/// The tools, with the folders and the configuration that they use.
pub(super) struct Tools {
    roots: Roots,
    config: Config,
}

impl Tools {
    pub(super) fn new(roots: Roots, config: Config) -> Self {
        Self { roots, config }
    }

    /// Introduction for a model.
    pub(super) fn instructions(&self) -> String {
        format!(
            "Converts files between formats of documents, sheets, slides, pictures, sound, mail and archives. Reads and writes files only below {}; \
             a relative path begins at the first of these folders. To read a document, convert it to md and leave out output.",
            self.roots.names()
        )
    }

    /// Descriptions of the tools, with JSON schemas of their arguments.
    pub(super) fn list(&self) -> Value {
        let text = |description: &str| json!({"type": "string", "description": description});
        json!([
            {
                "name": "convert",
                "title": "Convert a file",
                "description": "Converts a file to another format. Writes the result to output. Without output, a result that is a text is the answer, and any other becomes a file beside the original. The answer states the path of the result, and notes on what was lost.",
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "path": text("file to convert"),
                        "target": text("format of the result, such as pdf, docx, md, txt, png, csv or mp3"),
                        "output": text("file to write; by default a text is the answer, and anything else a file beside the original"),
                        "quality": {"type": "string", "enum": ["low", "medium", "high"]},
                        "options": {
                            "type": "object",
                            "description": "options of the conversion by name, as the tool formats lists them",
                            "additionalProperties": {"type": ["string", "number", "boolean"]},
                        },
                        "overwrite": {"type": "boolean", "description": "whether output may be replaced", "default": false},
                    },
                    "required": ["path", "target"],
                },
                "annotations": {"readOnlyHint": false, "destructiveHint": true, "idempotentHint": true, "openWorldHint": false},
            },
            {
                "name": "formats",
                "title": "List formats",
                "description": "Lists all formats; or the targets of one format, with their options; or the options of one conversion.",
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "format": text("a format, such as docx"),
                        "target": text("a format of its results, such as pdf"),
                    },
                },
                "annotations": {"readOnlyHint": true, "openWorldHint": false},
            },
        ])
    }

    /// Calls a tool.
    ///
    /// Errors: there is no such tool, or an argument is missing or of another type.
    pub(super) fn call(
        &self,
        name: &str,
        arguments: &Map<String, Value>,
    ) -> Result<ToolResult, Fault> {
        let result = match name {
            "convert" => self.convert(&Call::new(arguments)?),
            "formats" => {
                let name = |key: &str| text(arguments, key);
                formats::text(name("format")?, name("target")?).map(|text| vec![text])
            }
            _ => {
                return Err(Fault::parameters(format!("there is no tool {name:?}")));
            }
        };
        Ok(match result {
            Ok(texts) => ToolResult::Texts(texts),
            Err(error) => ToolResult::Failed(error_text(&error)),
        })
    }

    /// Converts a file. If the call names no output, the converted text is the answer itself; any other
    /// result becomes a file.
    fn convert(&self, call: &Call<'_>) -> Result<Vec<String>> {
        let input = self.roots.readable(call.path)?;
        let target = format::normalise(call.target);
        let format = registry::by_name(&target);
        let beside = input.with_extension(&target);
        let output = match call.output {
            Some(output) => self.roots.writable(output)?,
            None if format.is_some_and(is_text) => {
                let made =
                    convert::text_of(&input, &target, call.wanted(), &self.config, LONGEST_TEXT)?;
                return Ok(with_notes(made.text, made.notes));
            }
            None => self.roots.writable(&beside.to_string_lossy())?,
        };
        if output == input {
            let text = "the result would replace the file itself; name another output";
            return Err(Error::new(Kind::BadInput, text));
        }
        let (outputs, size, notes) = convert::file(
            (&input, &output),
            &target,
            call.wanted(),
            &self.config,
            call.overwrites,
        )?;
        let list = |outputs: &[PathBuf]| {
            let names: Vec<_> = outputs.iter().map(|it| it.display().to_string()).collect();
            names.join("\n")
        };
        Ok(with_notes(
            format!("{}\n{size} bytes", list(&outputs)),
            notes,
        ))
    }
}

/// The answer, followed by the notes of the conversion as a second text, if it has any.
fn with_notes(text: String, notes: Vec<String>) -> Vec<String> {
    let notes = (!notes.is_empty()).then(|| format!("Notes:\n{}", notes.join("\n")));
    [Some(text), notes].into_iter().flatten().collect()
}

/// Returns whether a result of this format can be an answer.
fn is_text(format: &Format) -> bool {
    let media_type = format.media_type;
    media_type.starts_with("text/")
        || ["json", "jsonl", "yaml", "toml", "xml"]
            .iter()
            .any(|end| media_type.ends_with(end))
}

/// Arguments of `convert`.
struct Call<'a> {
    path: &'a str,
    target: &'a str,
    output: Option<&'a str>,
    quality: Option<&'a str>,
    options: Vec<(String, String)>,
    overwrites: bool,
}

impl<'a> Call<'a> {
    fn new(arguments: &'a Map<String, Value>) -> Result<Self, Fault> {
        let needed = |key: &str| {
            text(arguments, key)?
                .ok_or_else(|| Fault::parameters(format!("the argument {key} is missing")))
        };
        let wrong =
            |key: &str, kind: &str| Fault::parameters(format!("the argument {key} must be {kind}"));
        let options = match arguments.get("options") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Object(options)) => options
                .iter()
                .map(|(name, value)| {
                    let value = match value {
                        Value::String(text) => text.clone(),
                        Value::Bool(_) | Value::Number(_) => value.to_string(),
                        _ => {
                            return Err(wrong(
                                "options",
                                "an object of texts, numbers and booleans",
                            ));
                        }
                    };
                    Ok((name.clone(), value))
                })
                .collect::<Result<_, _>>()?,
            Some(_) => return Err(wrong("options", "an object")),
        };
        let overwrites = match arguments.get("overwrite") {
            None | Some(Value::Null) => false,
            Some(Value::Bool(is)) => *is,
            Some(_) => return Err(wrong("overwrite", "a boolean")),
        };
        Ok(Self {
            path: needed("path")?,
            target: needed("target")?,
            output: text(arguments, "output")?,
            quality: text(arguments, "quality")?,
            options,
            overwrites,
        })
    }

    fn wanted(&self) -> Wanted {
        Wanted::of(self.quality.map(str::to_owned), self.options.clone())
    }
}

/// A text among the arguments; `None` if it is absent or null.
fn text<'a>(arguments: &'a Map<String, Value>, key: &str) -> Result<Option<&'a str>, Fault> {
    match arguments.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Fault::parameters(format!(
            "the argument {key} must be a text"
        ))),
    }
}
