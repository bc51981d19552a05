//! The answers below `/` and `/web/`: their content, caching and permissions, and the base paths below which they are
//! available.

use crate::harness::{Answer, Form, Request, Server};

const HTML: &str = "text/html,application/xhtml+xml,*/*;q=0.8";

fn page(path: &str) -> Request {
    Request::get(path).field("Accept", HTML)
}

fn text(answer: &Answer) -> String {
    String::from_utf8(answer.body.to_vec()).unwrap()
}

/// The files that the page refers to, and the files that these import. With `later`, also files that are imported on
/// demand.
fn files(server: &Server, later: bool) -> Vec<String> {
    let mut found = vec!["web/page.js".to_owned()];
    let mut looked_at = 0;
    let mut sources = vec![text(&server.send(page("/")))];
    loop {
        for source in &sources {
            let parts: Vec<&str> = source.split('"').collect();
            for pair in parts.windows(2) {
                let [before, quoted] = *pair else { continue };
                let name = quoted.strip_prefix("./").map(|name| format!("web/{name}"));
                let name = name.unwrap_or_else(|| quoted.to_owned());
                let is_file = name.starts_with("web/") && name.contains('.');
                let is_wanted = later || !before.ends_with("import(");
                if is_file && is_wanted && !found.contains(&name) {
                    found.push(name);
                }
            }
        }
        let Some(next) = found.get(looked_at) else {
            return found;
        };
        sources = vec![text(&server.get(&format!("/{next}")))];
        looked_at += 1;
    }
}

/// Length of the largest language file in bytes.
fn largest_language(server: &Server) -> usize {
    let script = text(&server.get("/web/text.js"));
    let (_, list) = script.split_once("LANGUAGES = [").unwrap();
    let (list, _) = list.split_once(']').unwrap();
    let lengths = list.split('"').skip(1).step_by(2).map(|language| {
        let answer = server.get(&format!("/web/{language}.json"));
        assert_eq!(answer.status, 200, "{language}");
        assert_eq!(answer.field("content-type"), Some("application/json"));
        answer.body.len()
    });
    lengths.max().unwrap()
}

#[test]
fn the_page_is_small_and_its_policy_allows_only_its_own_files() {
    let server = Server::start();
    let mut total = largest_language(&server);
    let first = files(&server, false);
    let all = files(&server, true);
    assert!(first.len() > 5 && all.len() > first.len(), "{all:?}");
    for path in all.iter().map(String::as_str).chain([""]) {
        let answer = server.send(page(&format!("/{path}")));
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.field("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.field("cache-control"), Some("no-cache"));
        let policy = answer.field("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none';") && !policy.contains("unsafe"));
        let content = text(&answer);
        // `remedies.js` is imported when a visitor chooses the first file, so it is part of every visit.
        let is_loaded = path.is_empty() || path == "web/remedies.js";
        if is_loaded || first.iter().any(|name| name == path) {
            total += content.len();
        }
        let own = content.replace("http://www.w3.org/2000/svg", "");
        assert!(
            !own.contains("http://") && !own.contains("https://"),
            "{path} names an address"
        );
        assert!(!content.contains("{{"), "{path}");
    }
    // This is the size of a visit without compression, in the language with the longest texts.
    assert!(total <= 90_000, "{total} bytes");
}

#[test]
fn answers_are_compressed_and_have_entity_tags() {
    let server = Server::start();
    #[track_caller]
    fn check(server: &Server, path: &str) {
        let request = || page(path);
        let plain = server.send(request());
        let squeezed = server.send(request().field("Accept-Encoding", "br, gzip;q=0.5"));
        assert_eq!(plain.field("content-encoding"), None);
        assert_eq!(squeezed.field("content-encoding"), Some("gzip"));
        assert!(squeezed.body.len() < plain.body.len());
        let vary = |answer: &Answer| {
            let names = answer.fields.iter().filter(|(name, _)| name == "vary");
            names
                .map(|(_, value)| value.clone())
                .collect::<Vec<_>>()
                .join(", ")
        };
        assert!(
            vary(&plain).contains("Accept-Encoding") && vary(&squeezed).contains("Accept-Encoding")
        );
        // The gzip format has Deflate data between a header of 10 bytes and a trailer of 8 bytes (RFC 1952).
        let deflated = &squeezed.body[10..squeezed.body.len() - 8];
        let content = miniz_oxide::inflate::decompress_to_vec(deflated).unwrap();
        assert_eq!(content, plain.body.to_vec());
        assert!(
            squeezed
                .body
                .ends_with(&(content.len() as u32).to_le_bytes())
        );

        let (tag, other) = (
            plain.field("etag").unwrap(),
            squeezed.field("etag").unwrap(),
        );
        assert_ne!(tag, other);
        let known = server.send(request().field("If-None-Match", tag));
        assert_eq!((known.status, known.body.len()), (304, 0));
        assert_eq!(known.field("etag"), Some(tag));
        let changed = server.send(request().field("If-None-Match", other));
        assert_eq!(changed.status, 200);
        let date = "Sun, 22 Nov 2026 00:00:00 GMT";
        assert_eq!(
            server
                .send(request().field("If-Modified-Since", date))
                .status,
            200
        );
        for refused in ["identity", "gzip;q=0", "gzip; q=0.000"] {
            let answer = server.send(request().field("Accept-Encoding", refused));
            assert_eq!(answer.field("content-encoding"), None, "{refused}");
        }

        let head = server.send(Request::head(path).field("Accept", HTML));
        assert_eq!(head.status, 200);
        assert_eq!(head.field("content-length"), plain.field("content-length"));
        assert_eq!(head.field("etag"), Some(tag));
    }
    check(&server, "/");
    check(&server, "/web/page.js");
    check(&server, "/web/style.css");
}

#[test]
fn a_shell_gets_instructions_for_use() {
    let server = Server::start();
    let answer = server.send(Request::get("/").field("Accept", "*/*"));
    assert_eq!(
        answer.field("content-type"),
        Some("text/plain; charset=utf-8")
    );
    let text = text(&answer);
    assert_eq!(text.lines().count(), 10, "{text}");
    assert!(
        text.contains("curl -F file=@photo.jpg -F target_format=png http://test/api/v1/convert")
    );
    assert!(text.contains("No key is needed."));
    let refused = Request::get("/").field("Accept", "text/html;q=0, */*");
    assert!(
        server
            .send(refused)
            .field("content-type")
            .unwrap()
            .starts_with("text/plain")
    );
}

#[test]
fn unknown_paths_and_methods_get_the_usual_errors() {
    let server = Server::start();
    for path in [
        "/index.html",
        "/web",
        "/web/",
        "/web/nothing.js",
        "/web/../Cargo.toml",
        "/web/%2e%2e/page.js",
    ] {
        let answer = server.send(page(path));
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.error().contains("/api/v1"));
    }
    for (method, path, allowed) in [
        ("PUT", "/", "GET, HEAD, POST, OPTIONS"),
        ("POST", "/web/page.js", "GET, HEAD, OPTIONS"),
    ] {
        let answer = server.send(Request::new(method, path).body(vec![]));
        assert_eq!((answer.status, answer.field("allow")), (405, Some(allowed)));
    }
}

/// A request with the form, as a browser without scripts sends it.
fn form(file: &[u8], name: &str, target: &str) -> Request {
    Request::new("POST", "/")
        .field("Accept", HTML)
        .field("Content-Type", &Form::content_type())
        .body(
            Form::of(file, name, target)
                .field("quality", "medium")
                .body(),
        )
}

const PICTURE: &[u8] = b"P6\n1 1\n255\nabc";

#[test]
fn a_plain_form_is_answered_with_a_page() {
    let server = Server::start();
    let answer = server.send(form(PICTURE, "a<b>&'.ppm", "png"));
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.field("cache-control"), Some("no-store"));
    assert!(answer.field("content-security-policy").is_some());
    let html = text(&answer);
    assert!(
        html.contains("a&lt;b&gt;&amp;'.ppm") && !html.contains("a<b>"),
        "{html}"
    );
    let (_, link) = html.split_once("download href=\"").unwrap();
    let (link, _) = link.split_once('"').unwrap();
    let result = server.get(link);
    assert_eq!(result.field("content-type"), Some("image/png"));

    #[track_caller]
    fn refused(server: &Server, request: Request, status: u16, sentence: &str) {
        let answer = server.send(request);
        assert_eq!(answer.status, status, "{answer:?}");
        assert_eq!(
            answer.field("content-type"),
            Some("text/html; charset=utf-8")
        );
        assert!(text(&answer).contains(sentence), "{answer:?}");
    }
    refused(&server, form(b"", "a", "png"), 400, "is empty");
    refused(&server, form(PICTURE, "a", "<i>"), 400, "&lt;i&gt;");
    refused(
        &server,
        Request::new("POST", "/").body(vec![]),
        400,
        "multipart/form-data",
    );
    let small = Server::with("--max-upload 10").start();
    refused(
        &small,
        form(PICTURE, "a", "png"),
        413,
        "larger than 10 bytes",
    );
    let locked = Server::with("--log info")
        .env("CONVERTD_API_KEYS", "key")
        .start();
    refused(&locked, form(PICTURE, "a", "png"), 401, "API key");
    assert_eq!(locked.send(page("/")).status, 200);
    assert_eq!(locked.get("/web/page.js").status, 200);
    // Answers of the interface do not depend on `Accept`.
    let json = server.send(Request::form(Form::of(PICTURE, "a", "png")).field("Accept", HTML));
    json.data("download_url");
}

#[test]
fn every_address_begins_with_the_base_path() {
    let server = Server::with("--base-path /convert/").start();
    assert_eq!(server.get("/convert/api/v1/health").status, 200);
    // A health check on the same machine does not pass through the proxy, so its path has no prefix.
    assert_eq!(server.get("/api/v1/health").status, 200);
    assert_eq!(server.get("/converter/api/v1/health").status, 404);
    for path in ["/convert", "/convert/", "/"] {
        let html = text(&server.send(page(path)));
        assert!(html.contains("<base href=\"/convert/\">"), "{path}");
    }
    assert_eq!(server.get("/convert/web/page.js").status, 200);
    let submit = || Request::form(Form::of(PICTURE, "a", "png"));
    let record = server.send(submit());
    let url = record.data("download_url");
    assert!(url.starts_with("/convert/api/v1/download/"), "{url}");
    let id = record.data("conversion_id");
    assert_eq!(server.status(&id)["download_url"], url.as_str());
    assert_eq!(server.get(&url).status, 200);
    assert_eq!(server.status(&id)["download_url"], url.as_str());
    let accepted = server.send(submit().field("Prefer", "respond-async"));
    let location = accepted.field("location").unwrap();
    assert!(
        location.starts_with("/convert/api/v1/status/"),
        "{location}"
    );
    assert_eq!(server.get(location).status, 200);
}

#[test]
fn a_trusted_proxy_sets_the_address_in_texts() {
    let ask = |server: &Server, fields: &[(&str, &str)]| {
        let add = |request: Request, (name, value): &(&str, &str)| request.field(name, value);
        let shell = server.send(fields.iter().fold(Request::get("/"), add));
        let html = server.send(fields.iter().fold(page("/"), add));
        (text(&shell), text(&html))
    };
    let forwarded = [
        ("X-Forwarded-Prefix", "/files/"),
        ("X-Forwarded-Proto", "https"),
    ];
    let trusting = Server::with("--trusted-proxies 127.0.0.1").start();
    let (shell, html) = ask(&trusting, &forwarded);
    assert!(
        shell.contains(" https://test/files/api/v1/convert"),
        "{shell}"
    );
    assert!(html.contains("<base href=\"/files/\">"));
    let form = Request::form(Form::of(PICTURE, "a", "png")).field("X-Forwarded-Prefix", "/files");
    assert!(
        trusting
            .send(form)
            .data("download_url")
            .starts_with("/files/api/v1/download/")
    );
    for evil in ["//evil.example", "/a\"><script>", "evil", "/../x"] {
        let (shell, html) = ask(
            &trusting,
            &[("X-Forwarded-Prefix", evil), ("X-Forwarded-Proto", "ftp")],
        );
        assert!(shell.contains(" http://test/api/v1/convert"), "{evil}");
        assert!(!html.contains("<base"), "{evil}");
    }
    let (shell, html) = ask(&Server::start(), &forwarded);
    assert!(shell.contains(" http://test/api/v1/convert"), "{shell}");
    assert!(!html.contains("<base"));
}
