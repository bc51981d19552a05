//! Violations of PDF/A that cannot be corrected without changing the page (ISO 19005-2, chapter 6): fonts that are not
//! embedded, colours that the output intent does not cover, annotations that are not permitted, hidden or without an
//! appearance, data outside of the file.

use super::{
    store::{Data, Store},
    value::{Dict, Id, Value},
};
use crate::{error::Result, read::strings};
use hayro::hayro_syntax::{Filter, content::UntypedIter, object::Object};
use std::{borrow::Cow, collections::BTreeSet};

/// Limit on the faults that a note names.
const MAX_NAMED: usize = 8;

/// Annotations that PDF/A permits (6.3.1).
const ANNOTATIONS: [&str; 18] = [
    "Text",
    "Link",
    "FreeText",
    "Line",
    "Square",
    "Circle",
    "Polygon",
    "PolyLine",
    "Highlight",
    "Underline",
    "Squiggly",
    "StrikeOut",
    "Stamp",
    "Caret",
    "Ink",
    "Popup",
    "Widget",
    "FileAttachment",
];

/// Operators of content streams (ISO 32000-1, annex A). PDF/A forbids others even between `BX` and `EX` (6.2.2).
const OPERATORS: [&[u8]; 73] = [
    b"b", b"B", b"b*", b"B*", b"BDC", b"BI", b"BMC", b"BT", b"BX", b"c", b"cm", b"CS", b"cs", b"d",
    b"d0", b"d1", b"Do", b"DP", b"EI", b"EMC", b"ET", b"EX", b"f", b"F", b"f*", b"G", b"g", b"gs",
    b"h", b"i", b"ID", b"j", b"J", b"K", b"k", b"l", b"m", b"M", b"MP", b"n", b"q", b"Q", b"re",
    b"RG", b"rg", b"ri", b"s", b"S", b"SC", b"sc", b"SCN", b"scn", b"sh", b"T*", b"Tc", b"Td",
    b"TD", b"Tf", b"Tj", b"TJ", b"TL", b"Tm", b"Tr", b"Ts", b"Tw", b"Tz", b"v", b"w", b"W", b"W*",
    b"y", b"'", b"\"",
];
/// Operators that always name a resource.
const NAMING: [&[u8]; 4] = [b"Do", b"Tf", b"gs", b"sh"];
/// Rendering intents (6.2.6).
const INTENTS: [&[u8]; 4] = [
    b"RelativeColorimetric",
    b"AbsoluteColorimetric",
    b"Perceptual",
    b"Saturation",
];

/// Limit of PDF/A on the nesting of `q` (6.1.13).
const MAX_NESTED: usize = 28;
/// Limit of PDF/A on the length of a name, in bytes (6.1.13).
const MAX_NAME: usize = 127;
/// Limit of PDF/A on the length of a string, in bytes (6.1.13).
const MAX_TEXT: usize = 32_767;
/// Range of PDF/A for the sides of a page, in its units (6.1.13).
const SIDES: std::ops::RangeInclusive<f64> = 3.0..=14_400.0;

/// Flags of annotations that hide them (ISO 32000-1, 12.5.3).
pub(super) const HIDDEN: i64 = 1 | 2 | 32 | 256;

/// The faults that were found, in words.
#[derive(Default)]
pub(super) struct Faults(BTreeSet<String>);

impl Faults {
    pub(super) fn add(&mut self, fault: impl Into<String>) {
        if self.0.len() <= 4 * MAX_NAMED {
            self.0.insert(fault.into());
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The faults as a list for a note.
    pub(super) fn list(&self) -> String {
        let named: Vec<&str> = self.0.iter().take(MAX_NAMED).map(String::as_str).collect();
        match self.0.len() > MAX_NAMED {
            true => format!("{}, and more", named.join(", ")),
            false => named.join(", "),
        }
    }
}

/// The device colours that an output intent covers.
#[derive(Clone, Copy)]
pub(super) struct Colours {
    rgb: bool,
    cmyk: bool,
}

impl Colours {
    /// Colours that an output intent with this number of components covers.
    pub(super) fn of(components: i64) -> Self {
        Self {
            rgb: components == 3,
            cmyk: components == 4,
        }
    }

    fn check(self, name: &[u8], faults: &mut Faults) {
        match name {
            b"DeviceCMYK" | b"CMYK" | b"k" | b"K" if !self.cmyk => {
                faults.add("colours in CMYK without a profile");
            }
            b"DeviceRGB" | b"RGB" | b"rg" | b"RG" if !self.rgb => {
                faults.add("colours in RGB, but a profile for other colours");
            }
            _ => {}
        }
    }
}

/// Checks a name, which may stand for a colour space.
pub(super) fn in_name(name: &[u8], colours: Colours, faults: &mut Faults) {
    if name.starts_with(b"Device") {
        colours.check(name, faults);
    }
    if name.len() > MAX_NAME {
        faults.add("a name of more than 127 bytes");
    }
}

/// Checks the length of a string.
pub(super) fn in_text(text: &[u8], faults: &mut Faults) {
    if text.len() > MAX_TEXT {
        faults.add("a text of more than 32,767 bytes");
    }
}

/// Checks the range of an integer.
pub(super) fn in_number(number: i64, faults: &mut Faults) {
    if i32::try_from(number).is_err() {
        faults.add("a number beyond 32 bits");
    }
}

/// Checks a dictionary, which may describe a font, an annotation or a page.
pub(super) fn in_dict(store: &mut Store<'_>, dict: &Dict, faults: &mut Faults) {
    if store.is_name(dict.get("Type"), "Font") {
        in_font(store, dict, faults);
    }
    if dict.has("Rect") && dict.has("Subtype") {
        in_annotation(store, dict, faults);
    }
    if store.is_name(dict.get("Type"), "Page") {
        in_page(store, dict, faults);
    }
}

fn in_page(store: &mut Store<'_>, page: &Dict, faults: &mut Faults) {
    for key in ["MediaBox", "CropBox", "BleedBox", "TrimBox", "ArtBox"] {
        let Some(corners) = store.array(page.get(key)) else {
            continue;
        };
        let corners: Vec<f64> = corners
            .iter()
            .filter_map(|corner| store.number(Some(corner)))
            .collect();
        if let [left, bottom, right, top] = *corners.as_slice()
            && ![right - left, top - bottom]
                .iter()
                .all(|side| SIDES.contains(&side.abs()))
        {
            faults.add("a page that is smaller than 3 units or larger than 14,400");
        }
    }
}

fn in_font(store: &mut Store<'_>, font: &Dict, faults: &mut Faults) {
    let is = |store: &mut Store<'_>, kind| store.is_name(font.get("Subtype"), kind);
    if is(store, "Type0") || is(store, "Type3") {
        return;
    }
    let descriptor = store.dict(font.get("FontDescriptor")).unwrap_or_default();
    let is_embedded = ["FontFile", "FontFile2", "FontFile3"]
        .iter()
        .any(|key| descriptor.has(key));
    if !is_embedded {
        let name = match font.get("BaseFont").map(|name| store.resolve(name)) {
            Some(Value::Name(name)) => String::from_utf8_lossy(&name).into_owned(),
            _ => "without a name".to_owned(),
        };
        let name: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
        faults.add(format!("the font {name} that is not embedded"));
    }
}

/// Collects the violations of an annotation (ISO 19005-2, 6.3).
fn in_annotation(store: &mut Store<'_>, annotation: &Dict, faults: &mut Faults) {
    let Some(Value::Name(kind)) = annotation.get("Subtype").map(|kind| store.resolve(kind)) else {
        return;
    };
    let kind = String::from_utf8_lossy(&kind).into_owned();
    if !ANNOTATIONS.contains(&&*kind) {
        // The caller has found a `Rect`, which form XObjects lack, so this dictionary is an annotation.
        let kind: String = kind.chars().filter(|c| !c.is_control()).take(40).collect();
        return faults.add(format!("an annotation of the kind {kind}"));
    }
    let flags = store.integer(annotation.get("F")).unwrap_or(0);
    if flags & HIDDEN != 0 && kind != "Popup" {
        faults.add("hidden comments or fields");
    }
    let needs_look = !matches!(&*kind, "Popup" | "Link");
    if needs_look && !annotation.has("AP") {
        faults.add(match &*kind {
            "Widget" => "form fields without an appearance".to_owned(),
            _ => format!("comments ({kind}) without an appearance"),
        });
    }
}

/// The content streams to which a page or a Type 3 font refers. Such a stream need not state its type.
pub(super) fn contents(store: &mut Store<'_>, dict: &Dict) -> Vec<Id> {
    let mut found = Vec::new();
    if store.is_name(dict.get("Type"), "Page") {
        found.extend(dict.get("Contents").and_then(Value::as_ref));
        let parts = store.array(dict.get("Contents")).unwrap_or_default();
        found.extend(parts.iter().filter_map(Value::as_ref));
    }
    if let Some(glyphs) = store.dict(dict.get("CharProcs")) {
        found.extend(glyphs.values().filter_map(Value::as_ref));
    }
    found
}

/// Returns whether a stream with this dictionary is a form or a tiling pattern, whose content is drawn.
pub(super) fn draws(store: &mut Store<'_>, dict: &Dict) -> bool {
    store.is_name(dict.get("Subtype"), "Form")
        || dict.has("PatternType") && !dict.has("ShadingType")
}

/// Checks a stream, and also its content if it is a content stream.
///
/// Errors: there is not enough memory, or the job is to end.
pub(super) fn in_stream(
    store: &mut Store<'_>,
    id: Id,
    (dict, data): (&Dict, &Data),
    is_content: bool,
    colours: Colours,
    faults: &mut Faults,
) -> Result<()> {
    if dict.has("F") && store.dict(dict.get("F")).is_some() || dict.has("FFilter") {
        faults.add("data in another file");
    }
    if store.is_name(dict.get("Subtype"), "PS") {
        faults.add("programs in PostScript");
    }
    if !is_content {
        return Ok(());
    }
    let decoded = match data {
        Data::Own(bytes) => Some(Cow::Borrowed(bytes.as_slice())),
        Data::Of(_) => {
            store.check()?;
            store
                .stream(id)
                .and_then(|stream| stream.decoded_data().ok())
        }
    };
    let Some(decoded) = decoded else {
        faults.add("a damaged stream");
        return Ok(());
    };
    let has_resources = !store.is_name(dict.get("Subtype"), "Form") || dict.has("Resources");
    in_content(&decoded, colours, has_resources, faults);
    Ok(())
}

/// Checks the operators of a content stream.
fn in_content(content: &[u8], colours: Colours, has_resources: bool, faults: &mut Faults) {
    let mut nested = 0usize;
    let mut operators = UntypedIter::new(content);
    while let Some(instruction) = operators.next() {
        let operator: &[u8] = instruction.operator;
        colours.check(operator, faults);
        match operator {
            b"q" => {
                nested += 1;
                if nested > MAX_NESTED {
                    faults.add("graphics states nested more than 28 deep");
                }
            }
            b"Q" => nested = nested.saturating_sub(1),
            b"ri" => {
                if let Some(Object::Name(intent)) = instruction.operands().next()
                    && !INTENTS.contains(&&**intent)
                {
                    faults.add("an unknown rendering intent");
                }
            }
            b"BI" => {
                if let Some(Object::Stream(picture)) = instruction.operands().next()
                    && picture.filters().contains(&Filter::LzwDecode)
                {
                    faults.add("a picture that is packed with LZW within a page");
                }
            }
            named if NAMING.contains(&named) && !has_resources => {
                faults.add("a drawing that uses the resources of its page");
            }
            known if OPERATORS.contains(&known) => {}
            _ => faults.add("an unknown drawing operator"),
        }
    }
}

/// Decodes a text string. `None` if the value is not a string, or is blank.
pub(super) fn text_of(store: &mut Store<'_>, value: Option<&Value>) -> Option<String> {
    let text = store.text(value)?;
    let text = strings::decode(&text);
    (!text.trim().is_empty()).then_some(text)
}
