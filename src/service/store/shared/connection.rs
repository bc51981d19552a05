//! A connection to Redis and its set-up: the password, the database, the check that it leads to the master, the script,
//! and the user's rights. Does not keep connections: [`pool`](super::pool) does, and [`master`](super::master) finds
//! the master.
//!
//! A time-out of the socket starts again with every byte that arrives, so a server that answers byte by byte would
//! delay a request for minutes. A connection therefore has a deadline, which counts for everything that is sent and
//! received until another is set.

use super::{
    target::{Host, Target},
    wire::{self, Reply},
};
use crate::network;
use std::{
    fmt,
    io::{self, BufReader, Read, Write},
    net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs},
    time::{Duration, Instant},
};

/// Longest time for which Redis may be silent, unless [`Connection::bear_silence`] allows more.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);
/// Longest time to wait for a connection to be accepted, for all hosts together.
pub(super) const CONNECT_PATIENCE: Duration = Duration::from_millis(900);
/// Number of further attempts when a connection turns out to be closed, or if Redis does not have the script.
pub(super) const RETRIES: u32 = 4;

/// Reason for which a connection cannot be used.
#[derive(Debug)]
pub(super) enum Fault {
    /// The other end closed the connection.
    Closed,
    /// Redis refused a request. The text begins with the code of the error, such as `NOPERM`.
    Refused(String),
    /// Any other reason, in words.
    Other(String),
}

impl Fault {
    /// Returns whether Redis refused a request with this code.
    fn has_code(&self, code: &str) -> bool {
        matches!(self, Self::Refused(why) if wire::code(why) == code)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => out.write_str("it closes every connection at once"),
            Self::Refused(why) | Self::Other(why) => out.write_str(why),
        }
    }
}

impl From<&str> for Fault {
    fn from(why: &str) -> Self {
        Self::Other(why.to_owned())
    }
}

impl From<&io::Error> for Fault {
    fn from(err: &io::Error) -> Self {
        match err.kind() {
            _ if is_closed(err) => Self::Closed,
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => "it does not answer".into(),
            io::ErrorKind::ConnectionRefused => "no server listens there".into(),
            _ => Self::Other(err.to_string()),
        }
    }
}

/// A master, and the identifier of its current run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Master {
    pub(super) host: Host,
    pub(super) run_id: String,
}

/// A connection to Redis.
pub(super) struct Connection {
    stream: BufReader<Timed>,
    /// Number of the master that it leads to, see [`Link`](super::pool::Link).
    pub(super) era: u64,
}

/// A stream that is read and written until a deadline.
struct Timed {
    stream: TcpStream,
    until: Instant,
    /// Longest time for one system call.
    silence: Duration,
}

impl Timed {
    /// Time limit for the next system call.
    fn left(&self) -> io::Result<Duration> {
        let left = self.until.saturating_duration_since(Instant::now());
        match left.is_zero() {
            true => Err(io::ErrorKind::TimedOut.into()),
            false => Ok(left.min(self.silence)),
        }
    }
}

impl Read for Timed {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.left()?))?;
        self.stream.read(bytes)
    }
}

impl Write for Timed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(self.left()?))?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Connection {
    fn open(addresses: &[SocketAddr], patience: Duration) -> io::Result<Self> {
        let stream = network::connect(addresses, patience)?;
        stream.set_nodelay(true)?;
        let stream = Timed {
            stream,
            until: Instant::now() + PATIENCE,
            silence: PATIENCE,
        };
        Ok(Self {
            stream: BufReader::with_capacity(16 << 10, stream),
            era: 0,
        })
    }

    /// Sets the deadline for everything that is sent and received from now on.
    pub(super) fn finish_by(&mut self, until: Instant) {
        let stream = self.stream.get_mut();
        (stream.until, stream.silence) = (until, PATIENCE);
    }

    /// Sets how long Redis may take to answer the next request. The deadline is then the end of this time.
    pub(super) fn bear_silence(&mut self, silence: Duration) {
        let stream = self.stream.get_mut();
        (stream.until, stream.silence) = (Instant::now() + silence, silence);
    }

    /// Sends a request and waits for its reply.
    pub(super) fn ask(&mut self, words: &[&[u8]]) -> io::Result<Reply> {
        let mut batch = Batch::default();
        batch.add(words);
        self.send(&batch)?;
        self.receive()
    }

    pub(super) fn send(&mut self, batch: &Batch) -> io::Result<()> {
        self.stream.get_mut().write_all(&batch.bytes)
    }

    pub(super) fn receive(&mut self) -> io::Result<Reply> {
        wire::read(&mut self.stream)
    }
}

/// Requests that are sent together, encoded one after another.
#[derive(Default)]
pub(super) struct Batch {
    bytes: Vec<u8>,
    len: usize,
}

impl Batch {
    pub(super) fn add(&mut self, words: &[&[u8]]) {
        wire::encode(words, &mut self.bytes);
        self.len += 1;
    }

    /// Number of requests, and so of the replies to expect.
    pub(super) fn len(&self) -> usize {
        self.len
    }
}

/// Connects to this master. Returns a connection that is ready for use, and the name (SHA-1) under which Redis runs the
/// script. The error says why the connection failed.
pub(super) fn connect(
    target: &Target,
    script: &str,
    master: &Master,
) -> Result<(Connection, String), String> {
    let mut connected = set_up(target, script, master);
    for _ in 0..RETRIES {
        // If an operator closed the connection during its set-up, or flushed all scripts, another attempt helps.
        let passes = |fault: &Fault| matches!(fault, Fault::Closed) || fault.has_code("NOSCRIPT");
        if connected.as_ref().is_err_and(passes) {
            connected = set_up(target, script, master);
        }
    }
    connected.map_err(|why| format!("{}: {why}", master.host))
}

/// Connects, logs in, checks that the master is still the same one, and loads the script.
fn set_up(target: &Target, script: &str, master: &Master) -> Result<(Connection, String), Fault> {
    let mut connection = dial(&master.host, CONNECT_PATIENCE)?;
    log_in(target, &mut connection)?;
    match run_id(&mut connection)? {
        Some(run_id) if run_id == master.run_id => {}
        Some(_) => return Err("a different Redis server now answers there".into()),
        None => return Err("it is not a master".into()),
    }
    let database = target.database.to_string();
    if target.database > 0 {
        require(&mut connection, &[b"SELECT", database.as_bytes()])?;
    }
    let script = [b"SCRIPT" as &[u8], b"LOAD", script.as_bytes()];
    let sha = require(&mut connection, &script).map_err(|fault| match fault {
        Fault::Closed => fault,
        _ if fault.has_code("NOPERM") => fault,
        _ => Fault::Other(format!("Redis 7.0 or later, or Valkey, is needed: {fault}")),
    })?;
    let sha = sha.text().ok_or("it does not load scripts")?;
    let tried = require(&mut connection, &[b"EVALSHA", sha.as_bytes(), b"0", b"try"])?;
    forbidden(&tried).map_or(Ok((connection, sha)), |why| Err(Fault::Other(why)))
}

/// Returns the message about a right that Redis's user lacks, if this reply to the step `try` reports one.
pub(super) fn forbidden(reply: &Reply) -> Option<String> {
    let Reply::List(parts) = reply else {
        return None;
    };
    match (
        reply.first_word().as_str(),
        parts.get(1).and_then(Reply::text),
    ) {
        ("forbidden", Some(command)) => Some(format!(
            "the user of --store may not do {command} there; its rights (ACL) must allow +{} on ~{}*",
            command.to_ascii_lowercase(),
            super::PREFIX
        )),
        _ => None,
    }
}

/// Sends the user's name and the password. Sends nothing without either. A user without a password has an empty one:
/// Redis accepts any password of a user that needs none (`nopass`).
pub(super) fn log_in(target: &Target, connection: &mut Connection) -> Result<(), Fault> {
    if target.user.is_none() && target.password.is_none() {
        return Ok(());
    }
    let mut words = vec![b"AUTH" as &[u8]];
    words.extend(target.user.as_deref().map(str::as_bytes));
    words.push(target.password.as_deref().unwrap_or_default().as_bytes());
    // Redis does not repeat the password when it refuses it, so its error may be logged.
    require(connection, &words).map(drop)
}

/// Returns the identifier of the server's current run. `None` if the server is not a master.
pub(super) fn run_id(connection: &mut Connection) -> Result<Option<String>, Fault> {
    match require(connection, &[b"ROLE"])? {
        Reply::List(role) if role.first() == Some(&Reply::Text(b"master".to_vec())) => {}
        _ => return Ok(None),
    }
    let info = require(connection, &[b"INFO", b"server"])?.text();
    let info = info.unwrap_or_default();
    let id = field(&info, "run_id").ok_or("it does not report its run_id")?;
    Ok(Some(id.to_owned()))
}

/// Opens a connection. Sends nothing on it.
pub(super) fn dial(host: &Host, patience: Duration) -> Result<Connection, Fault> {
    let addresses: Vec<SocketAddr> = match host.name.parse::<IpAddr>() {
        Ok(ip) => vec![SocketAddr::new(ip, host.port)],
        Err(_) => (host.name.as_str(), host.port)
            .to_socket_addrs()
            .map_err(|_| "its name cannot be resolved; use its IP address")?
            .collect(),
    };
    Connection::open(&addresses, patience).map_err(|err| Fault::from(&err))
}

/// Sends a request and returns its reply. An error reply becomes [`Fault::Refused`].
pub(super) fn require(connection: &mut Connection, words: &[&[u8]]) -> Result<Reply, Fault> {
    match connection.ask(words) {
        Ok(Reply::Error(why)) => Err(Fault::Refused(why)),
        Ok(reply) => Ok(reply),
        Err(err) => Err((&err).into()),
    }
}

/// Returns the value of a field in the reply to INFO.
pub(super) fn field<'a>(info: &'a str, name: &str) -> Option<&'a str> {
    info.lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
        .map(str::trim)
}

/// Returns whether the other end has closed a connection. That is no sign of a failure, because Redis closes idle
/// connections.
pub(super) fn is_closed(err: &io::Error) -> bool {
    matches!(
        err.kind(),
        io::ErrorKind::UnexpectedEof
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{net::TcpListener, thread};

    #[test]
    fn users_log_in_with_and_without_a_password() {
        #[track_caller]
        fn check(address: &str, expected: &str) {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let host = Host {
                name: "127.0.0.1".into(),
                port: listener.local_addr().unwrap().port(),
            };
            let mut connection = dial(&host, PATIENCE).unwrap();
            let server = thread::spawn(move || {
                let (mut stream, _) = listener.accept().unwrap();
                stream.write_all(b"+OK\r\n").unwrap();
                let mut sent = String::new();
                // A client that closes the connection without reading resets it.
                stream.read_to_string(&mut sent).unwrap_or_default();
                sent
            });
            log_in(&address.parse().unwrap(), &mut connection).unwrap();
            drop(connection);
            assert_eq!(server.join().unwrap(), expected, "{address}");
        }
        check("redis://h", "");
        check("redis://:p@h", "*2\r\n$4\r\nAUTH\r\n$1\r\np\r\n");
        check(
            "redis://u:p@h",
            "*3\r\n$4\r\nAUTH\r\n$1\r\nu\r\n$1\r\np\r\n",
        );
        check("redis://u@h", "*3\r\n$4\r\nAUTH\r\n$1\r\nu\r\n$0\r\n\r\n");
    }
}
