//! Forms (ISO 32000-2, 12.7) of picked or merged pages: fields without remaining widgets are removed, and fields with
//! the same name in two files are renamed. Fills in nothing.

use super::{
    store::Store,
    value::{Dict, Id, Value},
};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Limit on the fields of all files together.
const MAX: usize = 200_000;
/// Limit on the nesting of fields.
const MAX_LEVELS: usize = 64;

/// The fields of the form of a file.
#[derive(Default)]
pub(super) struct Fields {
    /// Top-level fields.
    tops: Vec<Id>,
    /// Index in `tops` of the field to which each widget belongs.
    of_widget: HashMap<Id, usize>,
    /// Number of signature fields that contain a signature.
    signatures: usize,
}

impl Fields {
    /// Collects the fields of a file's form, with the top-level field that each belongs to.
    pub(super) fn of(store: &mut Store<'_>, source: u32) -> Self {
        let mut fields = Self::default();
        let catalog = store.catalog(source);
        let Some(form) = store.dict(catalog.get("AcroForm")) else {
            return fields;
        };
        let tops = store.array(form.get("Fields")).unwrap_or_default();
        fields.tops = tops.iter().filter_map(Value::as_ref).collect();
        let mut seen = HashSet::new();
        for (at, top) in fields.tops.iter().enumerate() {
            let mut open = vec![(*top, 0)];
            while let Some((id, level)) = open.pop() {
                if level > MAX_LEVELS || seen.len() >= MAX || !seen.insert(id) {
                    continue;
                }
                let Some(field) = store.dict_of(id) else {
                    continue;
                };
                let is_signed = store.is_name(field.get("FT"), "Sig") && field.has("V");
                fields.signatures += usize::from(is_signed);
                match store.array(field.get("Kids")) {
                    Some(kids) => {
                        let kids = kids.iter().filter_map(Value::as_ref);
                        open.extend(kids.map(|kid| (kid, level + 1)));
                    }
                    None => {
                        fields.of_widget.insert(id, at);
                    }
                }
            }
        }
        fields
    }

    /// Widgets of all fields.
    pub(super) fn widgets(&self) -> HashSet<Id> {
        self.of_widget.keys().copied().collect()
    }

    /// Indices of the top-level fields with any of these widgets.
    fn fields_with(&self, widgets: &HashSet<Id>) -> BTreeSet<usize> {
        let mut tops = BTreeSet::new();
        match widgets.len() < self.of_widget.len() {
            true => tops.extend(widgets.iter().filter_map(|id| self.of_widget.get(id))),
            false => {
                let kept = self.of_widget.iter();
                tops.extend(
                    kept.filter(|(id, _)| widgets.contains(id))
                        .map(|(_, at)| at),
                );
            }
        }
        tops
    }
}

/// The form of all pages together.
#[derive(Default)]
pub(super) struct Form {
    /// Top-level fields that remain.
    fields: Vec<Value>,
    /// Names of the top-level fields that remain.
    names: HashSet<Box<[u8]>>,
    dict: Dict,
    resources: Dict,
    /// Number of fields visited so far, to be limited by [`MAX`].
    count: usize,
    /// Number of top-level fields whose names were changed.
    pub(super) renamed: usize,
    /// Number of signatures that were removed.
    pub(super) signatures: usize,
    /// Whether a file had an XFA form.
    pub(super) had_xfa: bool,
}

/// A walk through the fields of a file, which removes the fields that have no widget on the remaining pages.
struct Walk<'w> {
    /// Returns for a widget whether its page is kept, and `None` for other fields.
    is_kept: &'w dyn Fn(Id) -> Option<bool>,
    /// New names of fonts, by their old names.
    fonts: &'w HashMap<Box<[u8]>, Box<[u8]>>,
    seen: HashSet<Id>,
}

impl Form {
    /// Adds the form of a file. `widgets` are the widgets on the remaining pages.
    pub(super) fn add(
        &mut self,
        store: &mut Store<'_>,
        source: u32,
        fields: &Fields,
        widgets: &HashSet<Id>,
    ) {
        let catalog = store.catalog(source);
        let Some(mut form) = store.dict(catalog.get("AcroForm")) else {
            return;
        };
        self.had_xfa |= form.remove("XFA").is_some();
        form.remove("SigFlags");
        let fonts = self.merge_resources(store, form.remove("DR"));
        self.signatures += fields.signatures;
        let mut kept = Vec::new();
        let is_kept = |id: Id| match fields.of_widget.contains_key(&id) {
            true => Some(widgets.contains(&id)),
            false => None,
        };
        let mut walk = Walk {
            is_kept: &is_kept,
            fonts: &fonts,
            seen: HashSet::new(),
        };
        for top in fields.fields_with(widgets) {
            let id = fields.tops[top];
            if self.field(store, id, &mut walk, 0) {
                self.name(store, id);
                kept.push(Value::Ref(id));
            }
        }
        form.remove("Fields");
        form.remove("CO");
        for (key, value) in form.entries() {
            let key = String::from_utf8_lossy(key);
            if !self.dict.has(&key) {
                self.dict.set(&key, value.clone());
            } else if key == "NeedAppearances" && *value == Value::Bool(true) {
                self.dict.set(&key, Value::Bool(true));
            }
        }
        self.fields.extend(kept);
    }

    /// Removes the parts of a field that are on removed pages, and its signature, and renames its fonts. Returns false
    /// if no part remains.
    fn field(&mut self, store: &mut Store<'_>, id: Id, walk: &mut Walk<'_>, level: usize) -> bool {
        // If few pages remain, this skips most widgets of a large form without reading them.
        if (walk.is_kept)(id) == Some(false) {
            return false;
        }
        self.count += 1;
        if level > MAX_LEVELS || self.count > MAX || !walk.seen.insert(id) {
            return false;
        }
        let Some(mut field) = store.dict_of(id) else {
            return false;
        };
        let mut is_changed = false;
        if let Some(Value::Text(appearance)) = field.get("DA")
            && !walk.fonts.is_empty()
        {
            let appearance = with_fonts(appearance, walk.fonts);
            field.set("DA", Value::Text(appearance));
            is_changed = true;
        }
        if store.is_name(field.get("FT"), "Sig") && field.remove("V").is_some() {
            is_changed = true;
        }
        let is_alive = match store.array(field.get("Kids")) {
            Some(kids) => {
                let before = kids.len();
                let kept: Vec<Value> = kids
                    .into_iter()
                    .filter(|kid| {
                        let kid = kid.as_ref();
                        kid.is_some_and(|kid| self.field(store, kid, walk, level + 1))
                    })
                    .collect();
                let any = !kept.is_empty();
                is_changed |= kept.len() != before;
                field.set("Kids", kept);
                any
            }
            None => (walk.is_kept)(id) == Some(true),
        };
        if is_changed {
            store.set(id, field);
        }
        is_alive
    }

    /// Renames a top-level field if its name is taken.
    fn name(&mut self, store: &mut Store<'_>, id: Id) {
        let Some(mut field) = store.dict_of(id) else {
            return;
        };
        let Some(name) = store.text(field.get("T")) else {
            return;
        };
        if self.names.insert(name.clone()) {
            return;
        }
        let is_wide = name.starts_with(b"\xfe\xff");
        for number in 1.. {
            let suffix = format!("+{number}");
            let mut other = name.to_vec();
            match is_wide {
                true => other.extend(suffix.encode_utf16().flat_map(u16::to_be_bytes)),
                false => other.extend(suffix.bytes()),
            }
            let other: Box<[u8]> = other.into();
            if self.names.insert(other.clone()) {
                field.set("T", Value::Text(other));
                break;
            }
        }
        self.renamed += 1;
        store.set(id, field);
    }

    /// Adds the resources of a form. Returns new names for fonts whose names already mean other
    /// fonts.
    fn merge_resources(
        &mut self,
        store: &mut Store<'_>,
        resources: Option<Value>,
    ) -> HashMap<Box<[u8]>, Box<[u8]>> {
        let mut renamed = HashMap::new();
        let Some(resources) = store.dict(resources.as_ref()) else {
            return renamed;
        };
        for (category, entries) in resources.entries() {
            let category = String::from_utf8_lossy(category).into_owned();
            let Some(entries) = store.dict(Some(entries)) else {
                continue;
            };
            let mut all = store
                .dict(self.resources.get(&category))
                .unwrap_or_default();
            for (name, value) in entries.entries() {
                let known = all.entries().find(|(own, _)| *own == name);
                match known.map(|(_, known)| known == value) {
                    Some(true) => {}
                    None => all.push(name, value.clone()),
                    Some(false) if category == "Font" => {
                        let other = (1..)
                            .map(|number| [name, format!("x{number}").as_bytes()].concat())
                            .find(|other| all.entries().all(|(own, _)| own != other));
                        let other = other.unwrap_or_default();
                        all.push(&other, value.clone());
                        renamed.insert(name.into(), other.into());
                    }
                    Some(false) => {}
                }
            }
            self.resources.set(&category, all);
        }
        renamed
    }

    /// Writes the form. `None` if it has no fields.
    pub(super) fn write(mut self, store: &mut Store<'_>) -> Option<Id> {
        if self.fields.is_empty() {
            return None;
        }
        self.dict.set("Fields", self.fields);
        if !self.resources.is_empty() {
            self.dict.set("DR", self.resources);
        }
        Some(store.add(self.dict))
    }
}

/// A default appearance (12.7.4.3) with renamed fonts.
fn with_fonts(appearance: &[u8], fonts: &HashMap<Box<[u8]>, Box<[u8]>>) -> Box<[u8]> {
    let mut out = Vec::with_capacity(appearance.len() + 8);
    let mut rest = appearance;
    while let Some(at) = rest.iter().position(|byte| *byte == b'/') {
        let (head, tail) = rest.split_at(at + 1);
        out.extend(head);
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b"/[]()<>{}%".contains(byte);
        let end = tail.iter().position(ends).unwrap_or(tail.len());
        let (name, tail) = tail.split_at(end);
        out.extend(fonts.get(name).map_or(name, |other| other));
        rest = tail;
    }
    out.extend(rest);
    out.into()
}
