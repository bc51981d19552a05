//! The objects of a PDF as values that can be changed and written again (ISO 32000-2, 7.3). Resolves no references.

use hayro::hayro_syntax::object::{self, MaybeRef, ObjectIdentifier};

/// An object of one of the files that are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Id {
    /// The number of the file, or [`NEW`].
    pub(super) source: u32,
    pub(super) number: u32,
    pub(super) generation: i32,
}

/// The source of new objects.
pub(super) const NEW: u32 = u32::MAX;

/// The source of objects that have been written to the output already; their numbers are those in the output.
pub(super) const WRITTEN: u32 = u32::MAX - 1;

impl Id {
    /// An object that has been written already.
    pub(super) fn written(object: pdf_writer::Ref) -> Self {
        Self {
            source: WRITTEN,
            number: object.get() as u32,
            generation: 0,
        }
    }

    /// The identifier within its own file.
    pub(super) fn within(self) -> ObjectIdentifier {
        ObjectIdentifier::new(self.number, self.generation)
    }

    pub(super) fn of(source: u32, id: ObjectIdentifier) -> Self {
        Self {
            source,
            number: id.obj_number,
            generation: id.gen_number,
        }
    }
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Integer(i64),
    Real(f64),
    Name(Box<[u8]>),
    /// A string, decrypted.
    Text(Box<[u8]>),
    Array(Vec<Value>),
    Dict(Dict),
    Ref(Id),
}

/// A dictionary. Its keys keep the order in which they were set.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Dict(Vec<(Box<[u8]>, Value)>);

impl Value {
    pub(super) fn name(name: &str) -> Self {
        Self::Name(name.as_bytes().into())
    }

    /// A text string (7.9.2.2): text in printable ASCII is stored unchanged, and any other text in UTF-16.
    pub(super) fn text(text: &str) -> Self {
        if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return Self::Text(text.as_bytes().into());
        }
        let units = text.encode_utf16().flat_map(u16::to_be_bytes);
        Self::Text([0xfe, 0xff].into_iter().chain(units).collect())
    }

    pub(super) fn is_name(&self, name: &str) -> bool {
        matches!(self, Self::Name(own) if **own == *name.as_bytes())
    }

    pub(super) fn as_ref(&self) -> Option<Id> {
        match self {
            Self::Ref(id) => Some(*id),
            _ => None,
        }
    }

    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Integer(number) => Some(*number as f64),
            Self::Real(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn integer(&self) -> Option<i64> {
        match self {
            Self::Integer(number) => Some(*number),
            Self::Real(number) => Some(*number as i64),
            _ => None,
        }
    }

    /// Converts an object that hayro has read. The nesting is limited by hayro, to 512.
    pub(super) fn read(source: u32, object: object::Object<'_>) -> Self {
        match object {
            object::Object::Null(_) => Self::Null,
            object::Object::Boolean(value) => Self::Bool(value),
            object::Object::Number(number) => {
                let (whole, real) = (number.as_i64(), number.as_f64());
                if whole as f64 == real {
                    Self::Integer(whole)
                } else {
                    Self::Real(real)
                }
            }
            object::Object::String(text) => Self::Text(text.as_bytes().into()),
            object::Object::Name(name) => Self::Name((*name).into()),
            object::Object::Dict(dict) => Self::Dict(Dict::read(source, &dict)),
            object::Object::Array(array) => Self::Array(
                array
                    .raw_iter()
                    .map(|value| Self::read_raw(source, value))
                    .collect(),
            ),
            // A stream is always an indirect object, which the store reads itself.
            object::Object::Stream(_) => Self::Null,
        }
    }

    fn read_raw(source: u32, value: MaybeRef<object::Object<'_>>) -> Self {
        match value {
            MaybeRef::Ref(id) => Self::Ref(Id::of(source, id.into())),
            MaybeRef::NotRef(object) => Self::read(source, object),
        }
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Real(number)
    }
}

impl From<Id> for Value {
    fn from(id: Id) -> Self {
        Self::Ref(id)
    }
}

impl From<Dict> for Value {
    fn from(dict: Dict) -> Self {
        Self::Dict(dict)
    }
}

impl From<Vec<Value>> for Value {
    fn from(values: Vec<Value>) -> Self {
        Self::Array(values)
    }
}

impl Dict {
    /// A dictionary with a `Type`.
    pub(super) fn of_type(name: &str) -> Self {
        let mut dict = Self::default();
        dict.set("Type", Value::name(name));
        dict
    }

    pub(super) fn read(source: u32, dict: &object::Dict<'_>) -> Self {
        let entries = dict.entries();
        Self(
            entries
                .map(|(key, value)| ((*key).into(), Value::read_raw(source, value)))
                .collect(),
        )
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        let mut entries = self.0.iter();
        entries
            .find(|(own, _)| **own == *key.as_bytes())
            .map(|(_, value)| value)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub(super) fn set(&mut self, key: &str, value: impl Into<Value>) {
        let value = value.into();
        match self.0.iter_mut().find(|(own, _)| **own == *key.as_bytes()) {
            Some((_, old)) => *old = value,
            None => self.0.push((key.as_bytes().into(), value)),
        }
    }

    pub(super) fn remove(&mut self, key: &str) -> Option<Value> {
        let at = self
            .0
            .iter()
            .position(|(own, _)| **own == *key.as_bytes())?;
        Some(self.0.remove(at).1)
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = (&[u8], &Value)> {
        self.0.iter().map(|(key, value)| (&**key, value))
    }

    pub(super) fn entries_mut(&mut self) -> impl Iterator<Item = (&[u8], &mut Value)> {
        self.0.iter_mut().map(|(key, value)| (&**key, value))
    }

    pub(super) fn push(&mut self, key: &[u8], value: Value) {
        self.0.push((key.into(), value));
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &Value> {
        self.0.iter().map(|(_, value)| value)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
