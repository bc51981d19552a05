//! `convertd mcp`. The tests call it like a client of the Model Context Protocol (version 2025-06-18).

use crate::{
    harness::{TempDir, command},
    samples::{self, identify},
};
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    os::unix::fs::symlink,
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

/// A running `convertd mcp`.
struct Peer {
    child: Child,
    /// Standard input of the program. `None` after it has been closed.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// Identifier of the last request.
    last: u64,
}

impl Peer {
    /// Starts the program, and initialises the session.
    fn start(roots: &[&Path]) -> Self {
        let mut command = command();
        command.arg("mcp").args(roots);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut peer = Self {
            child,
            input: Some(input),
            output: BufReader::new(output),
            last: 0,
        };
        let client = json!({"name": "test", "version": "1"});
        let hello = peer.ask(
            "initialize",
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}),
        );
        assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
        assert_eq!(hello["result"]["serverInfo"]["name"], "convertd");
        assert!(hello["result"]["capabilities"]["tools"].is_object());
        peer.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        peer
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["jsonrpc"], "2.0");
        answer
    }

    /// Sends a request, and returns its answer.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let request =
            json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params});
        self.send(&request.to_string());
        let answer = self.answer();
        assert_eq!(answer["id"], self.last);
        answer
    }

    /// Calls a tool. Returns whether it failed, and its text.
    fn call(&mut self, name: &str, arguments: Value) -> (bool, String) {
        let answer = self.ask("tools/call", json!({"name": name, "arguments": arguments}));
        let result = &answer["result"];
        let content = result["content"].as_array().unwrap();
        let texts: Vec<_> = content
            .iter()
            .inspect(|part| assert_eq!(part["type"], "text"))
            .map(|part| part["text"].as_str().unwrap())
            .collect();
        (result["isError"].as_bool().unwrap(), texts.join("\n"))
    }

    #[track_caller]
    fn made(&mut self, arguments: Value) -> String {
        let (failed, message) = self.call("convert", arguments);
        assert!(!failed, "{message}");
        message
    }

    #[track_caller]
    fn fails(&mut self, arguments: Value, expected: &str) {
        let (failed, message) = self.call("convert", arguments);
        assert!(failed, "{message}");
        assert!(message.contains(expected), "{message}");
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn files_are_converted_to_text_or_to_files() {
    let folder = TempDir::new();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.html"), "<h1>Title</h1><p>Some <b>words</b>.").unwrap();
    fs::write(at("a.ppm"), samples::ppm(30, 20)).unwrap();
    let mut peer = Peer::start(&[folder.path()]);
    let text = peer.made(json!({"path": "a.html", "target": "md"}));
    assert!(text.starts_with("# Title\n\nSome **words**."), "{text}");
    assert!(!at("a.md").exists());
    // The call has an absolute path, an option and a quality.
    let path = at("a.ppm").display().to_string();
    let message = peer
        .made(json!({"path": path, "target": "PNG", "quality": "low", "options": {"width": 10}}));
    let whole = at("a.png").canonicalize().unwrap();
    assert!(
        message.starts_with(&whole.display().to_string()),
        "{message}"
    );
    let png = fs::read(at("a.png")).unwrap();
    assert_eq!(identify(&png), "png");
    assert_eq!(png[16..20], 10_u32.to_be_bytes());
    peer.made(json!({"path": "a.html", "target": "md", "output": "b.md"}));
    assert!(fs::read_to_string(at("b.md")).unwrap().contains("# Title"));
    // An existing file is replaced only if `overwrite` is set.
    peer.fails(json!({"path": "a.ppm", "target": "png"}), "exists");
    peer.made(json!({"path": "a.ppm", "target": "png", "overwrite": true}));
    assert_eq!(fs::read(at("a.png")).unwrap()[16..20], 30_u32.to_be_bytes());
    // The tool reports its failure as a text for the model.
    peer.fails(
        json!({"path": "a.ppm", "target": "xlsx"}),
        "ppm files cannot be converted to",
    );
    peer.fails(
        json!({"path": "a.ppm", "target": "png", "output": "c.png", "options": {"widht": 1}}),
        "widht",
    );
    peer.fails(
        json!({"path": "a.ppm", "target": "ppm", "overwrite": true}),
        "replace the file itself",
    );
    let (_, about) = peer.call("formats", json!({"format": "ppm", "target": "png"}));
    assert!(about.contains("width"), "{about}");
    let (failed, all) = peer.call("formats", json!({}));
    assert!(!failed && all.contains("docx"), "{all}");
    let (failed, message) = peer.call("formats", json!({"format": "nothing"}));
    assert!(
        failed && message.contains("there is no format"),
        "{message}"
    );
}

#[test]
fn nothing_outside_of_the_folders_is_read_or_written() {
    let (inside, outside) = (TempDir::new(), TempDir::new());
    let at = |name: &str| inside.path().join(name);
    let secret = outside.path().join("secret.txt");
    fs::write(&secret, "a secret").unwrap();
    fs::write(at("a.txt"), "words").unwrap();
    symlink(&secret, at("link.txt")).unwrap();
    symlink(outside.path(), at("folder")).unwrap();
    symlink(outside.path().join("new.html"), at("new.html")).unwrap();
    let mut peer = Peer::start(&[inside.path()]);
    let name = outside.path().file_name().unwrap().to_str().unwrap();
    for path in [
        "link.txt".to_owned(),
        "folder/secret.txt".to_owned(),
        format!("../{name}/secret.txt"),
        secret.display().to_string(),
        "/etc/passwd".to_owned(),
        "missing.txt".to_owned(),
    ] {
        peer.fails(
            json!({"path": path, "target": "md"}),
            "there is no such file below",
        );
    }
    let elsewhere = outside.path().join("new.html").display().to_string();
    for output in [
        "folder/new.html",
        "new.html",
        &format!("../{name}/new.html"),
        &elsewhere,
        ".",
    ] {
        let wish = json!({"path": "a.txt", "target": "html", "output": output, "overwrite": true});
        peer.fails(wish, "no file can be written there below");
    }
    // If a conversion has several results, their names get numbers. One of these names is that of a link to another
    // directory.
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pdf/office.pdf");
    fs::copy(pages, at("pages.pdf")).unwrap();
    symlink(&secret, at("pages-1.png")).unwrap();
    let wish = json!({
        "path": "pages.pdf", "target": "png", "output": "pages.png", "overwrite": true,
        "options": {"page": "all"},
    });
    peer.fails(wish, "pages-1.png is not a file");
    assert_eq!(fs::read_to_string(&secret).unwrap(), "a secret");
    let left = fs::read_dir(outside.path()).unwrap().count();
    assert_eq!(left, 1);
}

#[test]
fn invalid_messages_get_the_errors_of_the_protocol() {
    let folder = TempDir::new();
    let mut peer = Peer::start(&[folder.path()]);
    let mut check = |line: &str, code: i32| {
        peer.send(line);
        let answer = peer.answer();
        assert_eq!(answer["error"]["code"], code, "{answer}");
    };
    check("{", -32700);
    check("[]", -32600);
    check(r#"{"jsonrpc":"2.0","id":1}"#, -32600);
    check(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600);
    check(r#"{"jsonrpc":"2.0","id":1,"method":"nothing"}"#, -32601);
    let call = |params: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{params}}}"#)
    };
    check(&call(r#"{"name":"nothing"}"#), -32602);
    check(&call(r#"{"name":"convert"}"#), -32602);
    check(
        &call(r#"{"name":"convert","arguments":{"path":1,"target":"a"}}"#),
        -32602,
    );
    check(
        &format!(r#"{{"id":1,"method":"{}"}}"#, "a".repeat(2 << 20)),
        -32600,
    );
    // Notifications, responses and empty lines are not answered.
    peer.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    peer.send(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    peer.send("");
    assert_eq!(peer.ask("ping", json!({}))["result"], json!({}));
    let tools = peer.ask("tools/list", json!({}))["result"]["tools"].clone();
    let names: Vec<_> = tools
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| &tool["name"])
        .collect();
    assert_eq!(names, ["convert", "formats"]);
    for tool in tools.as_array().unwrap() {
        assert_eq!(tool["inputSchema"]["type"], "object");
    }
    // The server confirms a protocol version that it knows, and otherwise answers with the newest version.
    for (asked, expected) in [("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-06-18")] {
        let hello = peer.ask("initialize", json!({"protocolVersion": asked}));
        assert_eq!(hello["result"]["protocolVersion"], expected);
    }
    // The program ends when its input ends.
    peer.input = None;
    assert!(peer.child.wait().unwrap().success());
}
