//! Writes values as bytes of a file (ISO 32000-2, 7.3). The caller's cipher encrypts strings.

use super::value::{Dict, Id, Value};
use std::{borrow::Cow, io::Write as _};

/// Numbers of objects and the form of strings in the file to which values are written.
pub(super) trait Names {
    /// The number of an object in the file; `None` if it is left out.
    fn number(&mut self, id: Id) -> Option<i32>;

    /// The bytes of a string as they are stored in the file, encrypted if the file requires it.
    fn string<'s>(&mut self, text: &'s [u8]) -> Cow<'s, [u8]>;
}

/// [`Names`] for values without references. Strings stay unchanged.
pub(super) struct Plain;

impl Names for Plain {
    fn number(&mut self, _: Id) -> Option<i32> {
        None
    }

    fn string<'s>(&mut self, text: &'s [u8]) -> Cow<'s, [u8]> {
        Cow::Borrowed(text)
    }
}

/// Appends a value in PDF syntax (ISO 32000-2, 7.3). A reference to a removed object becomes `null`.
pub(super) fn write(value: &Value, names: &mut dyn Names, out: &mut Vec<u8>) {
    match value {
        Value::Null => out.extend(b"null"),
        Value::Bool(true) => out.extend(b"true"),
        Value::Bool(false) => out.extend(b"false"),
        Value::Integer(number) => {
            let _ = write!(out, "{number}");
        }
        Value::Real(number) => real(*number, out),
        Value::Name(own) => name(own, out),
        Value::Text(text) => string(&names.string(text), out),
        Value::Array(values) => {
            out.push(b'[');
            for (at, value) in values.iter().enumerate() {
                if at > 0 {
                    out.push(b' ');
                }
                write(value, names, out);
            }
            out.push(b']');
        }
        Value::Dict(own) => dict(own, names, out),
        Value::Ref(id) => match names.number(*id) {
            Some(number) => {
                let _ = write!(out, "{number} 0 R");
            }
            None => out.extend(b"null"),
        },
    }
}

pub(super) fn dict(dict: &Dict, names: &mut dyn Names, out: &mut Vec<u8>) {
    out.extend(b"<<");
    for (key, value) in dict.entries() {
        // An entry with the value null is equivalent to an absent one (7.3.7), so it is left out.
        if matches!(value, Value::Null) {
            continue;
        }
        name(key, out);
        if !matches!(
            value,
            Value::Name(_) | Value::Text(_) | Value::Array(_) | Value::Dict(_)
        ) {
            out.push(b' ');
        }
        write(value, names, out);
    }
    out.extend(b">>");
}

fn name(name: &[u8], out: &mut Vec<u8>) {
    out.push(b'/');
    for byte in name {
        match byte {
            b'!'..=b'~' if !b"#()<>[]{}/%".contains(byte) => out.push(*byte),
            // A name cannot contain NUL, so it is left out.
            0 => {}
            _ => {
                let _ = write!(out, "#{byte:02X}");
            }
        }
    }
}

/// Appends a string: literal with escapes, or hexadecimal if more than a third of its bytes are not printable.
fn string(text: &[u8], out: &mut Vec<u8>) {
    let odd = text.iter().filter(|byte| !matches!(byte, b' '..=b'~'));
    if 3 * odd.count() > text.len() {
        out.push(b'<');
        for byte in text {
            let _ = write!(out, "{byte:02X}");
        }
        out.push(b'>');
        return;
    }
    out.push(b'(');
    for byte in text {
        match byte {
            b'(' | b')' | b'\\' => out.extend([b'\\', *byte]),
            // A raw carriage return would be read as a line feed.
            b'\r' => out.extend(b"\\r"),
            _ => out.push(*byte),
        }
    }
    out.push(b')');
}

/// Writes a real number without an exponent (7.3.3). A number that is not finite becomes 0. A number with many digits
/// is rounded to ten decimals, unless it is close to 0. Ten decimals are finer than any page needs.
fn real(number: f64, out: &mut Vec<u8>) {
    if !number.is_finite() {
        out.push(b'0');
        return;
    }
    let mut text = format!("{number}");
    if text.len() > 17 && number.abs() > 1e-6 {
        text = format!("{number:.10}");
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    out.extend(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    struct KnownNames;

    impl Names for KnownNames {
        fn number(&mut self, id: Id) -> Option<i32> {
            (id.number != 9).then_some(id.number as i32)
        }

        fn string<'s>(&mut self, text: &'s [u8]) -> Cow<'s, [u8]> {
            Cow::Borrowed(text)
        }
    }

    #[test]
    fn values_are_written_as_they_are_read() {
        #[track_caller]
        fn check(value: Value, expected: &str) {
            let mut out = Vec::new();
            write(&value, &mut KnownNames, &mut out);
            assert_eq!(String::from_utf8_lossy(&out), expected);
        }
        let id = |number| {
            Value::Ref(Id {
                source: 0,
                number,
                generation: 0,
            })
        };
        check(Value::Real(0.1 + 0.2), "0.3");
        check(Value::Real(-1e-9), "-0.000000001");
        check(Value::Real(1e20 + 0.5), "100000000000000000000");
        check(Value::Integer(9_000_000_000), "9000000000");
        check(Value::name("A B#/"), "/A#20B#23#2F");
        check(
            Value::text("a(b)\\\r"),
            "<FEFF006100280062002900 5C000D>".replace(' ', "").as_str(),
        );
        check(
            Value::Text((*b"a(b)\\\rc, d and e").into()),
            "(a\\(b\\)\\\\\\rc, d and e)",
        );
        check(
            Value::Array(vec![id(3), id(9), Value::Null]),
            "[3 0 R null null]",
        );
        let mut dict = Dict::of_type("X");
        dict.set("A", 1);
        dict.set("B", Value::Null);
        check(Value::Dict(dict), "<</Type/X/A 1>>");
    }
}
