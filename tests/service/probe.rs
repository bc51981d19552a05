//! HTTP/1.1 according to an independent test suite: `probe.tsv` contains the requests of Http11Probe
//! (MDA2AV/Http11Probe on GitHub) and the expected answers. Http11Probe's own program is not used, because it needs
//! .NET, and a server that returns the posted content.

use crate::harness::Server;
use std::{
    io::{Read, Write},
    net::{Shutdown, TcpStream},
};

/// A request that follows the request of each test. Its answer shows where the server saw the end of the tested
/// request.
const FOLLOWING: &str = "GET /api/v1/health HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
/// The path to which content is posted. The answer is the same text.
const POST: &str = "/api/v1/convert?to=txt&name=a.md";
/// A path with an entity tag.
const ASSET: &str = "/web/page.js";

#[test]
fn answers_match_http11probe() {
    let server = Server::start();
    let tag = {
        let answer = server.get(ASSET);
        answer.field("etag").expect("an entity tag").to_owned()
    };
    let (mut count, mut scored, mut failures) = (0, 0, Vec::new());
    for line in include_str!("probe.tsv").lines() {
        if line.starts_with('#') {
            continue;
        }
        let columns: Vec<&str> = line.split('\t').collect();
        let [name, expected, request] = columns[..] else {
            panic!("{line:?} does not have three columns");
        };
        let request = request.replace("{etag}", &tag);
        let got = exchange(&server, &bytes(&request), expected.contains("none"));
        if let Err(what) = judge(expected, &got) {
            failures.push(format!("{name}: {what}"));
        }
        count += 1;
        scored += usize::from(!name.starts_with('~'));
    }
    assert_eq!((count, scored), (215, 161));
    assert!(
        failures.is_empty(),
        "{}:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// All answers to some bytes, until the connection ends. [`FOLLOWING`] is sent as well, unless the request is
/// incomplete (`is_cut`).
fn exchange(server: &Server, request: &[u8], is_cut: bool) -> String {
    let mut stream = TcpStream::connect(server.address()).expect("a connection");
    stream
        .set_read_timeout(Some(crate::harness::DEADLINE))
        .expect("a time-out");
    // The server may refuse a request before it has read the whole request.
    let _ = stream.write_all(request);
    match is_cut {
        true => drop(stream.shutdown(Shutdown::Write)),
        false => drop(stream.write_all(FOLLOWING.as_bytes())),
    }
    let mut answer = Vec::new();
    // A reset counts as an end of the connection.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// Compares the answers with the second column of the table.
fn judge(expected: &str, answers: &str) -> Result<(), String> {
    let (codes, required) = expected.split_once('"').unwrap_or((expected, ""));
    let statuses: Vec<&str> = answers
        .split("HTTP/1.1 ")
        .skip(1)
        .map(|rest| &rest[..3])
        .filter(|status| *status != "100" || expected.contains("!1xx"))
        .collect();
    let words: Vec<&str> = codes.split_whitespace().collect();
    let fits = |code: &str, status: &str| match code.strip_suffix("xx") {
        Some(class) => status.starts_with(class),
        None => code == status,
    };
    let (refused, wanted): (Vec<&str>, Vec<&str>) =
        words.iter().partition(|word| word.starts_with('!'));
    let Some(first) = statuses.first() else {
        return match words.contains(&"none") {
            true => Ok(()),
            false => Err(format!("no answer, and not {expected}")),
        };
    };
    let is_refused = refused.iter().any(|code| fits(&code[1..], first));
    let is_wanted = wanted.is_empty() || wanted.iter().any(|code| fits(code, first));
    if is_refused || !is_wanted {
        return Err(format!("{first}, and not {expected}"));
    }
    let required = required.trim_end_matches('"');
    if !answers.contains(required) {
        return Err(format!("without {required:?}"));
    }
    // After a request that is refused for its framing, the server must not answer on the same connection. Otherwise it
    // may have answered a hidden request.
    if expected == "400" && statuses.len() > 1 {
        return Err(format!("{statuses:?}: a later request was answered"));
    }
    Ok(())
}

/// The bytes of a request: `|` is CRLF, ` >> ` between two pieces is dropped, `{3*x}` is x three times, `{post}` and
/// `{asset}` are the paths above, and escapes have the form of Rust.
fn bytes(row: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = row;
    while let Some(char) = rest.chars().next() {
        let end = char.len_utf8();
        if let Some(after) = rest.strip_prefix(" >> ") {
            rest = after;
        } else if let Some((inside, after)) =
            rest.strip_prefix('{').and_then(|rest| rest.split_once('}'))
        {
            match inside.split_once('*') {
                Some((count, text)) => {
                    let count = count.parse().expect("a number");
                    bytes.extend(self::bytes(text).repeat(count));
                }
                None => bytes.extend(match inside {
                    "post" => POST.bytes(),
                    "asset" => ASSET.bytes(),
                    other => panic!("{other} is not a placeholder"),
                }),
            }
            rest = after;
        } else if let Some(after) = rest.strip_prefix("\\x") {
            bytes.push(u8::from_str_radix(&after[..2], 16).expect("two digits"));
            rest = &after[2..];
        } else if char == '\\' {
            let escaped = rest.as_bytes()[1];
            bytes.push(match escaped {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'0' => 0,
                other => other,
            });
            rest = &rest[2..];
        } else if char == '|' {
            bytes.extend(b"\r\n");
            rest = &rest[end..];
        } else {
            bytes.extend(rest[..end].bytes());
            rest = &rest[end..];
        }
    }
    bytes
}
