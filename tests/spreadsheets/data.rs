//! Data in JSON, JSON Lines, YAML, TOML and XML, each converted to the others. Python's `json`, `yaml` and `tomllib`
//! read the results.

use crate::harness::{convert, convert_with, directory, has, has_module, text};
use std::{fmt::Write as _, fs, process::Command};

/// Data of every kind that JSON, YAML and TOML can all hold.
const JSON: &str = r#"{
  "title": "A: b # c",
  "number": 12345678901,
  "part": -1.50,
  "small": 1e-7,
  "is": true,
  "words": ["yes", "no", "~", "null", "12", "1e3", "0x10", "2001-01-01", "12:30:00", "", " a ", "- b", "a\nb\n", "a\n\nb", "\ta\nb", "é 😀", "\u007f\u0085\u2028\"\\"],
  "deep": {"z": {"y": [[1, 2], [], [[3]]], "a b": {}, "": "empty"}, "a": [{"b": 1, "c": {"d": 2}}, {"b": [{"e": 3}]}]},
  "lines": "first\n  second\n\nlast"
}"#;

/// The content of a file of this format as Python reads it, as JSON.
#[track_caller]
fn read(format: &str, file: &[u8]) -> serde_json::Value {
    const SCRIPT: &str = "import json, sys\n\
        kind, path = sys.argv[1:]\n\
        data = open(path, 'rb').read()\n\
        if kind == 'toml':\n\
        \x20   import tomllib; value = tomllib.loads(data.decode())\n\
        elif kind == 'yaml':\n\
        \x20   import yaml; value = yaml.safe_load(data)\n\
        else: value = json.loads(data)\n\
        print(json.dumps(value, default=str))";
    let path = directory("data").join(format!("read.{format}"));
    fs::write(&path, file).unwrap();
    let mut python = Command::new("python3");
    let output = python
        .args(["-c", SCRIPT, format])
        .arg(&path)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{said}\n{}",
        String::from_utf8_lossy(file)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn all_ways_between_the_three_keep_everything() {
    if !has("python3") || !has_module("yaml") {
        return;
    }
    let expected: serde_json::Value = serde_json::from_str(JSON).unwrap();
    let made = |from: &str, file: &[u8], to: &str| {
        let (made, notes) = convert_with(&format!("a.{from}"), file, to, &[]).unwrap();
        assert_eq!(notes.0, Vec::<String>::new(), "{from} to {to}");
        assert_eq!(
            read(to, &made),
            expected,
            "{from} to {to}: {}",
            String::from_utf8_lossy(&made)
        );
        made
    };
    let yaml = made("json", JSON.as_bytes(), "yaml");
    let toml = made("json", JSON.as_bytes(), "toml");
    for (from, file) in [("yaml", &yaml), ("toml", &toml)] {
        for to in ["json", "yaml", "toml"] {
            made(from, file, to);
        }
    }
}

#[track_caller]
fn check((from, file): (&str, &str), to: &str, expected: &str, notes: &[&str]) {
    let (made, found) = convert_with(&format!("a.{from}"), file.as_bytes(), to, &[]).unwrap();
    assert_eq!(text(made), expected);
    assert_eq!(found.0.len(), notes.len(), "{found:?}");
    for (found, expected) in found.0.iter().zip(notes) {
        assert!(found.contains(expected), "{found}");
    }
}

#[test]
fn names_keep_their_order_and_numbers_their_digits() {
    let json = "{\n  \"b\": 123456789012345678901234567890,\n  \"a\": 1.10\n}\n";
    check(
        ("json", json),
        "yaml",
        "b: 123456789012345678901234567890\na: 1.10\n",
        &[],
    );
    check(
        ("yaml", "b: 123456789012345678901234567890\na: 1.10"),
        "json",
        json,
        &[],
    );
    check(
        ("json", json),
        "toml",
        "b = \"123456789012345678901234567890\"\na = 1.10\n",
        &["too large for toml"],
    );
    check(
        ("toml", "z = 0x1F\na = 1_000.5\n[m]\nb = inf\na = 1\n"),
        "yaml",
        "z: 31\na: 1000.5\nm:\n  b: .inf\n  a: 1\n",
        &[],
    );
    check(
        ("toml", "z = inf"),
        "json",
        "{\n  \"z\": null\n}\n",
        &["became null"],
    );
}

#[test]
fn dates_are_dates_in_yaml_and_toml() {
    check(
        ("toml", "a = 1979-05-27T07:32:00Z\nb = 1979-05-27\n"),
        "yaml",
        "a: 1979-05-27T07:32:00Z\nb: 1979-05-27\n",
        &[],
    );
    check(
        ("yaml", "a: 1979-05-27\nb: '1979-05-27'\n"),
        "toml",
        "a = 1979-05-27\nb = \"1979-05-27\"\n",
        &[],
    );
    check(
        ("toml", "a = 07:32:00"),
        "json",
        "{\n  \"a\": \"07:32:00\"\n}\n",
        &[],
    );
}

#[test]
fn values_that_are_empty_are_missing_in_toml() {
    check(
        ("json", "{\"a\":null,\"b\":[1,null],\"c\":{\"d\":null}}"),
        "toml",
        "b = [1]\n\n[c]\n",
        &["3 values were left out"],
    );
    check(
        ("json", "[{\"a\":1},{\"a\":2}]"),
        "toml",
        "[[items]]\na = 1\n\n[[items]]\na = 2\n",
        &["under the name items"],
    );
    check(
        ("json", "5"),
        "toml",
        "value = 5\n",
        &["under the name value"],
    );
    check(
        ("yaml", "a:\nb: ~"),
        "json",
        "{\n  \"a\": null,\n  \"b\": null\n}\n",
        &[],
    );
}

#[test]
fn features_that_only_yaml_has_are_noted() {
    let anchors = "base: &b {a: 1, b: 2}\nuse:\n  <<: *b\n  b: 3\nlist: [*b, *b]\n";
    check(
        ("yaml", anchors),
        "toml",
        "[base]\na = 1\nb = 2\n\n[use]\nb = 3\na = 1\n\n[[list]]\na = 1\nb = 2\n\n[[list]]\na = 1\nb = 2\n",
        &[],
    );
    check(
        ("yaml", "a: 1\n---\n- b\n...\n"),
        "json",
        "[\n  {\n    \"a\": 1\n  },\n  [\n    \"b\"\n  ]\n]\n",
        &["2 documents"],
    );
    check(
        (
            "yaml",
            "# first\na: !Ref b\nc: !!str 12\nd: !!int '7'\ne: ! 12\n",
        ),
        "yaml",
        "a: b\nc: \"12\"\nd: 7\ne: \"12\"\n",
        &["Comments were left out", "A tag was left out"],
    );
    check(
        ("yaml", "[1, 2]: a\na: 1\na: 2\n"),
        "json",
        "{\n  \"[1,2]\": \"a\",\n  \"a\": 2\n}\n",
        &["occurs twice", "became text"],
    );
    check(("yaml", ""), "json", "null\n", &[]);
}

#[test]
fn tables_become_tables() {
    let csv = "name,count\nArthur,1\nZaphod,2\n";
    let yaml = "- name: Arthur\n  count: 1\n- name: Zaphod\n  count: 2\n";
    let toml = "[[row]]\nname = \"Arthur\"\ncount = 1\n\n[[row]]\nname = \"Zaphod\"\ncount = 2\n";
    check(("csv", csv), "yaml", yaml, &[]);
    check(("csv", csv), "toml", toml, &[]);
    let with_ends = csv.replace('\n', "\r\n");
    check(("yaml", yaml), "csv", &with_ends, &[]);
    check(("toml", toml), "csv", &with_ends, &[]);
    let book = convert("a.yaml", yaml.as_bytes(), "xlsx").unwrap();
    assert_eq!(text(convert("a.xlsx", &book, "toml").unwrap()), toml);
    // A number beyond 64 bits.
    let page = b"<table><tr><td>a<tr><td x:num=1e19>1</table>";
    let (written, notes) = convert_with("a.html", page, "toml", &[]).unwrap();
    assert_eq!(text(written), "[[row]]\na = \"10000000000000000000\"\n");
    assert!(
        notes.0.join(" ").contains("too large for toml"),
        "{notes:?}"
    );
    check(("csv", "a,b\n"), "yaml", "[]\n", &["only one row"]);
    let error = convert("a.yaml", b"a: 1\nb: 2\n", "csv").unwrap_err();
    assert!(
        error.message().contains("convert the file to json"),
        "{error}"
    );
}

/// Three objects with the same number of commas, as in most files of JSON Lines. They could be mistaken for CSV.
const LINES: &str = "{\"a\":1,\"b\":\"x\"}\n{\"a\":2,\"b\":\"y\"}\n{\"a\":3.10,\"b\":\"z\"}\n";

#[test]
fn json_lines_are_not_read_as_csv() {
    let csv = "a,b\r\n1,x\r\n2,y\r\n3.10,z\r\n";
    for name in ["a.jsonl", "a.ndjson", "a.log", ""] {
        assert_eq!(
            text(convert(name, LINES.as_bytes(), "csv").unwrap()),
            csv,
            "{name}"
        );
    }
    // The file is longer than the part that is read to detect its format, so the end of the array is not in this part.
    let rows = "{\"a\":1,\"b\":2},\n".repeat(10_000);
    let json = format!("[{rows}{{\"a\":1,\"b\":2}}]\n");
    for name in ["a.json", ""] {
        let made = text(convert(name, json.as_bytes(), "csv").unwrap());
        assert!(
            made.starts_with("a,b\r\n1,2\r\n"),
            "{name}: {}",
            &made[..40]
        );
    }
}

#[test]
fn json_lines_keep_nested_values() {
    let lines = "{\"a\":{\"b\":[1.50,null]},\"s\":\" \\\" x\"}\n{\"c\":1e400}\n";
    let array = "[\n{\"a\":{\"b\":[1.50,null]},\"s\":\" \\\" x\"},\n{\"c\":1e400}\n]\n";
    check(("jsonl", lines), "json", array, &[]);
    check(("jsonl", &lines.replace(':', " : ")), "jsonl", lines, &[]);
    check(("json", array), "jsonl", lines, &[]);
    check(
        ("json", " {\"a\" : [1, {} ]}"),
        "jsonl",
        "{\"a\":[1,{}]}\n",
        &[],
    );
    check(("json", "[]"), "jsonl", "", &[]);
    let yaml = "- a:\n    b:\n      - 1\n- c: x\n";
    let same = "{\"a\":{\"b\":[1]}}\n{\"c\":\"x\"}\n";
    check(("jsonl", same), "yaml", yaml, &[]);
    check(("yaml", yaml), "jsonl", same, &[]);
    check(
        ("toml", "[[row]]\na = 1\n[[row]]\nb = 2\n"),
        "jsonl",
        "{\"a\":1}\n{\"b\":2}\n",
        &[],
    );
    for broken in ["{\"a\":1}\n{\"a\":", "{\"a\":1}\nx"] {
        assert!(
            convert("a.jsonl", broken.as_bytes(), "json").is_err(),
            "{broken}"
        );
    }
}

#[test]
fn the_only_table_among_other_values_is_converted() {
    let csv = "a,b\r\n1,\r\n,2\r\n";
    let note = ["Only the list \"items\" was converted"];
    check(
        (
            "json",
            "{\"page\":1,\"items\":[{\"a\":1},{\"b\":2}],\"ids\":[1]}",
        ),
        "csv",
        csv,
        &note,
    );
    check(
        ("toml", "x = 1\n[[items]]\na = 1\n[[items]]\nb = 2\n"),
        "csv",
        csv,
        &note,
    );
    check(
        ("json", "{\"items\":[{\"a\":1},{\"b\":2}]}"),
        "csv",
        csv,
        &[],
    );
    for none in [
        "{\"a\":1,\"b\":[1]}",
        "{\"a\":[{\"b\":1}],\"c\":[{\"b\":1}]}",
    ] {
        let error = convert("a.json", none.as_bytes(), "csv").unwrap_err();
        assert!(error.message().contains("it contains no table"), "{error}");
    }
}

#[test]
fn data_without_a_table_becomes_code() {
    check(
        ("json", "{\"a\":{\"b\":1}}"),
        "md",
        "```json\n{\n  \"a\": {\n    \"b\": 1\n  }\n}\n```\n",
        &[],
    );
    check(
        ("yaml", "# why\na: 1\n"),
        "md",
        "```yaml\n# why\na: 1\n```\n",
        &[],
    );
    check(("toml", "a = 1\n"), "txt", "    a = 1\n", &[]);
    // A list beside other values does not become a table; all data is shown.
    let page = text(convert("a.json", br#"{"n":1,"items":[{"a":2}]}"#, "txt").unwrap());
    assert!(
        page.contains("\"n\": 1") && page.contains("\"a\": 2"),
        "{page}"
    );
}

#[test]
fn invalid_data_is_refused_with_its_line() {
    #[track_caller]
    fn check(name: &str, file: &str, expected: &str) {
        let error = convert(name, file.as_bytes(), "json").unwrap_err();
        assert!(error.message().contains(expected), "{error}");
    }
    check("a.yaml", "a: 1\nb: [1, 2\nc: }", "line 3");
    check("a.yaml", "a: &x [*x]", "contains the alias");
    check("a.toml", "a = 1\nb = \n", "line 2");
    check("a.toml", "a = 1\na = 2\n", "line 2");
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    check("a.yaml", &deep, "nested more than");
    check("a.toml", &format!("a = {deep}"), "recursion depth");
    let error = convert("a.json", deep.as_bytes(), "yaml").unwrap_err();
    assert!(error.message().contains("nested more than"), "{error}");
    let error = convert("a.json", b"{\"a\": }", "yaml").unwrap_err();
    assert!(error.message().contains("line 1"), "{error}");
}

#[test]
fn aliases_that_repeat_one_another_stay_within_bounds() {
    let mut laughs = "a: &a [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for (above, name) in "abcdefgh".chars().zip("bcdefghi".chars()) {
        let again = vec![format!("*{above}"); 10].join(", ");
        writeln!(laughs, "{name}: &{name} [{again}]").unwrap();
    }
    let error = convert("a.yaml", laughs.as_bytes(), "json").unwrap_err();
    assert!(
        error
            .message()
            .contains("values, including those that aliases repeat"),
        "{error}"
    );
}

#[test]
fn nested_and_repeated_aliases_have_limits() {
    // Each alias is one level deeper than the previous one.
    let mut deep = "a0: &a0 [x]\n".to_owned();
    for level in 1..200 {
        writeln!(deep, "a{level}: &a{level} [*a{}]", level - 1).unwrap();
    }
    let error = convert("a.yaml", deep.as_bytes(), "json").unwrap_err();
    assert!(error.message().contains("nested more than"), "{error}");
    // A text of a megabyte, 300 times.
    let again = vec!["*a"; 300].join(", ");
    let long = format!("a: &a {}\nb: [{again}]\n", "x".repeat(1 << 20));
    let error = convert("a.yaml", long.as_bytes(), "json").unwrap_err();
    assert!(error.message().contains("of text"), "{error}");
    // Many values at the deepest level would be indented by more than 200 million spaces.
    let (opening, closing) = ("[".repeat(120), "]".repeat(120));
    let many = vec!["0"; 1000].join(",");
    let wide = format!("a: &a [{many}]\nb: &b [{}]\n", vec!["*a"; 1000].join(","));
    let wide = format!("{wide}c: {opening}*b{closing}\n");
    let error = convert("a.yaml", wide.as_bytes(), "json").unwrap_err();
    assert!(error.message().contains("bomb"), "{error}");
}

#[test]
fn elements_become_names_and_lists() {
    let xml = "<?xml version=\"1.0\"?>\n<r a=\"1\" xmlns:p=\"urn:p\">\n  <p:n>x &lt; y</p:n>\n  <e/>\n  <i>1</i>\n  <i b=\"2\">two\nlines</i>\n</r>\n";
    let json = "{\n  \"r\": {\n    \"@a\": \"1\",\n    \"@xmlns:p\": \"urn:p\",\n    \"p:n\": \"x < y\",\n    \"e\": null,\n    \"i\": [\n      \"1\",\n      {\n        \"@b\": \"2\",\n        \"#text\": \"two\\nlines\"\n      }\n    ]\n  }\n}\n";
    check(("xml", xml), "json", json, &[]);
    let written = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<r a=\"1\" xmlns:p=\"urn:p\">\n  <p:n>x &lt; y</p:n>\n  <e/>\n  <i>1</i>\n  <i b=\"2\">two\nlines</i>\n</r>\n";
    check(("json", json), "xml", written, &[]);
    check(
        ("xml", "<a><b>&#233;</b><c/><b><![CDATA[<&x;]]></b></a>"),
        "yaml",
        "a:\n  b:\n    - é\n    - \"<&x;\"\n  c: null\n",
        &["moved to others"],
    );
    check(
        ("xml", "<a><b> </b></a>"),
        "yaml",
        "a:\n  b: null\n",
        &["nothing but white space"],
    );
    let error = convert("a.xml", b"<a><@x/></a>", "json").unwrap_err();
    assert!(error.message().contains("is not a name"), "{error}");
}

#[test]
fn declarations_without_a_namespace_become_elements() {
    check(
        ("json", "{\"a\":{\"@xmlns:p\":\"\",\"p:b\":\"c\"}}"),
        "xml",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a>\n  <_xmlns_p/>\n  <p_b>c</p_b>\n</a>\n",
        &["Names were changed", "Empty texts"],
    );
}

#[test]
fn what_only_xml_has_is_told() {
    check(
        (
            "xml",
            "<!DOCTYPE a [<!ENTITY w 'wide'><!ENTITY f SYSTEM 'file:///etc/passwd'>]><?p?><a b='&w;'><!-- c -->one <b>two</b> &f; three</a>",
        ),
        "json",
        "{\n  \"a\": {\n    \"@b\": \"&w;\",\n    \"b\": \"two\",\n    \"#text\": \"one  &f; three\"\n  }\n}\n",
        &[
            "Comments",
            "Processing instructions",
            "document type",
            "2 references",
            "text between its elements",
        ],
    );
    check(
        (
            "json",
            "{\"a b\":[1,[true]],\"\":\"\\u0001\",\"@c d\":null,\"q:e\":{},\"f\":[]}",
        ),
        "xml",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<root>\n  <a_b>1</a_b>\n  <a_b>\n    <item>true</item>\n  </a_b>\n  <_></_>\n  <_c_d/>\n  <q_e/>\n</root>\n",
        &[
            "Names were changed",
            "no types",
            "Empty texts",
            "Control characters",
            "the name root",
        ],
    );
}

#[test]
fn elements_become_rows() {
    let feed = "<?xml version='1.0'?>\n<feed version='2'><entries><entry id='7'><t>a</t><n>1.50</n></entry><entry><t>b</t><x><y/></x></entry><entry/></entries></feed>";
    let note = ["Only the list \"entry\" was converted"];
    let nested = ["Only the list", "nested object"];
    let csv = "@id,t,n,x\r\n7,a,1.50,\r\n,b,,\"{\"\"y\"\":null}\"\r\n,,,\r\n";
    check(("xml", feed), "csv", csv, &nested);
    // Without an extension, the declaration tells the format.
    assert_eq!(text(convert("", feed.as_bytes(), "csv").unwrap()), csv);
    check(
        ("xml", feed),
        "jsonl",
        "{\"@id\":\"7\",\"t\":\"a\",\"n\":\"1.50\"}\n{\"t\":\"b\",\"x\":{\"y\":null}}\n{}\n",
        &note,
    );
    let book = convert("a.xml", feed.as_bytes(), "xlsx").unwrap();
    let json = text(convert("a.xlsx", &book, "json").unwrap());
    assert!(json.contains("\"n\":1.5"), "{json}");
    let rows = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rows>\n  <row>\n    <first_name>Arthur &amp; co</first_name>\n    <count>1</count>\n  </row>\n</rows>\n";
    check(
        ("csv", "first name,count\nArthur & co,1\n"),
        "xml",
        rows,
        &["Names were changed"],
    );
    check(
        ("xml", "<r a='1'><row><x>1</x></row></r>"),
        "csv",
        "x\r\n1\r\n",
        &["Only the list \"row\""],
    );
    // In XML, a list of one row looks like a single element.
    let alone = convert("a.csv", b"name,count\nArthur,1\n", "xml").unwrap();
    assert_eq!(
        text(convert("a.xml", &alone, "csv").unwrap()),
        "name,count\r\nArthur,1\r\n"
    );
    let track =
        "<gpx><trk><trkseg><trkpt lat='1.5' lon='2'/><trkpt lat='3' lon='4'/></trkseg></trk></gpx>";
    assert_eq!(
        text(convert("a.gpx", track.as_bytes(), "csv").unwrap()),
        "@lat,@lon\r\n1.5,2\r\n3,4\r\n"
    );
    let error = convert("a.xml", b"<a><b><x>1</x><y/></b><c>2</c></a>", "csv").unwrap_err();
    assert!(error.message().contains("it contains no table"), "{error}");
    check(
        ("xml", "<a b='1'/>"),
        "md",
        "```xml\n<a b='1'/>\n```\n",
        &[],
    );
}

/// Compares JSON with the content that Python's module `xml.etree` reads in the XML made of it.
#[test]
fn python_reads_the_same() {
    const SCRIPT: &str = "import json, sys\n\
        import xml.etree.ElementTree as tree\n\
        def value(element):\n\
        \x20   made = {'@' + name: text for name, text in element.attrib.items()}\n\
        \x20   for child in element:\n\
        \x20       made.setdefault(child.tag, []).append(value(child))\n\
        \x20   text = element.text or ''\n\
        \x20   if text.strip() and made: made['#text'] = text\n\
        \x20   return {name: one[0] if isinstance(one, list) and len(one) == 1 else one for name, one in made.items()} or (text if text.strip() else None)\n\
        root = tree.parse(sys.argv[1]).getroot()\n\
        print(json.dumps({root.tag: value(root)}))";
    if !has("python3") {
        return;
    }
    let read = |xml: &[u8]| -> serde_json::Value {
        let path = directory("data").join("read.xml");
        fs::write(&path, xml).unwrap();
        let output = Command::new("python3")
            .args(["-c", SCRIPT])
            .arg(&path)
            .output();
        let output = output.unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{said}\n{}",
            String::from_utf8_lossy(xml)
        );
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let json = r##"{"r": {"@a": "x\ty\n\"z\" & é", "b": ["1", {"@c": "d", "e": "]]> <&", "#text": "f"}, null], "g": {"h": " i "}}}"##;
    let (xml, notes) = convert_with("a.json", json.as_bytes(), "xml", &[]).unwrap();
    assert_eq!(notes.0, Vec::<String>::new());
    let expected: serde_json::Value = serde_json::from_str(json).unwrap();
    let found: serde_json::Value =
        serde_json::from_slice(&convert("a.xml", &xml, "json").unwrap()).unwrap();
    assert_eq!(found, expected);
    assert_eq!(read(&xml)["r"]["@a"], expected["r"]["@a"]);
    assert_eq!(read(&xml)["r"]["g"], expected["r"]["g"]);
    // Any names and values make a well-formed file.
    read(&convert("a.json", JSON.as_bytes(), "xml").unwrap());
    let odd = r##"{"@xmlns:p": "u", "p:x y": 1, "p:": 2, ":": 3, "@p:a": "b", "@q:a": "b", "#text": [1], "-": {"#text": {"@": 1}}}"##;
    read(&convert("a.json", odd.as_bytes(), "xml").unwrap());
    let utf16: Vec<u8> = "\u{feff}<?xml version='1.0' encoding='UTF-16'?><a>é</a>"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let made = text(convert("a.xml", &utf16, "json").unwrap());
    assert_eq!(made, "{\n  \"a\": \"é\"\n}\n");
}

#[test]
fn xml_that_is_something_else_stays_it() {
    #[track_caller]
    fn check(name: &str, file: &str, target: &str, expected: &str) {
        match convert(name, file.as_bytes(), target) {
            Ok(made) => assert!(
                String::from_utf8_lossy(&made).contains(expected),
                "{name}: {}",
                String::from_utf8_lossy(&made)
            ),
            Err(error) => assert!(error.message().contains(expected), "{error}"),
        }
    }
    let page = "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body><h1>A</h1></body></html>";
    check("a.xml", page, "md", "# A");
    check("a.txt", "<?xml version='1.0'?><a/>", "md", "a/");
    let book =
        "<?xml version='1.0'?><FictionBook><body><section><p>A</p></section></body></FictionBook>";
    check("a.xml", book, "txt", "A");
    let workbook = "<?xml version='1.0'?><Workbook xmlns='urn:schemas-microsoft-com:office:spreadsheet' xmlns:ss='urn:schemas-microsoft-com:office:spreadsheet'><Worksheet ss:Name='S'><Table><Row><Cell><Data ss:Type='Number'>1</Data></Cell></Row></Table></Worksheet></Workbook>";
    check("a.xml", workbook, "csv", "1\r\n");
    check(
        "a.xml",
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>",
        "json",
        "svg",
    );
    let package = "<?xml version='1.0'?><pkg:package xmlns:pkg='http://schemas.microsoft.com/office/2006/xmlPackage'/>";
    check("a.xml", package, "json", "in a single XML file");
    check(
        "a.docx",
        "<?xml version='1.0'?><a/>",
        "json",
        "content matches no supported format",
    );
}

#[test]
fn xml_that_is_damaged_or_deep_is_refused() {
    #[track_caller]
    fn check(file: &str, expected: &str) {
        let error = convert("a.xml", file.as_bytes(), "json").unwrap_err();
        assert!(error.message().contains(expected), "{error}");
    }
    check("<a>\n<b></a>", "line 2");
    check("<a>", "in the middle");
    check("<a/>b", "outside of the root");
    let deep = format!("{}{}", "<a>".repeat(200), "</a>".repeat(200));
    check(&deep, "nested more than");
    let lists = format!("{}{}", "<a><a/>".repeat(100), "</a>".repeat(100));
    check(&lists, "nested more than");
    let laughs =
        "<!DOCTYPE a [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]><a>&b;</a>";
    let made = text(convert("a.xml", laughs.as_bytes(), "json").unwrap());
    assert_eq!(made, "{\n  \"a\": \"&b;\"\n}\n");
    // The name of a list is repeated for each item.
    let long = format!(
        "{{\"{}\":[{}1]}}",
        "a".repeat(1 << 20),
        "1,".repeat(100_000)
    );
    let error = convert("a.json", long.as_bytes(), "xml").unwrap_err();
    assert!(error.message().contains("bomb"), "{error}");
}
