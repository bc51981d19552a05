//! One connection to the engine, and how it comes about: hosts in turn, or what Sentinels say, then the password, the database and the
//! script. Keeps nothing: who holds connections is [`link`](super::link).

use super::{
    target::Target,
    wire::{self, Reply},
};
use crate::network;
use std::{
    io::{self, BufReader, Write},
    net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs},
    time::Duration,
};

/// How long the engine may take to answer.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);
/// How long it may take to accept a connection, all hosts together.
const CONNECT_PATIENCE: Duration = Duration::from_millis(900);
/// How often something is tried again when a connection turns out to be closed.
pub(super) const RETRIES: u32 = 4;
/// What is said of a connection that the engine closed.
const CLOSED: &str = "it closes connections at once";

/// One connection.
pub(super) struct Connection {
    stream: BufReader<TcpStream>,
}

impl Connection {
    fn open(addresses: &[SocketAddr], patience: Duration) -> io::Result<Self> {
        let stream = network::connect(addresses, patience)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Self {
            stream: BufReader::with_capacity(16 << 10, stream),
        })
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

    pub(super) fn wait_for_replies(&self, patience: Duration) -> io::Result<()> {
        self.stream.get_ref().set_read_timeout(Some(patience))
    }
}

/// Requests that are sent together.
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

    /// How many requests there are, and so replies.
    pub(super) fn len(&self) -> usize {
        self.len
    }
}

/// A connection to the master, ready to be used, and the name under which the engine runs the script. The error says why there is
/// none.
pub(super) fn connect(target: &Target, script: &str) -> Result<(Connection, String), String> {
    let hosts = match &target.master {
        Some(name) => vec![ask_sentinels(&target.hosts, name)?],
        None => target.hosts.clone(),
    };
    let share = CONNECT_PATIENCE / hosts.len().max(1) as u32;
    let mut reasons = Vec::new();
    for host in &hosts {
        let mut connected = connect_to(target, script, host, share);
        for _ in 0..RETRIES {
            // An operator closed it while it was being set up.
            if matches!(&connected, Err(why) if why == CLOSED) {
                connected = connect_to(target, script, host, share);
            }
        }
        match connected {
            Ok(connection) => return Ok(connection),
            Err(why) => reasons.push(format!("{}:{}: {why}", host.0, host.1)),
        }
    }
    Err(reasons.join("; "))
}

fn connect_to(
    target: &Target,
    script: &str,
    host: &(String, u16),
    patience: Duration,
) -> Result<(Connection, String), String> {
    let mut connection = dial(host, patience)?;
    log_in(target, &mut connection)?;
    let database = target.database.to_string();
    if target.database > 0 {
        require(&mut connection, &[b"SELECT", database.as_bytes()])?;
    }
    match require(&mut connection, &[b"ROLE"])? {
        Reply::List(role) if role.first() == Some(&Reply::Text(b"master".to_vec())) => {}
        _ => return Err("it is a replica".into()),
    }
    let script = [b"SCRIPT" as &[u8], b"LOAD", script.as_bytes()];
    let sha = require(&mut connection, &script).map_err(|why| match why == CLOSED {
        true => why,
        false => format!("Redis 7.0 or later, or Valkey, is needed: {why}"),
    })?;
    let sha = sha.text().ok_or("it does not load scripts")?;
    Ok((connection, sha))
}

fn log_in(target: &Target, connection: &mut Connection) -> Result<(), String> {
    let Some(password) = &target.password else {
        return Ok(());
    };
    let mut words = vec![b"AUTH" as &[u8]];
    words.extend(target.user.as_deref().map(str::as_bytes));
    words.push(password.as_bytes());
    // The engine does not repeat the password when it refuses it.
    require(connection, &words).map(drop)
}

/// Where the sentinels say that the master is.
fn ask_sentinels(hosts: &[(String, u16)], name: &str) -> Result<(String, u16), String> {
    let share = CONNECT_PATIENCE / hosts.len().max(1) as u32;
    let mut reasons = Vec::new();
    for host in hosts {
        let words = [
            b"SENTINEL" as &[u8],
            b"get-master-addr-by-name",
            name.as_bytes(),
        ];
        let asked = dial(host, share).and_then(|mut sentinel| require(&mut sentinel, &words));
        match asked {
            Ok(Reply::List(address)) if address.len() == 2 => {
                let port = address[1].text().and_then(|port| port.parse().ok());
                if let (Some(host), Some(port)) = (address[0].text(), port) {
                    return Ok((host, port));
                }
            }
            Ok(_) => reasons.push(format!(
                "the sentinel {}:{} knows no {name}",
                host.0, host.1
            )),
            Err(why) => reasons.push(format!("the sentinel {}:{}: {why}", host.0, host.1)),
        }
    }
    Err(reasons.join("; "))
}

fn dial((host, port): &(String, u16), patience: Duration) -> Result<Connection, String> {
    let addresses: Vec<SocketAddr> = match host.parse::<IpAddr>() {
        Ok(ip) => vec![SocketAddr::new(ip, *port)],
        Err(_) => (host.as_str(), *port)
            .to_socket_addrs()
            .map_err(|_| "the name is not known here; give the address in numbers")?
            .collect(),
    };
    Connection::open(&addresses, patience).map_err(|err| describe(&err))
}

/// The reply to a request, which must not be an error.
fn require(connection: &mut Connection, words: &[&[u8]]) -> Result<Reply, String> {
    match connection.ask(words) {
        Ok(Reply::Error(why)) => Err(why),
        Ok(reply) => Ok(reply),
        Err(err) => Err(describe(&err)),
    }
}

/// Whether the other end has closed a connection. It says nothing about whether the engine is well.
pub(super) fn is_closed(err: &io::Error) -> bool {
    matches!(
        err.kind(),
        io::ErrorKind::UnexpectedEof
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe
    )
}

pub(super) fn describe(err: &io::Error) -> String {
    match err.kind() {
        _ if is_closed(err) => CLOSED.into(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => "it does not answer".into(),
        io::ErrorKind::ConnectionRefused => "nothing listens there".into(),
        _ => err.to_string(),
    }
}
