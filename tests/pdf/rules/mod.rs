//! Rules of PDF/A-2 and PDF/A-3 (ISO 19005-2 and 19005-3, levels B and U), checked over all objects of a file as qpdf
//! reads them, so that the reader shares no code with the writer. Does not check level A, colours in pictures, or
//! whether fonts have all glyphs that are drawn.

mod content;
mod metadata;
mod objects;

use crate::harness::has;
use serde_json::{Map, Value};
use std::{
    collections::{BTreeSet, HashMap},
    ffi::OsStr,
    process::{Command, Stdio},
};

/// Returns whether files can be checked here, and otherwise prints the reason.
#[track_caller]
pub(crate) fn can_check() -> bool {
    has("qpdf")
}

/// The level of conformance that a file claims, such as `2U`, and the rules that it breaks.
#[track_caller]
pub(crate) fn faults(file: &[u8]) -> (String, Vec<String>) {
    let mut checked = File::read(file);
    checked.outside(file);
    checked.catalog();
    let claim = checked.metadata();
    checked.objects(claim.ends_with('U'));
    checked.pages();
    (claim, checked.faults.into_iter().collect())
}

struct File {
    objects: HashMap<String, Value>,
    trailer: Value,
    faults: BTreeSet<String>,
}

static NULL: Value = Value::Null;

impl File {
    #[track_caller]
    fn read(file: &[u8]) -> Self {
        let json = qpdf(file);
        let json: Value = serde_json::from_slice(&json).expect("qpdf writes JSON");
        let listed = json["qpdf"][1].as_object().expect("it has objects");
        let mut objects = HashMap::new();
        let mut trailer = Value::Null;
        for (key, object) in listed {
            match key.strip_prefix("obj:") {
                Some(name) if !object["stream"].is_null() => {
                    objects.insert(name.to_owned(), object["stream"].clone());
                }
                Some(name) => {
                    objects.insert(name.to_owned(), object["value"].clone());
                }
                None => trailer = object["value"].clone(),
            }
        }
        Self {
            objects,
            trailer,
            faults: BTreeSet::new(),
        }
    }

    fn fault(&mut self, fault: impl Into<String>) {
        self.faults.insert(fault.into());
    }

    fn must(&mut self, holds: bool, rule: &str) {
        if !holds {
            self.fault(rule);
        }
    }

    fn resolve<'v>(&'v self, value: &'v Value) -> &'v Value {
        match value.as_str() {
            Some(text) if text.ends_with(" R") => self.objects.get(text).unwrap_or(&NULL),
            _ => value,
        }
    }

    /// A dictionary, or the dictionary of a stream.
    fn dict<'v>(&'v self, value: &'v Value) -> Option<&'v Map<String, Value>> {
        let found = self.resolve(value);
        match is_stream(found) {
            true => found["dict"].as_object(),
            false => found.as_object(),
        }
    }

    fn get<'v>(&'v self, dict: &'v Map<String, Value>, key: &str) -> &'v Value {
        dict.get(key).map_or(&NULL, |value| self.resolve(value))
    }

    /// The values of an entry that may be a single value or an array.
    fn list(&self, dict: &Map<String, Value>, key: &str) -> Vec<Value> {
        match self.get(dict, key) {
            Value::Array(values) => values.clone(),
            Value::Null => Vec::new(),
            one => vec![one.clone()],
        }
    }

    fn name(&self, dict: &Map<String, Value>, key: &str) -> String {
        self.get(dict, key).as_str().unwrap_or_default().to_owned()
    }

    /// The decoded bytes of a stream, unless it has a filter other than Deflate.
    fn decoded(&self, stream: &Value) -> Option<Vec<u8>> {
        let data = stream.get("data")?.as_str()?;
        let data = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, data).ok()?;
        let dict = stream["dict"].as_object()?;
        match self.list(dict, "/Filter").as_slice() {
            [] => Some(data),
            [one] if one == "/FlateDecode" && !dict.contains_key("/DecodeParms") => {
                miniz_oxide::inflate::decompress_to_vec_zlib(&data).ok()
            }
            _ => None,
        }
    }

    /// Checks the rules for the bytes of a file and for its trailer (6.1.2, 6.1.3).
    #[track_caller]
    fn outside(&mut self, file: &[u8]) {
        let is_header = file.starts_with(b"%PDF-1.") && matches!(file.get(7), Some(b'0'..=b'7'));
        self.must(is_header, "6.1.2: the header is not %PDF-1.n");
        let second = file.split(|byte| *byte == b'\n').nth(1).unwrap_or_default();
        let marks = second.iter().skip(1).take(4);
        let is_binary = second.starts_with(b"%") && marks.filter(|byte| **byte > 127).count() == 4;
        self.must(is_binary, "6.1.2: no comment of four bytes above 127");
        let is_ended = file.trim_ascii_end().ends_with(b"%%EOF");
        self.must(is_ended, "6.1.3: there are bytes after the end");
        let id = self.trailer["/ID"].as_array().map_or(0, Vec::len);
        self.must(id == 2, "6.1.3: the trailer has no ID");
        let is_locked = self.trailer.get("/Encrypt").is_some();
        self.must(!is_locked, "6.1.3: the file is encrypted");
    }

    fn root(&self) -> Map<String, Value> {
        let root = self.dict(&self.trailer["/Root"]);
        root.expect("there is a catalogue").clone()
    }

    fn catalog(&mut self) {
        let root = self.root();
        for key in ["/AA", "/Requirements", "/NeedsRendering"] {
            self.must(!root.contains_key(key), &format!("the catalogue has {key}"));
        }
        let names = self
            .dict(self.get(&root, "/Names"))
            .cloned()
            .unwrap_or_default();
        for key in ["/JavaScript", "/AlternatePresentations"] {
            self.must(!names.contains_key(key), &format!("the names have {key}"));
        }
        if let Some(form) = self.dict(self.get(&root, "/AcroForm")).cloned() {
            self.must(!form.contains_key("/XFA"), "6.4.2: there is an XFA form");
            let is_late = self.get(&form, "/NeedAppearances") == true;
            self.must(!is_late, "6.4.1: appearances are to be made");
        }
        if let Some(layers) = self.dict(self.get(&root, "/OCProperties")).cloned() {
            let shown = self
                .dict(self.get(&layers, "/D"))
                .cloned()
                .unwrap_or_default();
            let has_name = self.get(&shown, "/Name").is_string();
            self.must(has_name, "6.9: the configuration of layers has no name");
            let is_plain = !shown.contains_key("/AS");
            self.must(is_plain, "6.9: layers change by themselves");
        }
        self.intents(&root);
    }

    /// Checks the output intents and their profiles (6.2.3).
    fn intents(&mut self, root: &Map<String, Value>) {
        let intents = self.get(root, "/OutputIntents").as_array().cloned();
        let mut archival = 0;
        for intent in intents.unwrap_or_default() {
            let intent = self.dict(&intent).cloned().unwrap_or_default();
            if self.name(&intent, "/S") != "/GTS_PDFA1" {
                continue;
            }
            archival += 1;
            let has_condition = self.get(&intent, "/OutputConditionIdentifier").is_string();
            self.must(has_condition, "6.2.3: the output intent names no condition");
            let stream = self.get(&intent, "/DestOutputProfile").clone();
            let Some(profile) = self.decoded(&stream) else {
                self.fault("6.2.3: the output intent has no profile");
                continue;
            };
            let is_profile = profile.get(36..40) == Some(b"acsp")
                && matches!(profile[8], 2 | 4)
                && profile[..4] == (profile.len() as u32).to_be_bytes()
                && matches!(&profile[12..16], b"mntr" | b"prtr");
            self.must(is_profile, "6.2.3: the profile is not one of ICC");
            let components = match profile.get(16..20) {
                Some(b"GRAY") => 1,
                Some(b"RGB ") => 3,
                Some(b"CMYK") => 4,
                _ => 0,
            };
            let said = self.get(stream["dict"].as_object().expect("a stream"), "/N");
            let is_said = *said == components;
            self.must(is_said, "6.2.3: the profile has other components than N");
        }
        self.must(archival == 1, "6.2.3: there is no output intent");
    }
}

fn is_stream(object: &Value) -> bool {
    object.get("data").is_some() && object.get("dict").is_some()
}

/// All objects of a file as JSON, with the encoded bytes of streams.
#[track_caller]
fn qpdf(file: &[u8]) -> Vec<u8> {
    let path = std::env::temp_dir().join(format!(
        "convertd-pdfa-{}-{:?}.pdf",
        std::process::id(),
        std::thread::current().id()
    ));
    std::fs::write(&path, file).expect("a file can be written");
    let output = Command::new("qpdf")
        .args(["--json-output", "--json-stream-data=inline"])
        .arg("--decode-level=none")
        .args([path.as_os_str(), OsStr::new("-")])
        .stdin(Stdio::null())
        .output()
        .expect("qpdf runs");
    std::fs::remove_file(&path).expect("a file can be removed");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    output.stdout
}
