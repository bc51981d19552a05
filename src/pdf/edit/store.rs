//! The objects of several files, each read on first use, and the changes to them. Writes nothing.

use super::value::{Dict, Id, NEW, Value};
use crate::{
    error::Result,
    job::{Job, Lease},
};
use hayro::hayro_syntax::{
    Pdf,
    object::{self, Stream},
};
use std::{borrow::Cow, collections::HashMap, rc::Rc};

/// Memory of an object for each byte that it takes in the file, in bytes.
const PER_BYTE: u64 = 12;
/// Memory of an object in addition to [`PER_BYTE`], in bytes.
const LEAST: u64 = 200;
/// Limit on the memory of objects that are kept from one document to the next, in bytes.
const MAX_KEPT: u64 = 32 << 20;
/// Limit on the length of a chain of references.
const MAX_STEPS: usize = 32;

/// Content of an indirect object.
#[derive(Clone, Debug)]
pub(super) enum Object {
    Value(Value),
    Stream(Dict, Data),
}

/// The encoded data of a stream.
#[derive(Clone, Debug)]
pub(super) enum Data {
    /// The data of this object, which is still in its source file.
    Of(Id),
    Own(Rc<Vec<u8>>),
}

/// Objects of several files, and the changes to them.
pub(super) struct Store<'a> {
    job: &'a Job<'a>,
    sources: Vec<&'a Pdf>,
    objects: HashMap<Id, Rc<Object>>,
    /// Number of the last new object.
    made: u32,
    /// Changed objects in the order of the changes, each with its previous value if that had been read.
    changed: Vec<(Id, Option<Rc<Object>>)>,
    /// Memory of the new values of changed objects, in bytes.
    held_changed: u64,
    /// Memory of all objects, in bytes.
    held: u64,
    /// Memory of copies outside of the store, in bytes.
    copies: u64,
    /// Lease of `held` and `copies`, as of the last [`Self::check`].
    lease: Lease<'a>,
}

impl<'a> Store<'a> {
    /// Creates a store of the objects of these files.
    pub(super) fn new(job: &'a Job<'a>, sources: Vec<&'a Pdf>) -> Self {
        Self {
            job,
            sources,
            objects: HashMap::new(),
            made: 0,
            changed: Vec::new(),
            held_changed: 0,
            held: 0,
            copies: 0,
            lease: job.empty_lease(),
        }
    }

    pub(super) fn job(&self) -> &'a Job<'a> {
        self.job
    }

    pub(super) fn sources(&self) -> &[&'a Pdf] {
        &self.sources
    }

    /// Discards all changes, so that another document can be made of the same files.
    pub(super) fn start_over(&mut self) {
        for (id, before) in self.changed.drain(..).rev() {
            match before {
                Some(object) => self.objects.insert(id, object),
                None => self.objects.remove(&id),
            };
        }
        self.made = 0;
        self.held = self.held.saturating_sub(self.held_changed);
        self.held_changed = 0;
        if self.held > MAX_KEPT {
            self.objects = HashMap::new();
            self.held = 0;
        }
    }

    /// Counts the memory of the objects read since [`Self::held`] returned `before` for as long as the store lives,
    /// because the caller keeps a copy of them.
    pub(super) fn keep_since(&mut self, before: u64) {
        self.copies += self.held.saturating_sub(before);
    }

    /// Memory of the objects that were read or changed, in bytes.
    pub(super) fn held(&self) -> u64 {
        self.held
    }

    /// Leases the memory of all objects read or changed so far.
    ///
    /// Errors: there is not enough memory, or the job is to end.
    pub(super) fn check(&mut self) -> Result<()> {
        self.job.check()?;
        self.lease.set(self.held + self.copies)
    }

    /// Leases these bytes in addition to the objects read so far.
    ///
    /// Errors: those of [`Self::check`].
    pub(super) fn borrow(&mut self, bytes: u64) -> Result<Lease<'a>> {
        self.check()?;
        self.job.lease(bytes)
    }

    /// An object; null if it does not exist.
    pub(super) fn object(&mut self, id: Id) -> Rc<Object> {
        if let Some(object) = self.objects.get(&id) {
            return object.clone();
        }
        let object = Rc::new(self.read(id));
        self.objects.insert(id, object.clone());
        object
    }

    /// Reads an object of a source. Stream data stays in the source until it is written.
    fn read(&mut self, id: Id) -> Object {
        let pdf = self.sources.get(id.source as usize);
        let read = pdf.and_then(|pdf| pdf.xref().get::<object::Object<'_>>(id.within()));
        let (len, object) = match read {
            Some(object::Object::Stream(stream)) => {
                let mut dict = Dict::read(id.source, stream.dict());
                dict.remove("Length");
                without_crypt(&mut dict);
                (
                    stream.dict().data().len(),
                    Object::Stream(dict, Data::Of(id)),
                )
            }
            Some(object) => {
                let len = match &object {
                    object::Object::Dict(dict) => dict.data().len(),
                    object::Object::Array(array) => array.data().len(),
                    _ => 0,
                };
                (len, Object::Value(Value::read(id.source, object)))
            }
            None => (0, Object::Value(Value::Null)),
        };
        self.held += LEAST + PER_BYTE * len as u64;
        object
    }

    /// The stream object with this number in its file.
    pub(super) fn stream(&self, id: Id) -> Option<Stream<'a>> {
        let pdf: &'a Pdf = self.sources.get(id.source as usize)?;
        pdf.xref().get::<Stream<'a>>(id.within())
    }

    /// The encoded data of a stream.
    pub(super) fn data<'d>(&self, data: &'d Data) -> Cow<'d, [u8]>
    where
        'a: 'd,
    {
        match data {
            Data::Own(bytes) => Cow::Borrowed(bytes),
            Data::Of(id) => self
                .stream(*id)
                .map_or(Cow::Borrowed(&[][..]), |stream| stream.raw_data()),
        }
    }

    /// Adds an object under a new identifier, and returns this identifier.
    pub(super) fn add(&mut self, object: impl Into<Object>) -> Id {
        let id = self.next();
        self.set(id, object);
        id
    }

    /// Returns an identifier for a new object that is set later.
    pub(super) fn next(&mut self) -> Id {
        self.made += 1;
        Id {
            source: NEW,
            number: self.made,
            generation: 0,
        }
    }

    pub(super) fn set(&mut self, id: Id, object: impl Into<Object>) {
        let object = object.into();
        let mut size = LEAST;
        if let Object::Stream(_, Data::Own(bytes)) = &object {
            size += bytes.len() as u64;
        }
        self.held += size;
        self.held_changed += size;
        let before = self.objects.insert(id, Rc::new(object));
        self.changed.push((id, before));
    }

    /// Follows a value that is a reference. A stream is represented by its dictionary. A chain of more than
    /// [`MAX_STEPS`] references leads to null.
    pub(super) fn resolve(&mut self, value: &Value) -> Value {
        let Value::Ref(mut id) = *value else {
            return value.clone();
        };
        for _ in 0..MAX_STEPS {
            match &*self.object(id) {
                Object::Value(Value::Ref(next)) => id = *next,
                Object::Value(value) => return value.clone(),
                Object::Stream(dict, _) => return Value::Dict(dict.clone()),
            }
        }
        Value::Null
    }

    pub(super) fn dict(&mut self, value: Option<&Value>) -> Option<Dict> {
        match self.resolve(value?) {
            Value::Dict(dict) => Some(dict),
            _ => None,
        }
    }

    /// The dictionary of an object.
    pub(super) fn dict_of(&mut self, id: Id) -> Option<Dict> {
        self.dict(Some(&Value::Ref(id)))
    }

    pub(super) fn array(&mut self, value: Option<&Value>) -> Option<Vec<Value>> {
        match self.resolve(value?) {
            Value::Array(values) => Some(values),
            _ => None,
        }
    }

    pub(super) fn integer(&mut self, value: Option<&Value>) -> Option<i64> {
        self.resolve(value?).integer()
    }

    pub(super) fn number(&mut self, value: Option<&Value>) -> Option<f64> {
        self.resolve(value?).number()
    }

    /// Returns whether a value is this name.
    pub(super) fn is_name(&mut self, value: Option<&Value>, name: &str) -> bool {
        value.is_some_and(|value| self.resolve(value).is_name(name))
    }

    pub(super) fn text(&mut self, value: Option<&Value>) -> Option<Box<[u8]>> {
        match self.resolve(value?) {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The catalogue of a file.
    pub(super) fn catalog(&mut self, source: u32) -> Dict {
        let root = self.sources[source as usize].xref().root_id();
        self.dict_of(Id::of(source, root)).unwrap_or_default()
    }
}

impl From<Dict> for Object {
    fn from(dict: Dict) -> Self {
        Self::Value(Value::Dict(dict))
    }
}

impl From<Value> for Object {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

/// Removes the Crypt filter (7.4.10) from the dictionary of a decrypted stream. The Crypt filter is always the first
/// filter.
fn without_crypt(dict: &mut Dict) {
    match dict.get("Filter").cloned() {
        Some(Value::Name(name)) if *name == *b"Crypt" => {
            dict.remove("Filter");
            dict.remove("DecodeParms");
        }
        Some(Value::Array(mut filters))
            if filters.first().is_some_and(|first| first.is_name("Crypt")) =>
        {
            filters.remove(0);
            dict.set("Filter", filters);
            if let Some(Value::Array(mut parameters)) = dict.remove("DecodeParms")
                && !parameters.is_empty()
            {
                parameters.remove(0);
                dict.set("DecodeParms", parameters);
            }
        }
        _ => {}
    }
}
