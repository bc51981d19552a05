//! The manual as the service and the command line show it. Checks that the manual is complete, but not its content.

use crate::harness::{Answer, Request, Server, program};
use std::process::{Command, Output};

fn browser(path: &str) -> Request {
    Request::get(path).field("Accept", "text/html,*/*;q=0.8")
}

fn text(answer: &Answer) -> String {
    String::from_utf8(answer.body.to_vec()).unwrap()
}

fn convertd(arguments: &[&str]) -> Output {
    Command::new(program()).args(arguments).output().unwrap()
}

fn stdout_of(arguments: &[&str]) -> String {
    let output = convertd(arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The names of the chapters, as the help text lists them.
fn chapters() -> Vec<String> {
    let help = stdout_of(&["help"]);
    let (_, list) = help.split_once("help CHAPTER:\n").unwrap();
    let names = list
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    let names: Vec<_> = names.map(str::to_owned).collect();
    assert!(names.len() >= 12, "{names:?}");
    names
}

#[test]
fn the_command_line_prints_every_chapter() {
    let page = stdout_of(&["man"]).replace("\\-", "-");
    for name in chapters() {
        let chapter = stdout_of(&["help", &name]);
        assert!(chapter.len() > 500, "{name}");
        assert!(
            !chapter.contains("**") && !chapter.contains("<!--"),
            "{name}"
        );
        let title = chapter.lines().next().unwrap();
        assert_eq!(title, title.to_uppercase());
        assert!(page.contains(&format!("convertd help {name}\n")), "{name}");
    }
    let unknown = convertd(&["help", "nonsense"]);
    assert_eq!(unknown.status.code(), Some(2));
    let message = String::from_utf8(unknown.stderr).unwrap();
    assert!(message.contains("limits") && message.contains("\"nonsense\""));
    assert_eq!(convertd(&["help", "limits", "more"]).status.code(), Some(2));
    assert!(stdout_of(&["help", "convert"]).contains("--out-dir"));
}

#[cfg(feature = "document")]
#[test]
fn a_browser_gets_every_chapter_as_a_page() {
    let server = Server::with("--log info")
        .env("CONVERTD_API_KEYS", "key")
        .start();
    let contents = server.send(browser("/manual"));
    assert_eq!(contents.status, 200);
    for name in chapters() {
        assert!(text(&contents).contains(&format!("href=\"manual/{name}\"")));
        let answer = server.send(browser(&format!("/manual/{name}")));
        assert_eq!(answer.status, 200, "{name}");
        assert_eq!(
            answer.field("content-type"),
            Some("text/html; charset=utf-8")
        );
        let policy = answer.field("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none';"));
        let page = text(&answer);
        assert!(page.contains("<h1 id=") && page.contains("../web/style.css"));
        for leftover in ["{{", ".md\"", "<style", "<script", "style="] {
            assert!(!page.contains(leftover), "{name}: {leftover}");
        }
    }
    let formats = text(&server.send(browser("/manual/formats")));
    assert!(formats.contains("<td><code>jpg</code>"), "{formats}");
}

#[test]
fn other_clients_get_text() {
    let server = Server::start();
    let contents = server.get("/manual");
    assert_eq!(
        contents.field("content-type"),
        Some("text/plain; charset=utf-8")
    );
    assert!(text(&contents).contains("\n  limits "));
    let chapter = server.get("/manual/limits");
    assert_eq!(text(&chapter), stdout_of(&["help", "limits"]));
    assert_eq!(server.get("/manual/nonsense").status, 404);
    assert_eq!(server.get("/manual/").status, 404);
}

#[cfg(feature = "document")]
#[test]
fn pages_link_below_the_base_path() {
    let server = Server::with("--base-path /convert").start();
    let page = text(&server.send(browser("/convert/manual/limits")));
    assert!(page.contains("<base href=\"/convert/\">"));
    assert!(page.contains("href=\"web/style.css\"") && !page.contains("../"));
}
