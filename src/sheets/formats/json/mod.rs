//! Tables in JSON (RFC 8259): an array with an object for each row, or an object on each line (JSON Lines). Holds one
//! row at a time in memory, unless the file is an object that contains the array.

pub(crate) mod read;
pub(crate) mod write;

#[cfg(feature = "document")]
use crate::{
    data::{self, Content},
    error::Result,
    job::{Input, Job},
};
use crate::{
    format::{Category, Format},
    options,
    row::{Row, Target},
};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "json",
        aliases: &[],
        category: Category::Spreadsheet,
        description: "JSON, an array of objects",
        media_type: "application/json",
        magic: &[],
    },
    recognise: |head, _, extension| {
        let named = extension.is_some_and(|name| ROW.format.is_called(name));
        named && !head.is_empty() || begins_a_table(head)
    },
    open: read::open,
    write: Some(Target {
        #[cfg(feature = "document")]
        whole: None,
        #[cfg(feature = "document")]
        pictures: &[],
        create: |_, output, _| write::create(output, write::Frame::Array),
        many: false,
        quality: "no effect: nothing is lost at any level",
        options: &[&options::SHEET, &options::SHEETS, &options::VALUES],
    }),
};

/// JSON Lines: objects without an array around them, each on a line of its own.
pub(crate) static LINES: Row = Row {
    format: Format {
        name: "jsonl",
        aliases: &["ndjson"],
        category: Category::Spreadsheet,
        description: "JSON Lines, one object per line",
        media_type: "application/jsonl",
        magic: &[],
    },
    recognise: |head, _, extension| {
        let named = extension.is_some_and(|name| LINES.format.is_called(name));
        named && !head.is_empty() || begins_with_lines(head)
    },
    open: read::open_lines,
    write: Some(Target {
        #[cfg(feature = "document")]
        whole: None,
        #[cfg(feature = "document")]
        pictures: &[],
        create: |_, output, _| write::create(output, write::Frame::Lines),
        many: false,
        quality: "no effect: nothing is lost at any level",
        options: &[&options::SHEET, &options::VALUES],
    }),
};

/// Content of a file that may hold data without a table: YAML, TOML, XML, or an object in JSON. `None` for other files.
#[cfg(feature = "document")]
pub(crate) fn content<'a>(job: &'a Job<'a>, input: &mut dyn Input) -> Result<Option<Content<'a>>> {
    let is_data = match job.from.name {
        "yaml" | "toml" | "xml" => true,
        "json" => read::is_object(input).map_err(|err| job.unreadable(err))?,
        _ => false,
    };
    // A document shows all data rather than one list of it.
    is_data.then(|| data::content(job, input, true)).transpose()
}

/// Returns whether a text begins like JSON, and so must not be read as CSV: in most files with an object on each line,
/// all lines have the same number of commas. If the file has an extension of JSON, a single bracket suffices.
pub(super) fn is_begun(head: &[u8], extension: Option<&str>) -> bool {
    let named = extension.is_some_and(|name| {
        let mut formats = [&ROW.format, &LINES.format].into_iter();
        formats.any(|format| format.is_called(name))
    });
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    named && matches!(text.trim_ascii_start().first(), Some(b'{' | b'['))
        || begins_with_lines(head)
        || begins_a_table(head)
}

/// Returns whether each of the first two lines of a text is an object. The second one may be incomplete.
fn begins_with_lines(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let mut lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let is_begun = |line: &[u8]| line.starts_with(b"{\"");
    let is_object = |line: &[u8]| is_begun(line) && line.ends_with(b"}");
    lines.next().is_some_and(is_object) && lines.next().is_some_and(is_begun)
}

/// Returns whether a text begins with an array of objects.
fn begins_a_table(head: &[u8]) -> bool {
    let mut signs = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).iter();
    let mut next = || signs.find(|byte| !byte.is_ascii_whitespace());
    matches!(
        (next(), next(), next()),
        (Some(b'['), Some(b'{'), Some(b'"' | b'}'))
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cells::Value,
        number::{Number, NumberStyle},
        testing::{drawn, written, written_row},
        time::Moment,
    };

    #[track_caller]
    fn check(file: &str, expected: &str) {
        assert_eq!(drawn(ROW.open, file.as_bytes()).unwrap(), expected);
    }

    #[test]
    fn objects_are_rows_below_their_names() {
        check(
            r#"[{"a":1,"b":"x"},{"b":null,"c":true},{}]"#,
            "1: a|b|c\n2: #1|x|\n3: ||?TRUE\n4: ||\n",
        );
        check(
            r#"[{"a":1.50,"b":1e400,"c":12345678901234567890}]"#,
            "1: a|b|c\n2: #1.50|#1e400|#12345678901234567890\n",
        );
        check(
            r#"[{"a":"\u00e4\n"},{"a":{"x": [1, 2]}}]"#,
            "1: a\n2: ä\n\n3: {\"x\": [1, 2]}\n",
        );
        check("[]", "");
        check("\u{feff} [ { \"a\" : 1 } ] \n", "1: a\n2: #1\n");
    }

    #[test]
    fn arrays_are_rows_as_they_are() {
        check(
            r#"[["a","b"],[1,false],[null,2]]"#,
            "1: a|b\n2: #1|?FALSE\n3: |#2\n",
        );
        check("[1,\"x\"]", "1: #1\n2: x\n");
    }

    #[test]
    fn files_without_a_valid_table_are_refused() {
        for file in [
            "",
            "{",
            "{\"a\":1}",
            "[{\"a\":1},2]",
            "[[1],{}]",
            "[{\"a\":1}",
            "[1] x",
            "nothing",
            "[{\"a\":01}]",
        ] {
            assert!(drawn(ROW.open, file.as_bytes()).is_err(), "{file}");
        }
        let deep = format!(
            "[{{\"a\":{}1{}}}]",
            "[".repeat(100_000),
            "]".repeat(100_000)
        );
        assert!(drawn(ROW.open, deep.as_bytes()).is_ok());
    }

    #[test]
    fn rows_become_objects_with_the_names_of_the_first() {
        let file = written(ROW.write.as_ref().unwrap().create, &mut |write| {
            let mut cells = crate::cells::Cells::default();
            cells.begin(0);
            for (column, name) in [(0, "a"), (1, "a"), (3, "d")] {
                cells.push(column, Value::Text(name)).unwrap();
            }
            write(&cells);
            cells.begin(1);
            cells.push(0, Value::Written("007")).unwrap();
            cells.push(1, Value::Written("1.50")).unwrap();
            cells.push(4, Value::Text("1")).unwrap();
            write(&cells);
        });
        assert_eq!(
            String::from_utf8(file).unwrap(),
            "[\n{\"a\":\"007\",\"a_2\":1.50,\"C\":null,\"d\":null,\"E\":\"1\"}\n]\n"
        );
    }

    #[test]
    fn values_have_the_types_of_json() {
        let number = |value, look| Value::Number(Number { value, look });
        let values = [
            number(0.155, NumberStyle::Percent(1)),
            number(1e300, NumberStyle::General),
            Value::Boolean(true),
            Value::Moment(Moment::Date(0)),
            Value::Error("#N/A"),
            Value::Digits("1e400"),
            Value::Written("1234567890123456"),
            Value::Written("12%"),
        ];
        let create = ROW.write.as_ref().unwrap().create;
        // The only row contains the names.
        assert_eq!(written_row(create, &values), b"[]\n");
        let mut text = Vec::new();
        for value in values {
            write::value(value, &mut String::new(), &mut text);
            text.push(b' ');
        }
        assert_eq!(
            String::from_utf8(text).unwrap(),
            "0.155 1E+300 true \"1970-01-01\" \"#N/A\" 1e400 \"1234567890123456\" \"12%\" "
        );
    }

    #[test]
    fn lines_are_rows_without_an_array_around_them() {
        #[track_caller]
        fn check(file: &str, expected: &str) {
            assert_eq!(drawn(LINES.open, file.as_bytes()).unwrap(), expected);
        }
        check(
            "{\"a\":1,\"b\":\"x\"}\r\n\n{\"b\":\"y\",\"c\":{\"d\":[]}}",
            "1: a|b|c\n2: #1|x|\n3: |y|{\"d\":[]}\n",
        );
        check("[1,2]\n[3]\n", "1: #1|#2\n2: #3\n");
        check("", "");
        for file in ["{\"a\":1}\n{\"a\":", "{\"a\":1}\nx", "{}\n[1]\n"] {
            assert!(drawn(LINES.open, file.as_bytes()).is_err(), "{file}");
        }
        let made = written(LINES.write.as_ref().unwrap().create, &mut |write| {
            let mut cells = crate::cells::Cells::default();
            for (row, text) in [(0, "a"), (1, "x"), (2, "y")] {
                cells.begin(row);
                cells.push(0, Value::Text(text)).unwrap();
                write(&cells);
            }
        });
        assert_eq!(made, b"{\"a\":\"x\"}\n{\"a\":\"y\"}\n");
        assert!(begins_with_lines(b"{\"a\":1}\n{\"a\":2"));
        assert!(!begins_with_lines(b"{\"a\":1}\n"));
        assert!(!begins_with_lines(b"{\"a\":\n{\"b\":1}}"));
    }

    #[test]
    fn json_is_not_read_as_csv() {
        #[track_caller]
        fn check(text: &str, extension: Option<&str>, expected: bool) {
            assert_eq!(is_begun(text.as_bytes(), extension), expected, "{text}");
        }
        check("{\"a\":1,\"b\":2}\n{\"a\":3,\"b\":4}\n", None, true);
        check("{\"a\":1,\"b\":2}\n", Some("ndjson"), true);
        check("[[1,2],\n[3,4],\n[5,6]]", Some("json"), true);
        check("[[1,2],\n[3,4],\n[5,6]]", Some("txt"), false);
        check("a,b\n{1},2\n3,4\n", Some("json"), false);
    }

    #[test]
    fn a_table_begins_like_one() {
        assert!(begins_a_table(b" [\n {\"a\":1}]"));
        assert!(!begins_a_table(b"[link](http://x)"));
        assert!(!begins_a_table(b"{\"a\":1}"));
    }
}
