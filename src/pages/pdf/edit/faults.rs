//! Violations of PDF/A that cannot be mended without changing the page (ISO 19005-2, chapter 6): fonts that are
//! not embedded, colours that the output intent does not cover, annotations of kinds that move or are hidden, data elsewhere.

use super::{
    store::{Data, Store},
    value::{Dict, Id, Value},
};
use crate::{error::Result, pdf::read::strings};
use hayro::hayro_syntax::content::UntypedIter;
use std::collections::BTreeSet;

/// Limit on the faults that are named.
const NAMED: usize = 8;

/// Annotations that PDF/A has (6.3.1).
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

/// Flags of annotations that are not seen.
const HIDDEN: i64 = 1 | 2 | 32 | 256;

/// All that was found, in words.
#[derive(Default)]
pub(super) struct Faults(BTreeSet<String>);

impl Faults {
    pub(super) fn add(&mut self, fault: impl Into<String>) {
        if self.0.len() <= 4 * NAMED {
            self.0.insert(fault.into());
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A list for a sentence.
    pub(super) fn list(&self) -> String {
        let named: Vec<&str> = self.0.iter().take(NAMED).map(String::as_str).collect();
        match self.0.len() > NAMED {
            true => format!("{}, and more", named.join(", ")),
            false => named.join(", "),
        }
    }
}

/// The colours of devices that an output intent covers.
#[derive(Clone, Copy)]
pub(super) struct Colours {
    rgb: bool,
    cmyk: bool,
}

impl Colours {
    /// Colours that an output intent of so many components covers.
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
                faults.add("colours in RGB beside a profile for others");
            }
            _ => {}
        }
    }
}

/// Checks the colour space of a name.
pub(super) fn in_name(name: &[u8], colours: Colours, faults: &mut Faults) {
    if name.starts_with(b"Device") {
        colours.check(name, faults);
    }
}

/// Checks a dictionary: one of a font, an annotation, a file.
pub(super) fn in_dict(store: &mut Store<'_>, dict: &Dict, faults: &mut Faults) {
    if store.is_name(dict.get("Type"), "Font") {
        in_font(store, dict, faults);
    }
    if dict.has("Rect") && dict.has("Subtype") {
        in_annotation(store, dict, faults);
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

fn in_annotation(store: &mut Store<'_>, annotation: &Dict, faults: &mut Faults) {
    let Some(Value::Name(kind)) = annotation.get("Subtype").map(|kind| store.resolve(kind)) else {
        return;
    };
    let kind = String::from_utf8_lossy(&kind).into_owned();
    if !ANNOTATIONS.contains(&&*kind) {
        // A form XObject has a Subtype, but no Rect; so this is one.
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

/// Checks a stream, and its content.
///
/// Errors: there is not enough memory, or the job is to end.
pub(super) fn in_stream(
    store: &mut Store<'_>,
    id: Id,
    dict: &Dict,
    data: &Data,
    colours: Colours,
    faults: &mut Faults,
) -> Result<()> {
    if dict.has("F") && store.dict(dict.get("F")).is_some() || dict.has("FFilter") {
        faults.add("data in another file");
    }
    if store.is_name(dict.get("Subtype"), "PS") {
        faults.add("programs in PostScript");
    }
    let is_drawing = match dict.get("Subtype").map(|kind| store.resolve(kind)) {
        // The content of a page, a glyph or a pattern has none.
        None => !dict.has("Type") || dict.has("PatternType"),
        Some(kind) => kind.is_name("Form"),
    };
    // Fonts, profiles and functions have keys of their own.
    let is_other = ["Length1", "N", "FunctionType", "ShadingType", "Alternate"]
        .iter()
        .any(|key| dict.has(key));
    if is_drawing && !is_other {
        let decoded = match data {
            Data::Own(bytes) => Some(bytes.to_vec()),
            Data::Of(_) => {
                store.check()?;
                let stream = store.stream(id);
                stream.and_then(|stream| Some(stream.decoded_data().ok()?.to_vec()))
            }
        };
        let Some(decoded) = decoded else {
            faults.add("a damaged stream");
            return Ok(());
        };
        let mut operators = UntypedIter::new(&decoded);
        while let Some(instruction) = operators.next() {
            colours.check(instruction.operator, faults);
        }
    }
    Ok(())
}

/// A text of the information dictionary.
pub(super) fn text_of(store: &mut Store<'_>, value: Option<&Value>) -> Option<String> {
    let text = store.text(value)?;
    let text = strings::decode(&text);
    (!text.trim().is_empty()).then_some(text)
}
