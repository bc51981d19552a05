//! A minimal HTTP/1.1 client: sends requests as they are written, and reads one answer at a time.

use super::{DEADLINE, form::Form, schema};
use rustix::net;
use serde_json::Value;
use std::{
    io::{self, Read, Write},
    net::{Shutdown, SocketAddr, TcpStream},
};

/// A request. Its head contains `Host`, `Content-Length` if it has a body, and the fields that the test adds.
#[derive(Clone)]
pub(crate) struct Request {
    method: String,
    target: String,
    fields: Vec<(String, String)>,
    body: Option<Vec<u8>>,
    chunks: Option<usize>,
}

impl Request {
    pub(crate) fn new(method: &str, target: &str) -> Self {
        Self {
            method: method.into(),
            target: target.into(),
            fields: Vec::new(),
            body: None,
            chunks: None,
        }
    }

    pub(crate) fn get(target: &str) -> Self {
        Self::new("GET", target)
    }

    pub(crate) fn head(target: &str) -> Self {
        Self::new("HEAD", target)
    }

    pub(crate) fn method(&self) -> &str {
        &self.method
    }

    /// Changes the target of the request.
    pub(crate) fn to(mut self, target: &str) -> Self {
        self.target = target.into();
        self
    }

    /// A request for a conversion.
    pub(crate) fn form(form: Form) -> Self {
        Self::new("POST", "/api/v1/convert")
            .field("Content-Type", &Form::content_type())
            .body(form.body())
    }

    pub(crate) fn field(mut self, name: &str, value: &str) -> Self {
        self.fields.push((name.into(), value.into()));
        self
    }

    pub(crate) fn body(mut self, body: Vec<u8>) -> Self {
        self.body = Some(body);
        self
    }

    /// Sends the body in chunks of `size` bytes instead of with `Content-Length`.
    pub(crate) fn chunked(mut self, size: usize) -> Self {
        self.chunks = Some(size);
        self
    }

    /// The head, including the empty line at its end.
    pub(crate) fn head_bytes(&self) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\nHost: test\r\n", self.method, self.target);
        for (name, value) in &self.fields {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        match (&self.body, self.chunks) {
            (Some(_), Some(_)) => head.push_str("Transfer-Encoding: chunked\r\n"),
            (Some(body), None) => head.push_str(&format!("Content-Length: {}\r\n", body.len())),
            (None, _) => {}
        }
        head.push_str("\r\n");
        head.into_bytes()
    }

    /// The body in the form in which it is sent.
    pub(crate) fn body_bytes(&self) -> Vec<u8> {
        let body = self.body.as_deref().unwrap_or_default();
        let Some(size) = self.chunks else {
            return body.to_vec();
        };
        let mut bytes = Vec::new();
        for chunk in body.chunks(size) {
            bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
            bytes.extend_from_slice(chunk);
            bytes.extend_from_slice(b"\r\n");
        }
        bytes.extend_from_slice(b"0\r\n\r\n");
        bytes
    }

    /// All bytes of the request.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.head_bytes();
        bytes.extend(self.body_bytes());
        bytes
    }
}

/// An answer of the server.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The version in the status line, such as `HTTP/1.1`.
    pub(crate) version: String,
    pub(crate) status: u16,
    /// Header fields, with names in lower case.
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) body: Body,
}

/// The content of an answer.
#[derive(PartialEq, Eq)]
pub(crate) struct Body(pub(crate) Vec<u8>);

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let start = &self.0[..self.0.len().min(400)];
        write!(
            f,
            "{} B: {:?}",
            self.0.len(),
            String::from_utf8_lossy(start)
        )
    }
}

impl std::ops::Deref for Body {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl Answer {
    /// The value of a header field, by its name in lower case. Fails if the field occurs twice.
    #[track_caller]
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        let mut values = self.fields.iter().filter(|(field, _)| field == name);
        let value = values.next().map(|(_, value)| value.as_str());
        assert!(values.next().is_none(), "{name} occurs twice in {self:?}");
        value
    }

    /// The content. Fails unless it is JSON and has the media type of JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(
            self.field("content-type"),
            Some("application/json"),
            "{self:?}"
        );
        serde_json::from_slice(&self.body).unwrap_or_else(|err| panic!("{err} in {self:?}"))
    }

    /// A text member of `data` in an answer. Fails unless the answer is a success.
    #[track_caller]
    pub(crate) fn data(&self, name: &str) -> String {
        let value = self.json();
        match value["data"][name].as_str() {
            Some(text) => text.to_owned(),
            None => panic!("there is no text data.{name} in {self:?}"),
        }
    }

    /// The detail of an error. Fails unless the error has a complete envelope.
    #[track_caller]
    pub(crate) fn error(&self) -> String {
        let value = self.json();
        assert_eq!(value["success"], false, "{self:?}");
        match value["error"].as_str() {
            Some(text) => text.to_owned(),
            None => panic!("there is no error in {self:?}"),
        }
    }
}

/// A connection.
pub(crate) struct Client {
    stream: TcpStream,
    /// Received bytes that do not belong to an answer that was read.
    ahead: Vec<u8>,
}

impl Client {
    #[track_caller]
    pub(crate) fn connect(address: SocketAddr) -> Self {
        Self::over(TcpStream::connect(address).expect("the server accepts"))
    }

    /// Connects with the smallest possible receive buffer, so that unread bytes stay in the server's kernel.
    #[track_caller]
    pub(crate) fn connect_narrow(address: SocketAddr) -> Self {
        // The socket is close-on-exec, so that a process that another test starts does not keep it open.
        let socket = net::socket_with(
            net::AddressFamily::INET,
            net::SocketType::STREAM,
            net::SocketFlags::CLOEXEC,
            None,
        );
        let socket = socket.expect("a socket");
        net::sockopt::set_socket_recv_buffer_size(&socket, 1).expect("a small buffer");
        net::connect(&socket, &address).expect("the server accepts");
        Self::over(TcpStream::from(socket))
    }

    /// Makes a client of an existing connection.
    #[track_caller]
    pub(crate) fn over(stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(DEADLINE)).expect("a time-out");
        stream
            .set_write_timeout(Some(DEADLINE))
            .expect("a time-out");
        stream.set_nodelay(true).expect("no delay");
        Self {
            stream,
            ahead: Vec::new(),
        }
    }

    pub(crate) fn stream(&self) -> &TcpStream {
        &self.stream
    }

    pub(crate) fn into_stream(self) -> TcpStream {
        self.stream
    }

    /// Sends a request, and reads its answer, which must match the OpenAPI document.
    #[track_caller]
    pub(crate) fn send(&mut self, request: Request) -> Answer {
        // A server that answers before the end of the request may stop reading, so a failure to send does not matter.
        let sent = self.try_write(&request.bytes());
        let answer = self.try_read(request.method == "HEAD");
        let answer = answer.unwrap_or_else(|err| {
            let Request { method, target, .. } = &request;
            panic!("no answer to {method} {target}: {err}; sent: {sent:?}")
        });
        // Interim answers (1xx) are not checked.
        if answer.status >= 200 {
            schema::check(&request.method, &request.target, &answer);
        }
        answer
    }

    /// Sends these bytes, without a change.
    #[track_caller]
    pub(crate) fn write(&mut self, bytes: impl AsRef<[u8]>) {
        self.try_write(bytes.as_ref()).expect("the server reads");
    }

    pub(crate) fn try_write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    /// Ends the sending direction of the connection.
    pub(crate) fn finish_sending(&mut self) {
        // The server may already have closed the connection.
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    /// Reads the next answer, which may be an interim one (1xx).
    #[track_caller]
    pub(crate) fn read(&mut self) -> Answer {
        self.try_read(false).expect("an answer")
    }

    /// Reads the next answer to a HEAD request.
    #[track_caller]
    pub(crate) fn read_head(&mut self) -> Answer {
        self.try_read(true).expect("an answer")
    }

    pub(crate) fn try_read(&mut self, to_head: bool) -> io::Result<Answer> {
        let end = loop {
            if let Some(at) = find(&self.ahead, b"\r\n\r\n") {
                break at + 4;
            }
            self.receive()?;
        };
        let head: Vec<u8> = self.ahead.drain(..end).collect();
        let head = String::from_utf8(head).map_err(|_| io::Error::other("a head beyond UTF-8"))?;
        let mut answer = parse_head(&head).ok_or_else(|| io::Error::other(head.clone()))?;
        let bodiless = to_head || answer.status < 200 || matches!(answer.status, 204 | 304);
        let len = match answer.field("content-length") {
            _ if bodiless => 0,
            Some(len) => len.parse().map_err(io::Error::other)?,
            None => return Err(io::Error::other(format!("no Content-Length: {head}"))),
        };
        while self.ahead.len() < len {
            self.receive()?;
        }
        answer.body = Body(self.ahead.drain(..len).collect());
        Ok(answer)
    }

    /// Reads exactly `len` bytes.
    pub(crate) fn read_bytes(&mut self, len: usize) -> io::Result<Vec<u8>> {
        while self.ahead.len() < len {
            self.receive()?;
        }
        Ok(self.ahead.drain(..len).collect())
    }

    /// Waits until `len` further bytes have arrived. Returns all bytes that have arrived, and leaves them for
    /// [`read`](Self::read).
    #[track_caller]
    pub(crate) fn peek(&mut self, len: usize) -> &[u8] {
        let end = self.ahead.len() + len;
        while self.ahead.len() < end {
            self.receive().expect("more of the answer");
        }
        &self.ahead
    }

    /// Returns whether the server has closed the connection. Waits until the server closes it or sends something.
    pub(crate) fn is_closed(&mut self) -> bool {
        self.ahead.is_empty() && self.receive().is_err()
    }

    fn receive(&mut self) -> io::Result<()> {
        let mut buffer = [0; 64 << 10];
        loop {
            return match self.stream.read(&mut buffer) {
                Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(len) => {
                    self.ahead.extend_from_slice(&buffer[..len]);
                    Ok(())
                }
                Err(err) if err.kind() == io::ErrorKind::Interrupted => continue,
                Err(err) => Err(err),
            };
        }
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
}

fn parse_head(head: &str) -> Option<Answer> {
    let mut lines = head.split("\r\n");
    let mut status_line = lines.next()?.splitn(3, ' ');
    let (version, status) = (status_line.next()?, status_line.next()?);
    let fields = lines.take_while(|line| !line.is_empty()).map(|line| {
        let (name, value) = line.split_once(": ")?;
        Some((name.to_ascii_lowercase(), value.to_owned()))
    });
    Some(Answer {
        version: version.into(),
        status: status.parse().ok()?,
        fields: fields.collect::<Option<_>>()?,
        body: Body(Vec::new()),
    })
}
