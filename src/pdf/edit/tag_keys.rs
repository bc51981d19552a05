//! Keys by which the content of pages, annotations and XObjects refers to its structure elements (ISO 32000-2,
//! 14.7.5.4).

use super::{
    store::{Object, Store},
    value::{Dict, Id, Value},
};
use std::collections::HashSet;

/// Limit on the forms that are searched for keys.
const MAX_FORMS: usize = 100_000;

/// Adds `by` to the keys of content on pages, in their annotations, and in the XObjects that both show.
pub(super) fn shift(store: &mut Store<'_>, pages: &[Id], by: i64) {
    visit(store, pages, by);
}

/// The keys of content on pages, in their annotations, and in the XObjects that both show.
pub(super) fn keys(store: &mut Store<'_>, pages: &[Id]) -> HashSet<i64> {
    visit(store, pages, 0)
}

/// Adds `by` to the keys of content on pages, in their annotations, and in the XObjects that both show. Returns the
/// keys from before.
fn visit(store: &mut Store<'_>, pages: &[Id], by: i64) -> HashSet<i64> {
    let mut keys = HashSet::new();
    let mut forms: Vec<Id> = Vec::new();
    let mut annotated = HashSet::new();
    for page in pages {
        let Some(mut dict) = store.dict_of(*page) else {
            continue;
        };
        let mut is_changed = visit_keys(store, &mut dict, by, &mut keys);
        let mut annotations = store.array(dict.get("Annots")).unwrap_or_default();
        let mut has_changed_direct = false;
        for annotation in &mut annotations {
            let id = annotation.as_ref();
            if id.is_some_and(|id| !annotated.insert(id)) {
                continue;
            }
            let Some(mut own) = store.dict(Some(annotation)) else {
                continue;
            };
            forms.extend(appearances(store, &own));
            if visit_keys(store, &mut own, by, &mut keys) {
                match id {
                    Some(id) => store.set(id, own),
                    None => {
                        *annotation = Value::Dict(own);
                        has_changed_direct = true;
                    }
                }
            }
        }
        if has_changed_direct {
            dict.set("Annots", annotations);
            is_changed = true;
        }
        forms.extend(shown(store, dict.get("Resources")));
        if is_changed {
            store.set(*page, dict);
        }
    }
    let mut seen = HashSet::new();
    while let Some(id) = forms.pop() {
        if seen.len() > MAX_FORMS || !seen.insert(id) {
            continue;
        }
        let object = store.object(id);
        let Object::Stream(dict, data) = &*object else {
            continue;
        };
        forms.extend(shown(store, dict.get("Resources")));
        let mut own = dict.clone();
        if visit_keys(store, &mut own, by, &mut keys) {
            store.set(id, Object::Stream(own, data.clone()));
        }
    }
    keys
}

/// Adds the keys of a dictionary to `keys`, and `by` to the keys in the dictionary. Returns whether they changed.
fn visit_keys(store: &mut Store<'_>, dict: &mut Dict, by: i64, keys: &mut HashSet<i64>) -> bool {
    let mut is_changed = false;
    for name in ["StructParents", "StructParent"] {
        if let Some(key) = store.integer(dict.get(name)) {
            keys.insert(key);
            if by != 0 {
                dict.set(name, key.saturating_add(by));
                is_changed = true;
            }
        }
    }
    is_changed
}

/// The appearance streams of an annotation (12.5.5). Each entry of `AP` is a stream, or a dictionary with one for each
/// state of the annotation.
fn appearances(store: &mut Store<'_>, annotation: &Dict) -> Vec<Id> {
    let entries = store.dict(annotation.get("AP")).unwrap_or_default();
    let mut found = Vec::new();
    for entry in entries.values() {
        match entry.as_ref() {
            Some(id) if matches!(&*store.object(id), Object::Stream(..)) => found.push(id),
            _ => {
                let states = store.dict(Some(entry)).unwrap_or_default();
                found.extend(states.values().filter_map(Value::as_ref));
            }
        }
    }
    found
}

/// The form and image XObjects of a resource dictionary.
fn shown(store: &mut Store<'_>, resources: Option<&Value>) -> Vec<Id> {
    let resources = store.dict(resources).unwrap_or_default();
    let objects = store.dict(resources.get("XObject")).unwrap_or_default();
    objects.values().filter_map(Value::as_ref).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use convertd_core::job::testing::with_job;
    use hayro::hayro_syntax::Pdf;
    use std::sync::Arc;

    #[test]
    fn keys_of_all_content_of_a_page_are_shifted() {
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /StructParents 0 /Annots [4 0 R << /Subtype /Link /StructParent 2 >>] >>",
            "<< /Subtype /Widget /StructParent 1 /AP << /N << /On 5 0 R >> /D 6 0 R >> >>",
            "<< /Subtype /Form /StructParents 3 /Length 0 >>\nstream\n\nendstream",
            "<< /Subtype /Form /StructParents 4 /Length 0 >>\nstream\n\nendstream",
        ];
        let mut file = b"%PDF-1.7\n".to_vec();
        let mut offsets = Vec::new();
        for (number, object) in (1..).zip(objects) {
            offsets.push(file.len());
            file.extend(format!("{number} 0 obj\n{object}\nendobj\n").bytes());
        }
        let start = file.len();
        file.extend(b"xref\n0 7\n0000000000 65535 f \n");
        for offset in offsets {
            file.extend(format!("{offset:010} 00000 n \n").bytes());
        }
        let end = format!("trailer\n<< /Size 7 /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n");
        file.extend(end.bytes());
        let pdf = Pdf::new(Arc::new(file)).expect("a file");
        with_job(|job| {
            let mut store = Store::new(job, vec![&pdf]);
            let page = Id {
                source: 0,
                number: 3,
                generation: 0,
            };
            let all = |first: i64| (first..first + 5).collect::<HashSet<i64>>();
            assert_eq!(keys(&mut store, &[page]), all(0));
            shift(&mut store, &[page], 100);
            assert_eq!(keys(&mut store, &[page]), all(100));
        });
    }
}
