//! Rules for single objects: streams, actions, annotations, fonts, attached files. Does not look at the content of
//! pages.

use super::{File, NULL, is_stream};
use serde_json::{Map, Value};

/// Permitted actions (6.5.1).
const ACTIONS: [&str; 7] = [
    "/GoTo",
    "/GoToR",
    "/GoToE",
    "/Thread",
    "/URI",
    "/Named",
    "/SubmitForm",
];
/// Permitted named actions (6.5.1).
const NAMED_ACTIONS: [&str; 4] = ["/NextPage", "/PrevPage", "/FirstPage", "/LastPage"];
/// Permitted annotations (6.3.1).
const ANNOTATIONS: [&str; 18] = [
    "/Text",
    "/Link",
    "/FreeText",
    "/Line",
    "/Square",
    "/Circle",
    "/Polygon",
    "/PolyLine",
    "/Highlight",
    "/Underline",
    "/Squiggly",
    "/StrikeOut",
    "/Stamp",
    "/Caret",
    "/Ink",
    "/Popup",
    "/Widget",
    "/FileAttachment",
];
/// Permitted filters of streams (6.1.7.2).
const FILTERS: [&str; 8] = [
    "/ASCIIHexDecode",
    "/ASCII85Decode",
    "/FlateDecode",
    "/RunLengthDecode",
    "/CCITTFaxDecode",
    "/JBIG2Decode",
    "/DCTDecode",
    "/JPXDecode",
];
/// Permitted blend modes (6.2.10).
const BLENDS: [&str; 17] = [
    "/Normal",
    "/Compatible",
    "/Multiply",
    "/Screen",
    "/Overlay",
    "/Darken",
    "/Lighten",
    "/ColorDodge",
    "/ColorBurn",
    "/HardLight",
    "/SoftLight",
    "/Difference",
    "/Exclusion",
    "/Hue",
    "/Saturation",
    "/Color",
    "/Luminosity",
];
/// Limits on the length of a name and of a string, in bytes (6.1.13).
const MAX_NAME: usize = 127;
const MAX_STRING: usize = 32_767;

impl File {
    /// Checks the rules for all objects.
    pub(super) fn objects(&mut self, is_unicode: bool) {
        // Checking looks up other objects and records faults, so this list is a copy.
        let objects = self.objects.clone();
        for object in objects.values() {
            if is_stream(object) {
                self.stream(object);
                self.value(&object["dict"], true, is_unicode);
            } else {
                self.value(object, false, is_unicode);
            }
        }
    }

    fn stream(&mut self, stream: &Value) {
        let Some(dict) = stream["dict"].as_object().cloned() else {
            return;
        };
        for key in ["/F", "/FFilter", "/FDecodeParms"] {
            self.must(
                !dict.contains_key(key),
                "6.1.7.1: the data of a stream are elsewhere",
            );
        }
        for filter in self.list(&dict, "/Filter") {
            let filter = filter.as_str().unwrap_or_default();
            self.must(
                FILTERS.contains(&filter),
                &format!("6.1.7.2: a stream has the filter {filter}"),
            );
        }
        let kind = self.name(&dict, "/Subtype");
        match &*kind {
            "/Image" => {
                for key in ["/Alternates", "/OPI"] {
                    self.must(
                        !dict.contains_key(key),
                        &format!("6.2.8: a picture has {key}"),
                    );
                }
                let is_smooth = self.get(&dict, "/Interpolate") == true;
                self.must(!is_smooth, "6.2.8: a picture is to be interpolated");
                let is_cmyk = self.get(&dict, "/ColorSpace") == "/DeviceCMYK";
                self.must(!is_cmyk, "6.2.4.3: a picture has CMYK without a profile");
            }
            "/Form" => {
                for key in ["/OPI", "/Ref", "/PS", "/Subtype2"] {
                    self.must(!dict.contains_key(key), &format!("6.2.9: a form has {key}"));
                }
                if let Some(content) = self.decoded(stream) {
                    let has_resources = dict.contains_key("/Resources");
                    self.content(&content, has_resources, "form");
                }
            }
            "/PS" => self.fault("6.2.9: there is a program in PostScript"),
            _ => {}
        }
    }

    fn value(&mut self, value: &Value, is_stream: bool, is_unicode: bool) {
        match value {
            Value::Object(dict) => {
                self.dictionary(dict, is_stream, is_unicode);
                for (key, inner) in dict {
                    self.must(key.len() <= MAX_NAME, "6.1.13: a name is too long");
                    self.value(inner, false, is_unicode);
                }
            }
            Value::Array(values) => values
                .iter()
                .for_each(|value| self.value(value, false, is_unicode)),
            Value::String(text) => {
                let most = match text.starts_with('/') {
                    true => MAX_NAME,
                    false => MAX_STRING,
                };
                self.must(text.len() <= most, "6.1.13: a name or a string is too long");
            }
            Value::Number(number) => {
                let is_small = number
                    .as_i64()
                    .is_none_or(|number| i32::try_from(number).is_ok());
                self.must(is_small, "6.1.13: a number is too large");
            }
            _ => {}
        }
    }

    fn dictionary(&mut self, dict: &Map<String, Value>, is_stream: bool, is_unicode: bool) {
        self.must(!dict.contains_key("/AA"), "6.5.2: something acts by itself");
        for key in ["/A", "/OpenAction", "/Next"] {
            if let Some(action) = self.dict(dict.get(key).unwrap_or(&NULL)).cloned() {
                self.action(&action);
            }
        }
        if dict.contains_key("/Rect") && dict.contains_key("/Subtype") {
            self.annotation(dict);
        }
        match &*self.name(dict, "/Type") {
            "/Font" if !is_stream => self.font(dict, is_unicode),
            "/ExtGState" => {
                for key in ["/TR", "/HTP"] {
                    self.must(
                        !dict.contains_key(key),
                        &format!("6.2.5: a graphics state has {key}"),
                    );
                }
                let is_transfer =
                    dict.contains_key("/TR2") && self.name(dict, "/TR2") != "/Default";
                self.must(!is_transfer, "6.2.5: a graphics state has /TR2");
                let blend = self.name(dict, "/BM");
                self.must(
                    blend.is_empty() || BLENDS.contains(&&*blend),
                    "6.2.10: an unknown blend mode",
                );
            }
            "/Page" => self.must(
                !dict.contains_key("/PresSteps"),
                "6.10: a page has presentation steps",
            ),
            "/Filespec" if dict.contains_key("/EF") => self.attached(dict),
            _ => {}
        }
    }

    fn action(&mut self, action: &Map<String, Value>) {
        let kind = self.name(action, "/S");
        self.must(
            kind.is_empty() || ACTIONS.contains(&&*kind),
            &format!("6.5.1: there is an action {kind}"),
        );
        let name = self.name(action, "/N");
        let is_named = kind != "/Named" || NAMED_ACTIONS.contains(&&*name);
        self.must(is_named, &format!("6.5.1: there is a named action {name}"));
    }

    fn annotation(&mut self, dict: &Map<String, Value>) {
        let kind = self.name(dict, "/Subtype");
        self.must(
            ANNOTATIONS.contains(&&*kind),
            &format!("6.3.1: there is an annotation {kind}"),
        );
        if kind == "/Popup" {
            return;
        }
        // Flags of 6.3.2: invisible, hidden, print, no view, toggle no view.
        let flags = self.get(dict, "/F").as_i64().unwrap_or(0);
        self.must(
            flags & (1 | 2 | 32 | 256) == 0,
            &format!("6.3.2: {kind} is hidden"),
        );
        self.must(flags & 4 != 0, &format!("6.3.2: {kind} is not printed"));
        let looks = self.dict(self.get(dict, "/AP")).cloned();
        if kind != "/Link" {
            self.must(looks.is_some(), &format!("6.3.3: {kind} has no appearance"));
        }
        if let Some(looks) = looks {
            let is_plain = looks.keys().all(|key| key == "/N");
            self.must(
                is_plain,
                &format!("6.3.3: {kind} has more than its normal appearance"),
            );
        }
        let acts = kind == "/Widget" && dict.contains_key("/A");
        self.must(!acts, "6.4.1: a field has an action");
    }

    /// Checks the rules for fonts (6.2.11).
    fn font(&mut self, dict: &Map<String, Value>, is_unicode: bool) {
        let kind = self.name(dict, "/Subtype");
        let name = self.name(dict, "/BaseFont");
        let is_of_composite = kind.starts_with("/CIDFont");
        if kind == "/Type0" {
            let encoding = self.get(dict, "/Encoding");
            let is_known = encoding.is_object() || encoding.is_string();
            self.must(is_known, &format!("6.2.11.3.3: {name} has no CMap"));
        } else if kind != "/Type3" {
            let descriptor = self
                .dict(self.get(dict, "/FontDescriptor"))
                .cloned()
                .unwrap_or_default();
            let embedded = ["/FontFile", "/FontFile2", "/FontFile3"];
            let is_embedded = embedded
                .iter()
                .any(|key| self.get(&descriptor, key).get("data").is_some());
            self.must(
                is_embedded,
                &format!("6.2.11.4: the font {name} is not embedded"),
            );
            if kind == "/CIDFontType2" {
                self.must(
                    dict.contains_key("/CIDToGIDMap"),
                    &format!("6.2.11.3.2: {name} has no map of glyphs"),
                );
            }
            if !is_of_composite {
                let number = |key| self.get(dict, key).as_i64().unwrap_or(-1);
                let count = number("/LastChar") - number("/FirstChar") + 1;
                let widths = self.get(dict, "/Widths").as_array().map_or(0, Vec::len);
                self.must(
                    widths as i64 == count,
                    &format!("6.2.11.2: {name} has no widths"),
                );
            }
        }
        if is_unicode && !is_of_composite {
            let map = self.get(dict, "/ToUnicode").clone();
            match self.decoded(&map) {
                Some(map) => {
                    let map = String::from_utf8_lossy(&map).to_uppercase();
                    let is_plain = ["<0000>]", "<FEFF>", "<FFFE>"]
                        .iter()
                        .all(|nothing| !map.contains(nothing));
                    self.must(is_plain, &format!("6.2.11.7: {name} maps to no character"));
                }
                None => self.fault(format!("6.2.11.7: {name} has no map to Unicode")),
            }
        }
    }

    /// Checks the rules for attached files (ISO 19005-3, 6.8).
    fn attached(&mut self, dict: &Map<String, Value>) {
        for key in ["/F", "/UF", "/AFRelationship"] {
            self.must(
                dict.contains_key(key),
                &format!("6.8: an attached file has no {key}"),
            );
        }
        let embedded = self
            .dict(self.get(dict, "/EF"))
            .cloned()
            .unwrap_or_default();
        let file = self
            .dict(self.get(&embedded, "/F"))
            .cloned()
            .unwrap_or_default();
        let is_typed = self.name(&file, "/Subtype").contains('/');
        self.must(is_typed, "6.8: an attached file has no media type");
        let is_tied = self.root().contains_key("/AF");
        self.must(is_tied, "6.8: an attached file belongs to nothing");
    }
}
