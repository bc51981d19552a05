//! Parses request heads: method, target, fields, and the framing of the body (RFC 9112). Later code relies on the
//! framing that was determined here, and never derives it again.
//!
//! The trap is request smuggling: if a proxy and this server disagree on where a request ends, a client can hide a
//! second request in the body of the first. So everything that two parsers could read in two ways is refused, not
//! repaired: bare CR or LF, more than one `Content-Length`, `Content-Length` together with `Transfer-Encoding`, any
//! coding except a single `chunked`.

use super::{refusal::Refusal, status::Status};
use std::fmt;

/// The maximum length of a head including the request line, in bytes.
pub(super) const MAX_HEAD: usize = 16 << 10;
/// The maximum length of a request target in bytes (RFC 9112, section 3, recommends at least 8000).
const MAX_TARGET: usize = 8000;
/// The maximum number of fields.
const MAX_FIELDS: usize = 100;

/// The request methods that the server supports. A request with another method is answered with 501.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Method {
    Get,
    Head,
    Post,
    Put,
    Patch,
    Delete,
    Options,
    Trace,
    Query,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 9] = [
        Self::Get,
        Self::Head,
        Self::Post,
        Self::Put,
        Self::Patch,
        Self::Delete,
        Self::Options,
        Self::Trace,
        Self::Query,
    ];

    /// The method's name in the request line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
            Self::Options => "OPTIONS",
            Self::Trace => "TRACE",
            Self::Query => "QUERY",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Framing of a request's body: how its length is determined (RFC 9112, section 6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// There is no body.
    None,
    /// The body has this many bytes.
    Length(u64),
    /// The body is in chunks, each with its size (RFC 9112, section 7.1).
    Chunked,
}

/// A complete and well-formed request head.
#[derive(Clone, Debug)]
pub struct Head {
    /// The method.
    pub method: Method,
    /// The request target without its query, with unreserved characters decoded. It begins with `/`, or is `*`.
    pub path: String,
    /// The part of the target after the first `?`, as it was sent.
    pub query: Option<String>,
    fields: Vec<(String, String)>,
    /// Framing of the body.
    pub framing: Framing,
    /// Whether the client waits for `100 Continue` before it sends the body.
    pub expects_continue: bool,
    /// Whether the client wants to reuse the connection (keep-alive).
    pub keep_alive: bool,
    /// Whether the client speaks HTTP/1.0. An answer to such a client must state explicitly that the connection stays
    /// open.
    pub http_1_0: bool,
    /// The client's `X-Request-Id` if it is short and safe to log, otherwise one that the server made.
    pub request_id: String,
}

impl Head {
    /// The value of the first field of this name, given in lower case. Bytes that are not UTF-8 have been replaced.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields
            .iter()
            .find(|(field, _)| field == name)
            .map(|(_, value)| value.as_str())
    }

    /// The values of all fields of this name, given in lower case, in order.
    pub fn fields<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> + 'a {
        self.fields
            .iter()
            .filter(move |(field, _)| field == name)
            .map(|(_, value)| value.as_str())
    }

    /// The approximate memory that the head uses, in bytes.
    pub(super) fn weight(&self) -> usize {
        let fields = self.fields.iter();
        let fields =
            fields.map(|(name, value)| name.len() + value.len() + size_of::<(String, String)>());
        let query = self.query.as_ref().map_or(0, String::len);
        size_of::<Self>() + self.path.len() + query + self.request_id.len() + fields.sum::<usize>()
    }

    /// Returns whether this is a `HEAD` request, which is answered like `GET` but without the content.
    pub fn is_head(&self) -> bool {
        self.method == Method::Head
    }
}

/// Searches `bytes` for the end of the head. An earlier call has searched the first `scanned` bytes.
///
/// Returns the length of the head with its empty line, or `None` if it is incomplete. Errors: 400 for a bare CR or LF
/// and for bytes that cannot begin an HTTP request, 414 or 431 for a head that is too long (400 if it has no target).
pub(super) fn find_end(bytes: &[u8], scanned: usize) -> Result<Option<usize>, Refusal> {
    // The empty line (CR LF CR LF) may have begun in the last three bytes of the earlier search.
    let mut from = scanned.saturating_sub(3);
    // Empty lines before the request line are ignored (RFC 9112, section 2.2).
    let blank = bytes.chunks(2).take_while(|pair| pair == b"\r\n").count() * 2;
    if from < blank {
        from = blank;
    }
    while let Some(at) = bytes
        .get(from..)
        .and_then(|rest| rest.iter().position(|&byte| byte == b'\n' || byte == b'\r'))
    {
        let at = from + at;
        match (bytes[at], bytes.get(at + 1)) {
            (b'\n', _) if at == 0 || bytes[at - 1] != b'\r' => {
                return Err(Refusal::new(
                    Status::BAD_REQUEST,
                    "a line of the request head ends in a bare LF",
                ));
            }
            (b'\r', Some(next)) if *next != b'\n' => {
                return Err(Refusal::new(
                    Status::BAD_REQUEST,
                    "the request head holds a bare CR",
                ));
            }
            (b'\n', _) if bytes[..=at].ends_with(b"\r\n\r\n") => {
                return if at + 1 > MAX_HEAD {
                    Err(too_long(bytes))
                } else {
                    Ok(Some(at + 1))
                };
            }
            _ => from = at + 1,
        }
    }
    if bytes.len() >= MAX_HEAD {
        return Err(too_long(bytes));
    }
    check_beginning(bytes.get(blank..).unwrap_or_default())?;
    Ok(None)
}

/// Refuses other protocols by their first bytes, so that such a client gets an answer immediately, and not only after
/// the time limit for its head. TLS begins with a byte that no method contains, SSH with a line that names no version
/// of HTTP.
fn check_beginning(bytes: &[u8]) -> Result<(), Refusal> {
    const TLS_HANDSHAKE: u8 = 22;
    // Line breaks may precede a request line.
    let allowed = |byte: u8| is_token(byte) || b"\r\n".contains(&byte);
    match bytes.first() {
        Some(&TLS_HANDSHAKE) => return Err(bad("this is TLS; the port serves plain HTTP only")),
        Some(&first) if !allowed(first) => return Err(bad("this is not HTTP")),
        Some(_) | None => {}
    }
    let line = memchr::memchr(b'\n', bytes).map(|end| &bytes[..end]);
    match line {
        Some(line) if memchr::memmem::find(line, b" HTTP/").is_none() => Err(bad(
            "the first line of the request names no version of HTTP",
        )),
        Some(_) | None => Ok(()),
    }
}

/// Returns whether a byte may be in a token, such as a method or the name of a field (RFC 9110, section 5.6.2).
pub(super) fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

fn too_long(bytes: &[u8]) -> Refusal {
    if bytes.len() > MAX_TARGET && !bytes[..MAX_TARGET].iter().any(|byte| b" \n".contains(byte)) {
        // No known method is that long, so the space before the target is missing.
        bad("the first line of the request names no target")
    } else if bytes.iter().take(MAX_TARGET).any(|&byte| byte == b'\n') {
        Refusal::new(
            Status::HEADER_FIELDS_TOO_LARGE,
            format!("the request head is longer than {MAX_HEAD} bytes"),
        )
    } else {
        Refusal::new(
            Status::URI_TOO_LONG,
            format!("the request target is longer than {MAX_TARGET} bytes"),
        )
    }
}

/// Parses a complete head, as found by [`find_end`]. `new_id` makes a request id if the client sent none.
///
/// Errors: 400, 413, 414, 417, 431, 501 or 505, each with a sentence that says what is wrong.
pub(super) fn parse(bytes: &[u8], new_id: impl FnOnce() -> String) -> Result<Head, Refusal> {
    let mut slots = [httparse::EMPTY_HEADER; MAX_FIELDS];
    let mut request = httparse::Request::new(&mut slots);
    match request.parse(bytes) {
        Ok(httparse::Status::Complete(len)) if len == bytes.len() => {}
        Ok(_) => return Err(bad("the request head does not end where it should")),
        Err(httparse::Error::TooManyHeaders) => {
            let detail = format!("the request head has more than {MAX_FIELDS} fields");
            return Err(Refusal::new(Status::HEADER_FIELDS_TOO_LARGE, detail));
        }
        Err(httparse::Error::Version) if claims_other_http(bytes) => {
            return Err(Refusal::new(
                Status::VERSION_NOT_SUPPORTED,
                "only HTTP/1.1 and HTTP/1.0 are supported",
            ));
        }
        Err(err) => return Err(bad(format!("the request head is malformed: {err}"))),
    }
    let http_1_0 = request.version == Some(0);
    let fields: Vec<(String, String)> = request
        .headers
        .iter()
        .map(|field| {
            (
                field.name.to_ascii_lowercase(),
                String::from_utf8_lossy(field.value.trim_ascii()).into_owned(),
            )
        })
        .collect();

    let method = request.method.unwrap_or_default();
    let method = Method::ALL
        .into_iter()
        .find(|known| known.as_str() == method)
        .ok_or_else(|| {
            Refusal::new(
                Status::NOT_IMPLEMENTED,
                format!("the method {method:?} is not implemented"),
            )
        })?;
    let target = request.path.unwrap_or_default();
    if target.len() > MAX_TARGET {
        return Err(too_long(b""));
    }
    let (path, query) = split_target(target)?;
    if path == "*" && method != Method::Options {
        // RFC 9112, section 3.2.4: the asterisk is only for OPTIONS.
        return Err(bad("the request target * is only for OPTIONS"));
    }

    check_host(&fields, http_1_0)?;
    let framing = framing(&fields, http_1_0)?;
    let connection = |token: &str| {
        fields.iter().any(|(name, value)| {
            name == "connection"
                && value
                    .split(',')
                    .any(|part| part.trim().eq_ignore_ascii_case(token))
        })
    };
    let keep_alive = !connection("close") && (!http_1_0 || connection("keep-alive"));
    let expects_continue = expectation(&fields, http_1_0)?;
    let client_id = fields
        .iter()
        .find(|(name, value)| name == "x-request-id" && is_sane_id(value));
    let request_id = client_id.map_or_else(new_id, |(_, value)| value.clone());
    Ok(Head {
        method,
        path,
        query,
        fields,
        framing,
        expects_continue,
        keep_alive,
        http_1_0,
        request_id,
    })
}

fn bad(detail: impl Into<std::borrow::Cow<'static, str>>) -> Refusal {
    Refusal::new(Status::BAD_REQUEST, detail)
}

/// Returns whether the request line ends in `HTTP/` and a version that is not supported.
fn claims_other_http(bytes: &[u8]) -> bool {
    let line = bytes
        .split(|&byte| byte == b'\r')
        .find(|line| !line.trim_ascii().is_empty())
        .unwrap_or_default();
    let version = line.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
    version.strip_prefix(b"HTTP/").is_some_and(|number| {
        !matches!(number, b"" | b"1.0" | b"1.1")
            && matches!(number, [major, b'.', minor] if major.is_ascii_digit() && minor.is_ascii_digit())
    })
}

/// Splits a target in origin form, absolute form or asterisk form (RFC 9112, section 3.2) into path and query.
/// The host of an absolute form is left out.
fn split_target(target: &str) -> Result<(String, Option<String>), Refusal> {
    if !target
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && byte != b'#')
    {
        return Err(bad(
            "the request target holds characters that must be percent-encoded",
        ));
    }
    let after_scheme = ["http://", "https://"].iter().find_map(|scheme| {
        target
            .get(..scheme.len())
            .filter(|start| start.eq_ignore_ascii_case(scheme))
            .map(|_| &target[scheme.len()..])
    });
    let origin = match after_scheme {
        Some(rest) => rest.find(['/', '?']).map_or("/", |at| &rest[at..]),
        None => target,
    };
    if origin != "*" && !origin.starts_with(['/', '?']) {
        return Err(bad("the request target is neither a path nor an address"));
    }
    let (path, query) = match origin.split_once('?') {
        Some((path, query)) => (path, Some(query.to_owned())),
        None => (origin, None),
    };
    let path = if path.is_empty() { "/" } else { path };
    Ok((unreserved_decoded(path), query))
}

/// Decodes percent-encoded characters of a path that need no encoding, because both spellings mean the same (RFC 3986,
/// section 6.2.2.2). All others stay encoded, so that decoding adds no slash or percent sign.
fn unreserved_decoded(path: &str) -> String {
    let mut parts = path.split('%');
    let mut decoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.get(..2);
        let code = code.filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let byte = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        match byte.map(char::from) {
            Some(char @ ('A'..='Z' | 'a'..='z' | '0'..='9' | '-' | '.' | '_' | '~')) => {
                decoded.push(char);
                decoded.push_str(&part[2..]);
            }
            _ => {
                decoded.push('%');
                decoded.push_str(part);
            }
        }
    }
    decoded
}

/// Requires exactly one valid `Host` field; only HTTP/1.0 may omit it (RFC 9112, section 3.2).
fn check_host(fields: &[(String, String)], http_1_0: bool) -> Result<(), Refusal> {
    let mut hosts = fields
        .iter()
        .filter(|(name, _)| name == "host")
        .map(|(_, value)| value);
    match (hosts.next(), hosts.next()) {
        (None, _) if http_1_0 => Ok(()),
        (None, _) => Err(bad("the Host field is missing")),
        (Some(_), Some(_)) => Err(bad("the request has more than one Host field; send one")),
        (Some(host), None) => {
            let valid =
                |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:[]%".contains(&byte);
            if host.is_empty() {
                // RFC 9110, section 4.2.1: an http address with an empty host must be rejected.
                Err(bad("the Host field is empty"))
            } else if host.bytes().all(valid) {
                Ok(())
            } else {
                Err(bad("the Host field is not a host"))
            }
        }
    }
}

/// Reads the framing of the body (RFC 9112, section 6.3). Fields that two parsers could read in two ways are refused.
fn framing(fields: &[(String, String)], http_1_0: bool) -> Result<Framing, Refusal> {
    let values = |wanted: &'static str| {
        fields
            .iter()
            .filter(move |(name, _)| name == wanted)
            .map(|(_, value)| value.as_str())
    };
    let mut lengths = values("content-length");
    let mut codings = values("transfer-encoding");
    match (lengths.next(), codings.next()) {
        (None, None) => Ok(Framing::None),
        (Some(_), Some(_)) => Err(bad(
            "the request has both Content-Length and Transfer-Encoding; send one of them",
        )),
        (Some(length), None) => {
            if lengths.next().is_some() {
                return Err(bad(
                    "the request has more than one Content-Length field; send one",
                ));
            }
            if length.is_empty() || !length.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(bad(format!(
                    "Content-Length is {length:?}; it must be a number of bytes"
                )));
            }
            length.parse().map(Framing::Length).map_err(|_| {
                Refusal::new(
                    Status::PAYLOAD_TOO_LARGE,
                    format!("Content-Length is {length}, which is too large"),
                )
            })
        }
        (None, Some(coding)) => {
            if codings.next().is_some() || !coding.eq_ignore_ascii_case("chunked") {
                return Err(bad(
                    "Transfer-Encoding must be a single \"chunked\"; nothing else is supported",
                ));
            }
            if http_1_0 {
                return Err(bad("HTTP/1.0 has no Transfer-Encoding"));
            }
            Ok(Framing::Chunked)
        }
    }
}

fn expectation(fields: &[(String, String)], http_1_0: bool) -> Result<bool, Refusal> {
    match fields.iter().find(|(name, _)| name == "expect") {
        Some((_, value)) if value.eq_ignore_ascii_case("100-continue") => Ok(!http_1_0),
        Some(_) => Err(Refusal::new(
            Status::EXPECTATION_FAILED,
            "the only expectation that can be met is 100-continue",
        )),
        None => Ok(false),
    }
}

/// Returns whether a request id is short, and safe to repeat in a header field and in the log.
fn is_sane_id(id: &str) -> bool {
    (1..=128).contains(&id.len())
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.:=+/".contains(&byte))
}

#[cfg(test)]
mod tests;
