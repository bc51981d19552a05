//! Messages of the protocol: requests, answers and errors (JSON-RPC 2.0, 4 and 5). Converts nothing.

use super::tools::{ToolResult, Tools};
use serde_json::{Map, Value, json};

/// Versions of the protocol, the newest first. They do not differ in the methods that are used here.
const VERSIONS: [&str; 3] = ["2025-06-18", "2025-03-26", "2024-11-05"];

/// The code for a message that is not JSON (JSON-RPC 2.0, 5.1, which also defines the codes below).
const PARSE_ERROR: i32 = -32700;
/// The code for JSON that is not a request.
const INVALID_REQUEST: i32 = -32600;
/// The code for an unknown method.
const METHOD_NOT_FOUND: i32 = -32601;
/// The code for parameters that the method does not accept.
const INVALID_PARAMS: i32 = -32602;

/// An answer to a request.
pub(super) struct Answer {
    id: Value,
    content: Result<Value, Fault>,
}

/// An error of the protocol, as opposed to a failure of a tool, which is a result for the model to read.
pub(super) struct Fault {
    code: i32,
    message: String,
}

impl Fault {
    fn new(code: i32, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    /// The error for parameters that a method does not accept.
    pub(super) fn parameters(message: impl Into<String>) -> Self {
        Self::new(INVALID_PARAMS, message)
    }
}

impl Answer {
    /// The refusal of a message that is too long to be read.
    pub(super) fn too_long(most: u64) -> Self {
        let text = format!("the message is longer than {most} bytes");
        Self {
            id: Value::Null,
            content: Err(Fault::new(INVALID_REQUEST, text)),
        }
    }

    /// The JSON of the answer, without a line end.
    pub(super) fn line(self) -> Vec<u8> {
        let message = match self.content {
            Ok(result) => json!({"jsonrpc": "2.0", "id": self.id, "result": result}),
            Err(Fault { code, message }) => {
                let error = json!({"code": code, "message": message});
                json!({"jsonrpc": "2.0", "id": self.id, "error": error})
            }
        };
        message.to_string().into_bytes()
    }
}

/// Answers a message. `None` for an empty line, a notification or a response, which get no answer.
pub(super) fn answer(tools: &Tools, line: &[u8]) -> Option<Answer> {
    if line.trim_ascii().is_empty() {
        return None;
    }
    let refuse = |id: Value, code, message: String| {
        let content = Err(Fault::new(code, message));
        Some(Answer { id, content })
    };
    let message: Value = match serde_json::from_slice(line) {
        Ok(message) => message,
        Err(err) => return refuse(Value::Null, PARSE_ERROR, format!("no JSON: {err}")),
    };
    let id = message.get("id").cloned();
    let Some(method) = message.get("method").and_then(Value::as_str) else {
        // A response is ignored, because this program sends no requests.
        let is_answer = message.get("result").or(message.get("error")).is_some();
        return match is_answer {
            true => None,
            false => {
                let text = "a message must be an object with a method";
                refuse(id.unwrap_or_default(), INVALID_REQUEST, text.into())
            }
        };
    };
    // A message without an identifier is a notification (JSON-RPC 2.0, 4.1). No notification concerns this program, so
    // all are ignored.
    let id = id?;
    if !id.is_string() && !id.is_number() {
        let text = "the id of a request must be a text or a number";
        return refuse(Value::Null, INVALID_REQUEST, text.into());
    }
    let empty = Map::new();
    let parameters = message.get("params").and_then(Value::as_object);
    let content = ask(tools, method, parameters.unwrap_or(&empty));
    Some(Answer { id, content })
}

/// Calls a method, and returns its result.
fn ask(tools: &Tools, method: &str, parameters: &Map<String, Value>) -> Result<Value, Fault> {
    match method {
        "initialize" => {
            // A client whose version is unknown gets the newest version, and decides whether it can use this version.
            let asked = parameters.get("protocolVersion").and_then(Value::as_str);
            let version = VERSIONS.iter().find(|version| asked == Some(**version));
            Ok(json!({
                "protocolVersion": version.unwrap_or(&VERSIONS[0]),
                "capabilities": {"tools": {}},
                "serverInfo": {
                    "name": "convertd",
                    "title": "convertd: file conversion",
                    "version": env!("CARGO_PKG_VERSION"),
                },
                "instructions": tools.instructions(),
            }))
        }
        "ping" => Ok(json!({})),
        "tools/list" => Ok(json!({"tools": tools.list()})),
        "tools/call" => {
            let name = parameters.get("name").and_then(Value::as_str);
            let empty = Map::new();
            let arguments = parameters.get("arguments").and_then(Value::as_object);
            let result = tools.call(name.unwrap_or_default(), arguments.unwrap_or(&empty))?;
            let (texts, is_error) = match result {
                ToolResult::Texts(texts) => (texts, false),
                ToolResult::Failed(text) => (vec![text], true),
            };
            let texts = texts.into_iter();
            let content: Vec<_> = texts
                .map(|text| json!({"type": "text", "text": text}))
                .collect();
            Ok(json!({"content": content, "isError": is_error}))
        }
        method => Err(Fault::new(
            METHOD_NOT_FOUND,
            format!("there is no method {method:?}"),
        )),
    }
}
