//! The heads of a form's parts (RFC 7578, section 4.2), as clients really write them. Leaves all content as it is.
//!
//! `multipart` cuts a form into its parts, and is not asked for more: it takes the first `name=` for the name of a part, a `;`
//! in a file's name for its end, knows no `filename*`, wants a media type to be well-formed, and finds a boundary in the
//! middle of a line. So [`Rewriter`] reads the heads itself, and gives it a form that cannot be misunderstood.

use std::{
    cell::RefCell,
    collections::VecDeque,
    io::{self, Read},
    mem,
    rc::Rc,
};

/// The longest head of a part, in bytes.
const MAX_HEAD: usize = 16 << 10;
/// How much is read at once, in bytes.
const PIECE: usize = 16 << 10;

/// What the head of a part says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PartHead {
    /// The name of the field.
    pub(super) name: String,
    /// The name of the file as it was sent, if there is one.
    pub(super) file_name: Option<String>,
}

/// The heads of the parts that the rewriter has passed, in order.
pub(super) type Heads = Rc<RefCell<VecDeque<PartHead>>>;

/// A reader that turns a form into one with another boundary, which its content must not hold, and without heads
/// that anybody could get wrong. What stands before the first boundary and behind the last is left out.
///
/// No read ends in the middle of a boundary or a head as long as there is room for them in one: `multipart` would take a
/// CR that ends a buffer for content, and a head that is split for an error.
pub(super) struct Rewriter<R> {
    form: R,
    /// What stands between two parts, but for the end of its line: CRLF, two hyphens, and the client's boundary.
    delimiter: Vec<u8>,
    finder: memchr::memmem::Finder<'static>,
    boundary: String,
    heads: Heads,
    state: State,
    input: Vec<u8>,
    /// How much of `input` is used up.
    used: usize,
    /// How much of the rest is content.
    content: usize,
    ended: bool,
    /// What goes out next.
    output: VecDeque<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Preamble,
    Content,
    /// The rest of the input begins with a delimiter, or what looks like one.
    Delimiter,
    Head,
    Over,
}

impl<R: Read> Rewriter<R> {
    /// `theirs` is the boundary of `form`, `ours` the one of what is read from here.
    pub(super) fn new(form: R, theirs: &str, ours: String) -> (Self, Heads) {
        let delimiter = format!("\r\n--{theirs}").into_bytes();
        let heads = Heads::default();
        let rewriter = Self {
            form,
            finder: memchr::memmem::Finder::new(&delimiter).into_owned(),
            delimiter,
            boundary: ours,
            heads: heads.clone(),
            state: State::Preamble,
            // A form may begin with its first boundary: as if a line had ended there.
            input: b"\r\n".to_vec(),
            used: 0,
            content: 0,
            ended: false,
            output: VecDeque::new(),
        };
        (rewriter, heads)
    }

    fn rest(&self) -> &[u8] {
        &self.input[self.used..]
    }

    /// Reads more, or takes note that there is no more.
    fn fill(&mut self) -> io::Result<()> {
        self.input.drain(..mem::take(&mut self.used));
        let len = self.input.len();
        self.input.resize(len + PIECE, 0);
        let read = loop {
            match self.form.read(&mut self.input[len..]) {
                Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.input.truncate(len + *read.as_ref().unwrap_or(&0));
        self.ended = read? == 0;
        Ok(())
    }

    /// One step from state to state. Finds something to give out, or reads, or ends.
    fn step(&mut self) -> io::Result<()> {
        match self.state {
            State::Preamble | State::Content => self.look_for_delimiter(),
            State::Delimiter => self.end_of_delimiter(),
            State::Head => self.head(),
            State::Over => Ok(()),
        }
    }

    fn look_for_delimiter(&mut self) -> io::Result<()> {
        let found = self.finder.find(self.rest());
        let content = match found {
            Some(at) => at,
            None if self.ended => self.rest().len(),
            // The last bytes may be the beginning of one.
            None => self.rest().len().saturating_sub(self.delimiter.len() - 1),
        };
        if self.state == State::Content {
            self.content = content;
        } else {
            self.used += content;
        }
        match found {
            Some(_) => self.state = State::Delimiter,
            None if self.ended => self.state = State::Over,
            None if self.content == 0 => return self.fill(),
            None => {}
        }
        Ok(())
    }

    fn end_of_delimiter(&mut self) -> io::Result<()> {
        let behind = &self.rest()[self.delimiter.len()..];
        let padding = behind.iter().take_while(|&&b| b == b' ' || b == b'\t');
        let padding = padding.count();
        let line_end = behind.get(padding..padding + 2);
        if behind.starts_with(b"--") {
            self.output
                .extend(format!("\r\n--{}--", self.boundary).bytes());
            self.state = State::Over;
        } else if line_end == Some(b"\r\n") {
            self.used += self.delimiter.len() + padding + 2;
            self.state = State::Head;
        } else if padding < MAX_HEAD && behind.len() < padding + 2 && !self.ended {
            return self.fill();
        } else {
            // A line that only begins like one.
            self.content = self.delimiter.len();
            self.state = State::Content;
        }
        Ok(())
    }

    fn head(&mut self) -> io::Result<()> {
        let rest = self.rest();
        let len = match memchr::memmem::find(rest, b"\r\n\r\n") {
            _ if rest.starts_with(b"\r\n") => 0,
            Some(len) if len <= MAX_HEAD => len + 2,
            Some(_) => return Err(malformed("it is too long")),
            None if rest.len() > MAX_HEAD => return Err(malformed("it is too long")),
            None if self.ended => return Err(io::ErrorKind::UnexpectedEof.into()),
            None => return self.fill(),
        };
        // A part without content may leave out the empty line: what ends its head begins the delimiter.
        let behind = &rest[len..];
        if behind.len() < self.delimiter.len() && !self.ended {
            return self.fill();
        }
        let empty = behind.starts_with(&self.delimiter);
        let head = parse(&String::from_utf8_lossy(&rest[..len]))?;
        self.heads.borrow_mut().push_back(head);
        let head = format!(
            "\r\n--{}\r\nContent-Disposition: form-data; name=part\r\n\r\n",
            self.boundary
        );
        self.output.extend(head.bytes());
        self.used += if empty { len } else { len + 2 };
        self.state = State::Content;
        Ok(())
    }
}

impl<R: Read> Read for Rewriter<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut len = 0;
        while len < out.len() {
            let room = &mut out[len..];
            // Content first: what it is followed by was found while it was waiting.
            if self.content > 0 {
                let piece = self.content.min(room.len());
                room[..piece].copy_from_slice(&self.rest()[..piece]);
                self.used += piece;
                self.content -= piece;
                len += piece;
            } else if !self.output.is_empty() {
                if len > 0 && room.len() < self.output.len() {
                    break;
                }
                len += self.output.read(room)?;
            } else if self.state == State::Over {
                break;
            } else {
                self.step()?;
            }
        }
        Ok(len)
    }
}

fn malformed(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

/// Reads the lines of a head. Of its fields only `Content-Disposition` matters.
fn parse(head: &str) -> io::Result<PartHead> {
    // A line that begins with a space continues the one before.
    let head = head.replace("\r\n ", " ").replace("\r\n\t", " ");
    let value = head.split("\r\n").find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim()
            .eq_ignore_ascii_case("content-disposition")
            .then_some(value)
    });
    let value = value.ok_or_else(|| malformed("it has no Content-Disposition"))?;
    let (kind, parameters) = value.split_once(';').unwrap_or((value, ""));
    let kind = kind.trim();
    if !kind.eq_ignore_ascii_case("form-data") {
        return Err(malformed(format!(
            "its Content-Disposition is {kind:?}, not form-data"
        )));
    }
    let (mut name, mut file_name, mut encoded) = (None, None, None);
    let mut rest = parameters;
    while let Some((parameter, behind)) = rest.split_once('=') {
        let (value, behind) = take_value(behind);
        let place = match parameter.trim().to_ascii_lowercase().as_str() {
            "name" => Some(&mut name),
            "filename" => Some(&mut file_name),
            "filename*" => Some(&mut encoded),
            _ => None,
        };
        if let Some(place) = place
            && place.replace(value).is_some()
        {
            return Err(malformed(
                "a parameter of its Content-Disposition stands twice",
            ));
        }
        rest = behind;
    }
    let name = name.ok_or_else(|| malformed("its Content-Disposition has no name"))?;
    // Those of a file's name are left out later; a field is known by its name alone.
    if name.contains(|c: char| c.is_ascii_control()) {
        return Err(malformed("its name holds control characters"));
    }
    Ok(PartHead {
        name,
        file_name: encoded
            .and_then(|value| decode(&value))
            .or_else(|| file_name.map(|name| name.replace("%22", "\""))),
    })
}

/// The value at the beginning of `text`, quoted or not, and what stands behind the `;` that ends it.
///
/// In a quoted one `\"` is a quotation mark, as some write it, and any other backslash is one: others send whole paths.
/// Browsers write the mark as `%22`.
fn take_value(text: &str) -> (String, &str) {
    let text = text.trim_start();
    let Some(quoted) = text.strip_prefix('"') else {
        let (value, behind) = text.split_once(';').unwrap_or((text, ""));
        return (value.trim().to_owned(), behind);
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => {
                let behind = quoted[at + 1..].split_once(';');
                return (value, behind.map_or("", |(_, behind)| behind));
            }
            '\\' if characters.next_if(|&(_, next)| next == '"').is_some() => value.push('"'),
            _ => value.push(c),
        }
    }
    // Its end is missing.
    (value, "")
}

/// An extended value (RFC 8187): a character set, a language that does not matter, and percent-encoded bytes.
fn decode(value: &str) -> Option<String> {
    let mut parts = value.splitn(3, '\'');
    let (charset, _language, encoded) = (parts.next()?, parts.next()?, parts.next()?);
    let mut bytes = Vec::new();
    let mut rest = encoded.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        bytes.push(if byte == b'%' {
            let (digits, behind) = rest.split_at_checked(2)?;
            rest = behind;
            u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?
        } else {
            byte
        });
    }
    match charset.to_ascii_lowercase().as_str() {
        "utf-8" => String::from_utf8(bytes).ok(),
        "iso-8859-1" => Some(bytes.into_iter().map(char::from).collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_say_what_their_clients_meant() {
        #[track_caller]
        fn check(head: &str, name: &str, file_name: Option<&str>) {
            let expected = PartHead {
                name: name.into(),
                file_name: file_name.map(str::to_owned),
            };
            assert_eq!(parse(head).unwrap(), expected, "{head}");
        }
        let check_value = |value: &str, name: &str, file_name: Option<&str>| {
            check(
                &format!("Content-Disposition: form-data; {value}\r\n"),
                name,
                file_name,
            );
        };
        check_value("name=\"file\"; filename=\"a.png\"", "file", Some("a.png"));
        check_value("name=file;filename=a.png", "file", Some("a.png"));
        check_value("filename=\"a.png\"; name=\"file\"", "file", Some("a.png"));
        check_value("name=\"a\"; filename=\"\"", "a", Some(""));
        check_value("name=\"a\"", "a", None);
        check_value("NAME = \"a\" ; FileName = \"b\"", "a", Some("b"));
        check_value("name=\"a\"; filename=\"b;c=d.png\"", "a", Some("b;c=d.png"));
        check_value("name=\"a;b\"; x=y; filename=b", "a;b", Some("b"));
        check_value(
            r#"name="a"; filename="b\"c%22.png""#,
            "a",
            Some("b\"c\".png"),
        );
        check_value(
            r#"name="a"; filename="C:\b\c.png""#,
            "a",
            Some(r"C:\b\c.png"),
        );
        check_value("name=\"a\"; filename=\"b", "a", Some("b"));
        check_value(
            "name=\"a\"; filename*=UTF-8''na%C3%AFve.png",
            "a",
            Some("naïve.png"),
        );
        check_value(
            "name=\"a\"; filename*=\"utf-8'de'%e2%82%ac\"",
            "a",
            Some("€"),
        );
        check_value(
            "name=\"a\"; filename*=iso-8859-1''%A3; filename=b",
            "a",
            Some("£"),
        );
        // What cannot be decoded does not count.
        for value in ["UTF-8''%ff", "UTF-8''%4", "UTF-8''%é1", "x''a", "a"] {
            let both = format!("name=\"a\"; filename=\"b\"; filename*={value}");
            check_value(&both, "a", Some("b"));
        }
        check(
            "X: y\r\nCONTENT-DISPOSITION : Form-Data;\r\n name=\"a\"\r\nContent-Type: ??\r\n",
            "a",
            None,
        );
    }

    #[test]
    fn heads_that_say_nothing_or_two_things_are_refused() {
        for head in [
            "",
            "Content-Type: text/plain\r\n",
            "Content-Disposition: form-data\r\n",
            "Content-Disposition: form-data; filename=\"a\"\r\n",
            "Content-Disposition: attachment; name=\"a\"\r\n",
            "Content-Disposition: form-data; name=a; name=b\r\n",
            "Content-Disposition: form-data; name=a\0\r\n",
            "Content-Disposition: form-data; name=a\rb\r\n",
            "Content-Disposition: form-data; name=a\nb\r\n",
            "Content-Disposition: form-data; name=a; filename=b; filename=c\r\n",
        ] {
            assert!(parse(head).is_err(), "{head}");
        }
    }
}
