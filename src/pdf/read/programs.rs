//! Length of the PostScript calculator functions of a page (type 4; ISO 32000-2, 7.10.5). Does not run them.
//!
//! Such a function is evaluated for each pixel of a gradient, or of an image with several colorants. The interpreter
//! does not report these evaluations. A stream of a thousand bytes may decompress to a million operators, so this
//! module finds and measures all functions of the page in advance.

use hayro::hayro_syntax::{
    object::{Dict, MaybeRef, ObjRef, Object, Stream},
    page::Page,
    xref::XRef,
};
use std::collections::HashSet;

/// Limit on the objects visited; no real page refers to more.
const MAX_OBJECTS: usize = 20_000;

/// Limit on nested direct arrays and dictionaries.
const MAX_DEPTH: usize = 32;

/// Number of operators and operands in the longest calculator function that the page may use; 0 without such a
/// function.
pub(super) fn longest(page: &Page<'_>) -> u64 {
    let mut search = Search {
        xref: page.xref(),
        seen: HashSet::new(),
        to_do: Vec::new(),
        longest: 0,
    };
    let resources = page.resources();
    // Starting at the page dictionary would lead to its parent, and so to all pages.
    let own = [
        &resources.ext_g_states,
        &resources.fonts,
        &resources.color_spaces,
        &resources.x_objects,
        &resources.patterns,
        &resources.shadings,
    ];
    for dict in own {
        search.dict(dict, 0);
    }
    if let Some(annotations) = page.raw().get::<Object<'_>>("Annots") {
        search.object(&annotations, 0);
    }
    // References are visited with a list, so that long chains need no stack.
    while let Some(to) = search.to_do.pop() {
        if let Some(object) = search.xref.get::<Object<'_>>(to.into()) {
            search.object(&object, 0);
        }
    }
    search.longest
}

/// Search of the object graph below a page: the objects that were seen, those that will be visited, and the longest
/// function so far.
struct Search<'a> {
    xref: &'a XRef,
    seen: HashSet<ObjRef>,
    to_do: Vec<ObjRef>,
    longest: u64,
}

impl<'a> Search<'a> {
    /// Searches an object.
    fn object(&mut self, object: &Object<'a>, depth: usize) {
        match object {
            Object::Stream(stream) => self.stream(stream),
            Object::Dict(dict) => self.dict(dict, depth),
            Object::Array(array) => {
                for item in array.raw_iter().take(MAX_OBJECTS) {
                    self.item(item, depth);
                }
            }
            Object::Null(_)
            | Object::Boolean(_)
            | Object::Number(_)
            | Object::String(_)
            | Object::Name(_) => {}
        }
    }

    /// Searches the values of a dictionary.
    fn dict(&mut self, dict: &Dict<'a>, depth: usize) {
        for (key, value) in dict.entries() {
            // Skip references that lead out of the page.
            if !matches!(&*key, b"Parent" | b"P" | b"Dest") {
                self.item(value, depth);
            }
        }
    }

    /// Queues a reference, or searches a direct object.
    fn item(&mut self, item: MaybeRef<Object<'a>>, depth: usize) {
        match item {
            MaybeRef::Ref(to) => {
                if self.seen.len() < MAX_OBJECTS && self.seen.insert(to) {
                    self.to_do.push(to);
                }
            }
            MaybeRef::NotRef(object) if depth < MAX_DEPTH => self.object(&object, depth + 1),
            MaybeRef::NotRef(_) => {}
        }
    }

    /// Measures a stream if it is a calculator function, else searches its dictionary.
    fn stream(&mut self, stream: &Stream<'a>) {
        let dict = stream.dict();
        if dict.get::<u8>("FunctionType") != Some(4) {
            return self.dict(dict, 0);
        }
        let program = stream.decoded_data().unwrap_or_default();
        // Operators are separated by white space and braces (7.10.5.2).
        let words = program.split(|byte| b" \t\r\n\x0c\0{}".contains(byte));
        let count = words.filter(|word| !word.is_empty()).count() as u64;
        self.longest = self.longest.max(count);
    }
}
