//! Services that extract the text of files for indexing programs: docling-serve, and the external loader of Open WebUI.

use crate::{
    harness::{Answer, Form, Request, Server, TempDir},
    tools,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

const TEXT: &str = "# Title\n\nSome words.\n";

fn server() -> Server {
    Server::with("--compat docling,openwebui").start()
}

fn pdf(server: &Server, text: &str) -> Vec<u8> {
    let request = Request::new("POST", "/api/v1/convert?to=pdf&name=a.html");
    let answer = server.send(request.body(text.as_bytes().to_vec()));
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body.to_vec()
}

fn put(server: &Server, name: &str, body: &[u8]) -> Answer {
    let request = Request::new("PUT", "/process")
        .field("Content-Type", "application/octet-stream")
        .field("X-Filename", name)
        .field("Authorization", "Bearer any");
    server.send(request.body(body.to_vec()))
}

#[test]
fn without_the_option_the_paths_do_not_exist() {
    let server = Server::start();
    for path in ["/process", "/v1/convert/file", "/v1/convert/source"] {
        let answer = server.send(Request::new("PUT", path).body(b"x".to_vec()));
        assert_eq!(answer.status, 404, "{path}");
    }
}

#[test]
fn a_loader_gets_text_whole_or_page_by_page() {
    let server = server();
    let answer = put(&server, "a%20b.md", TEXT.as_bytes());
    assert_eq!(answer.status, 200, "{answer:?}");
    let reply = answer.json();
    assert_eq!(reply["page_content"], TEXT.trim_end());
    assert_eq!(reply["metadata"]["source"], "a b.md");
    let pages = pdf(
        &server,
        "<title>T</title><h1>One</h1><h1 style='break-before:page'>Two</h1>",
    );
    let reply = put(&server, "a.pdf", &pages).json();
    let list = reply.as_array().unwrap();
    assert_eq!(list.len(), 2, "{reply}");
    for (page, word) in list.iter().zip(["One", "Two"]) {
        assert!(
            page["page_content"].as_str().unwrap().contains(word),
            "{reply}"
        );
    }
    assert_eq!(list[1]["metadata"]["page"], 2);
    // A file whose name does not identify a format is read as plain text.
    let reply = put(&server, "a.rs", b"fn main() {}\n").json();
    assert!(
        reply["page_content"].as_str().unwrap().contains("fn main"),
        "{reply}"
    );
}

#[test]
fn files_without_text_get_the_answer_for_another_loader() {
    let server = server();
    let sound = b"RIFF\x28\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\x04\0\0\0\0\0\0\0";
    let answer = put(&server, "a.wav", sound);
    assert_eq!(answer.status, 422, "{answer:?}");
    assert_eq!(answer.json()["detail"], "No extractable text");
    let answer = put(&server, "a.pdf", b"%PDF-1.4 broken");
    assert_eq!(answer.status, 422);
    assert!(answer.json()["detail"].as_str().unwrap().contains("pdf"));
    let answer = server.get("/process");
    assert_eq!(answer.status, 405);
}

fn post(path: &str, form: Form) -> Request {
    Request::new("POST", path)
        .field("Content-Type", &Form::content_type())
        .body(form.body())
}

fn file(name: &str, content: &[u8]) -> Form {
    let disposition =
        format!("Content-Disposition: form-data; name=\"files\"; filename=\"{name}\"");
    Form::new().part(&disposition, content)
}

fn field(form: Form, name: &str, value: &str) -> Form {
    let disposition = format!("Content-Disposition: form-data; name=\"{name}\"");
    form.part(&disposition, value.as_bytes())
}

#[test]
fn docling_gets_the_forms_that_it_asks_for() {
    let server = server();
    assert_eq!(server.get("/health").json()["status"], "ok");
    let answer = server.send(post("/v1/convert/file", file("a.md", TEXT.as_bytes())));
    assert_eq!(answer.status, 200, "{answer:?}");
    let reply = answer.json();
    assert_eq!(reply["status"], "success");
    assert_eq!(reply["errors"], json!([]));
    assert!(reply["processing_time"].is_number());
    let document = &reply["document"];
    assert_eq!(document["filename"], "a.md");
    assert_eq!(document["md_content"], TEXT.trim_end());
    assert_eq!(document["html_content"], Value::Null);
    // Browsers send an empty part for a file input without a file.
    let empty = "Content-Disposition: form-data; name=\"more\"; filename=\"\"\r\nContent-Type: application/octet-stream";
    let form = file("a.md", TEXT.as_bytes()).part(empty, b"");
    let answer = server.send(post("/v1/convert/file", form));
    assert_eq!(answer.status, 200, "{answer:?}");
    let form = field(file("a.md", TEXT.as_bytes()), "to_formats", "html");
    let form = field(field(form, "to_formats", "text"), "to_formats", "doctags");
    let reply = server.send(post("/v1/convert/file", form)).json();
    assert_eq!(reply["status"], "partial_success");
    assert!(
        reply["errors"][0]["error_message"]
            .as_str()
            .unwrap()
            .contains("doctags")
    );
    let document = &reply["document"];
    assert!(document["html_content"].as_str().unwrap().contains("<h1"));
    assert!(
        document["text_content"]
            .as_str()
            .unwrap()
            .contains("Some words.")
    );
    assert_eq!(document["md_content"], Value::Null);
}

/// Labels and texts of the items below the item `parent`, in their order.
fn items_of(document: &Value, parent: &Value) -> Vec<(String, String)> {
    let children = parent["children"].as_array().unwrap();
    let item = |child: &Value| {
        let place = child["$ref"].as_str().unwrap().strip_prefix('#').unwrap();
        let item = document.pointer(place).unwrap();
        assert_eq!(item["self_ref"], child["$ref"]);
        let text = |name: &str| item[name].as_str().unwrap_or_default().to_owned();
        (text("label"), text("text"))
    };
    children.iter().map(item).collect()
}

const PAGE: &str = "<h1>Title</h1><p>Some <b>words</b>.</p><h2>Below</h2><ol start=3><li>three<ul><li>inner</ul><li>four</ol>
    <pre><code class=language-rust>fn a() {}</code></pre><p><a href='http://example.org/'><i>link</i></a></p>
    <table><caption>About it</caption><thead><tr><th>a<th>b</thead><tr><td rowspan=2>1<td>2<tr><td>3</table>
    <figure><img alt=dot src='data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='><figcaption>A dot</figcaption></figure>";

#[test]
fn docling_gets_a_document_in_json() {
    let server = server();
    let form = field(file("a.html", PAGE.as_bytes()), "to_formats", "json");
    let answer = server.send(post("/v1/convert/file", form.clone())).json();
    assert_eq!(answer["status"], "success", "{answer}");
    let document = &answer["document"]["json_content"];
    assert_eq!(document["schema_name"], "DoclingDocument");
    assert_eq!(document["name"], "a");
    assert_eq!(document["origin"]["filename"], "a.html");
    assert_eq!(document["origin"]["mimetype"], "text/html");
    assert!(document["origin"]["binary_hash"].is_u64());
    let items = items_of(document, &document["body"]);
    let items: Vec<(&str, &str)> = items.iter().map(|(a, b)| (&**a, &**b)).collect();
    let expected = [
        ("title", "Title"),
        ("text", "Some words."),
        ("section_header", "Below"),
        ("list", ""),
        ("code", "fn a() {}"),
        ("text", "link"),
        ("table", ""),
        ("picture", ""),
    ];
    assert_eq!(items, expected, "{document}");
    let texts = document["texts"].as_array().unwrap();
    let of = |text: &str| texts.iter().find(|item| item["text"] == text).unwrap();
    assert_eq!(of("Below")["level"], 1);
    assert_eq!(of("three")["marker"], "3.");
    assert_eq!(of("three")["enumerated"], true);
    assert_eq!(
        items_of(document, of("three")),
        [("list".into(), String::new())]
    );
    assert_eq!(of("inner")["marker"], "-");
    assert_eq!(of("fn a() {}")["code_language"], "Rust");
    assert_eq!(of("link")["hyperlink"], "http://example.org/");
    assert_eq!(of("link")["formatting"]["italic"], true);
    let table = &document["tables"][0];
    assert_eq!(
        items_of(document, table),
        [("caption".into(), "About it".into())]
    );
    assert_eq!(table["captions"][0]["$ref"], of("About it")["self_ref"]);
    let data = &table["data"];
    assert_eq!(
        (&data["num_rows"], &data["num_cols"]),
        (&json!(3), &json!(2))
    );
    let cells = data["table_cells"].as_array().unwrap();
    assert_eq!(cells.len(), 5);
    assert_eq!(cells[0]["column_header"], true);
    assert_eq!(cells[2]["end_row_offset_idx"], 3);
    assert_eq!(data["grid"][2][0], cells[2]);
    assert_eq!(data["grid"][2][1]["text"], "3");
    let picture = &document["pictures"][0];
    assert_eq!(picture["image"]["size"]["width"], 1.0);
    let uri = picture["image"]["uri"].as_str().unwrap();
    assert!(uri.starts_with("data:image/png;base64,iVBOR"), "{uri}");
    assert_eq!(picture["annotations"][0]["text"], "dot");
    assert_eq!(
        items_of(document, picture),
        [("caption".into(), "A dot".into())]
    );
    let form = field(form, "image_export_mode", "placeholder");
    let answer = server.send(post("/v1/convert/file", form)).json();
    assert_eq!(
        answer["document"]["json_content"]["pictures"][0]["image"],
        Value::Null
    );
}

#[test]
fn docling_gets_json_of_sheets_slides_and_pages_but_not_of_messages() {
    let server = server();
    let ask = |name: &str, content: &[u8]| {
        let form = field(file(name, content), "to_formats", "json");
        server.send(post("/v1/convert/file", form)).json()
    };
    let sheet = ask("a.csv", b"name,count\na,1\n");
    let document = &sheet["document"]["json_content"];
    assert_eq!(document["tables"][0]["data"]["num_cols"], 2, "{sheet}");
    let pages = pdf(&server, "<h1>One</h1><p>two");
    let answer = ask("a.pdf", &pages);
    let document = &answer["document"]["json_content"];
    let items = items_of(document, &document["body"]);
    assert!(items.iter().any(|(_, text)| text == "two"), "{answer}");
    let message = ask(
        "a.eml",
        b"From: a@example.org\r\nSubject: b\r\n\r\nwords\r\n",
    );
    assert_eq!(message["status"], "partial_success");
    assert_eq!(message["document"]["json_content"], Value::Null);
    let why = message["errors"][0]["error_message"].as_str().unwrap();
    assert!(why.contains("json"), "{why}");
}

/// The words within a rectangle of a page, as `pdftotext` finds them. Pages are counted from 1.
fn words_in(place: &std::path::Path, page: u64, bounds: [f64; 4], height: f64) -> Vec<String> {
    let [left, top, right, bottom] = bounds;
    let number = page.to_string();
    let whole = |number: f64| format!("{}", number as i64);
    let (x, y) = (left - 1.0, height - top - 1.0);
    let output = std::process::Command::new("pdftotext")
        .args([
            "-f",
            &number,
            "-l",
            &number,
            "-x",
            &whole(x),
            "-y",
            &whole(y),
        ])
        .args([
            "-W",
            &whole(right - x + 2.0),
            "-H",
            &whole(height - bottom - y + 2.0),
        ])
        .args([place.to_str().unwrap(), "-"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn items_of_a_pdf_have_their_places() {
    if !tools::has("pdftotext") {
        return;
    }
    let server = server();
    let long = "word ".repeat(200);
    let content = format!(
        "<h1>Title</h1><p>{long}</p><ul><li>first item</ul><p>Before</p>\
         <table border=1><tr><th>Name<th>Count<tr><td>Arthur<td>42</table>\
         <img width=200 height=100 src='data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='>\
         <p style='break-before:page'>Second page</p>"
    );
    let made = pdf(&server, &content);
    let folder = TempDir::new();
    let path = folder.path().join("a.pdf");
    std::fs::write(&path, &made).unwrap();
    let form = field(file("a.pdf", &made), "to_formats", "json");
    let answer = server.send(post("/v1/convert/file", form)).json();
    let document = &answer["document"]["json_content"];
    let pages = document["pages"].as_object().unwrap();
    assert_eq!(pages.len(), 2, "{document}");
    let height = pages["1"]["size"]["height"].as_f64().unwrap();
    assert!((841.0..842.5).contains(&height), "{height}");
    let texts = document["texts"].as_array().unwrap();
    assert!(texts.len() >= 5, "{document}");
    for text in texts {
        let words: Vec<&str> = text["text"].as_str().unwrap().split_whitespace().collect();
        let places = text["prov"].as_array().unwrap();
        assert_eq!(places.len(), 1, "{text}");
        let place = &places[0];
        let bounds = ["l", "t", "r", "b"].map(|side| place["bbox"][side].as_f64().unwrap());
        let found = words_in(&path, place["page_no"].as_u64().unwrap(), bounds, height);
        assert_eq!(found, words, "{text}");
        let len = text["text"].as_str().unwrap().chars().count();
        assert_eq!(place["charspan"], json!([0, len]));
        let page = if words == ["Second", "page"] { 2 } else { 1 };
        assert_eq!(place["page_no"], page);
    }
    let table = &document["tables"][0]["prov"][0];
    let bounds = ["l", "t", "r", "b"].map(|side| table["bbox"][side].as_f64().unwrap());
    assert_eq!(
        words_in(&path, 1, bounds, height),
        ["Name", "Count", "Arthur", "42"]
    );
}

#[test]
fn docling_packs_its_answer_if_it_is_asked_to() {
    if !tools::has("unzip") {
        return;
    }
    let server = server();
    let form = field(file("a.md", TEXT.as_bytes()), "target_type", "zip");
    let form = ["md", "json", "text"]
        .iter()
        .fold(form, |form, format| field(form, "to_formats", format));
    let answer = server.send(post("/v1/convert/file", form));
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.field("content-type"), Some("application/zip"));
    let disposition = answer.field("content-disposition").unwrap();
    assert!(disposition.contains("converted_docs.zip"), "{disposition}");
    let folder = TempDir::new();
    let path = folder.path().join("a.zip");
    std::fs::write(&path, answer.body.to_vec()).unwrap();
    let unpacked = |name: &str| {
        let mut unzip = std::process::Command::new("unzip");
        let output = unzip.arg("-p").arg(&path).arg(name).output().unwrap();
        assert!(output.status.success(), "{name}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(unpacked("a.md"), TEXT.trim_end());
    assert!(unpacked("a.txt").contains("Some words."));
    let json: Value = serde_json::from_str(&unpacked("a.json")).unwrap();
    assert_eq!(json["schema_name"], "DoclingDocument");
    assert_eq!(json["origin"]["filename"], "a.md");
    let form = field(file("a.md", TEXT.as_bytes()), "target_type", "s3");
    let answer = server.send(post("/v1/convert/file", form));
    assert_eq!(answer.status, 422);
    let source = json!({"base64_string": "YQ==", "filename": "a.md"});
    let body = json!({"sources": [source], "target": {"kind": "zip"}}).to_string();
    let request = Request::new("POST", "/v1/convert/source")
        .field("Content-Type", "application/json")
        .body(body.into_bytes());
    let answer = server.send(request);
    assert_eq!(answer.field("content-type"), Some("application/zip"));
}

#[test]
fn docling_takes_files_in_json_and_fetches_none() {
    let server = server();
    let send = |json: Value| {
        let request = Request::new("POST", "/v1/convert/source")
            .field("Content-Type", "application/json")
            .body(json.to_string().into_bytes());
        server.send(request)
    };
    let picture = "<p>before <img alt=x src='data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='> behind</p>";
    let source =
        json!({"kind": "file", "base64_string": STANDARD.encode(picture), "filename": "a.html"});
    let answer = send(
        json!({"options": {"to_formats": ["md"], "image_export_mode": "placeholder"}, "sources": [source]}),
    );
    assert_eq!(answer.status, 200, "{answer:?}");
    let reply = answer.json();
    assert_eq!(
        reply["document"]["md_content"],
        "before <!-- image --> behind"
    );
    let answer = send(json!({"sources": [{"kind": "http", "url": "http://example.org/a.pdf"}]}));
    assert_eq!(answer.status, 422);
    assert!(
        answer.json()["detail"]
            .as_str()
            .unwrap()
            .contains("not fetched")
    );
    let wrong = |source: Value, why: &str| {
        let answer = send(json!({"sources": [source]}));
        assert_eq!(answer.status, 422, "{answer:?}");
        let detail = answer.json()["detail"].to_string();
        assert!(detail.contains(why), "{detail}");
    };
    wrong(json!({"base64_string": "YQ?="}), "not valid base64");
    wrong(json!({"base64_string": ""}), "is empty");
    wrong(
        json!({"base64_string": "YQ==", "filename": "a".repeat(100_000)}),
        "64 KiB",
    );
    assert_eq!(server.get("/v1/status/poll/1").status, 404);
}

#[test]
fn keys_are_accepted_in_the_header_fields_of_loaders() {
    let place = TempDir::new();
    let path = place.path().join("keys");
    std::fs::write(&path, "secret\n").unwrap();
    let options = format!("--compat docling,openwebui --api-keys {}", path.display());
    let server = Server::with(&options).start();
    assert_eq!(put(&server, "a.md", b"words").status, 401);
    let request = post("/v1/convert/file", file("a.md", b"words")).field("X-Api-Key", "secret");
    assert_eq!(server.send(request).status, 200);
    assert_eq!(server.get("/health").status, 200);
}
