//! A Redis server for one test, and connections to it that break. Tests without Redis say that they were skipped.

#[path = "../../../../tests/support/tools.rs"]
mod tools;

use super::Dir;
use crate::store::{Backend, Settings, Store, local, shared};
use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    sync::Arc,
    thread,
    time::{Duration, Instant, SystemTime},
};

/// Longest time that [`wait_for`] waits.
const DEADLINE: Duration = Duration::from_secs(300);

/// Waits until `is_so` returns true. Fails the test after [`DEADLINE`].
#[track_caller]
pub(super) fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + DEADLINE;
    while !is_so() {
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

pub(super) struct Redis {
    child: Child,
    pub(super) port: u16,
    options: Vec<String>,
    dir: Dir,
}

impl Redis {
    pub(super) fn start() -> Option<Self> {
        Self::with("")
    }

    /// Starts a server with these command-line options, separated by spaces. Returns `None` if Redis is not installed.
    pub(super) fn with(options: &str) -> Option<Self> {
        if !tools::has("redis-server") {
            return None;
        }
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let options: Vec<String> = options.split_whitespace().map(str::to_owned).collect();
        let dir = Dir::new();
        let redis = Self {
            child: run(port, &options, &dir),
            port,
            options,
            dir,
        };
        redis.wait_until_up();
        Some(redis)
    }

    fn wait_until_up(&self) {
        wait_for("Redis answers", || {
            TcpStream::connect(("127.0.0.1", self.port)).is_ok()
        });
    }

    /// Kills the server, as a crash would.
    pub(super) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts the server again on the same port, without its former data.
    pub(super) fn start_again(&mut self) {
        self.child = run(self.port, &self.options, &self.dir);
        self.wait_until_up();
    }

    pub(super) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Sends a command, and returns everything that the server answers: the reply, and `+OK` for the `QUIT` after it.
    pub(super) fn ask(&self, command: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let command = format!("{command}\r\nQUIT\r\n");
        stream.write_all(command.as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    }

    /// Sends a command, and returns the integer of the reply.
    #[track_caller]
    pub(super) fn number(&self, command: &str) -> i64 {
        let reply = self.ask(command);
        let digits = reply.lines().next().and_then(|line| line.strip_prefix(':'));
        digits.unwrap_or_else(|| panic!("{reply}")).parse().unwrap()
    }

    /// Returns the memory of the data, in bytes, without the buffers of connections, which vary.
    pub(super) fn memory(&self) -> u64 {
        let reply = self.ask("INFO memory");
        let line = reply
            .lines()
            .find_map(|line| line.strip_prefix("used_memory_dataset:"));
        line.unwrap().trim().parse().unwrap()
    }

    /// Deletes all data.
    pub(super) fn clear(&self) {
        self.ask("FLUSHALL");
    }

    /// Returns the time to live of the only key with this prefix, in seconds; -1 if the key never expires, -2 if there
    /// is no such key.
    pub(super) fn left(&self, beginning: &str) -> i64 {
        let script = format!(
            "EVAL \"local key = redis.call('KEYS', '{beginning}*')[1] return key and redis.call('TTL', key) or -2\" 0"
        );
        self.number(&script)
    }

    /// Opens a store on this server, with this script, and waits until it reaches the server.
    pub(super) fn store(&self, dir: &Dir, script: &str) -> Store {
        let store = store_at(&self.url(), dir.settings(), script);
        wait_for("it is reached", || store.reachable().is_ok());
        store
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn run(port: u16, options: &[String], dir: &Dir) -> Child {
    Command::new("redis-server")
        .args(["--bind", "127.0.0.1", "--save", "", "--port"])
        .arg(port.to_string())
        .args(["--repl-diskless-sync-delay", "0", "--dir"])
        .arg(&dir.0)
        .args(options)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// Opens a store at this address, which need not be reachable.
pub(super) fn store_at(url: &str, settings: Settings, script: &str) -> Store {
    let sharing = shared::Settings {
        target: url.parse().unwrap(),
        lease: Duration::from_secs(3),
        queue: 100,
    };
    let (scratch, _) = local::Store::open(settings, SystemTime::now()).unwrap();
    let store = shared::Store::open_with(sharing, scratch, script.to_owned()).unwrap();
    Store(Backend::Shared(store))
}

/// Fate of some bytes on their way to or from Redis.
pub(super) enum Fate {
    Pass,
    /// The connection ends after this many bytes.
    Cut(usize),
    /// The bytes arrive one by one, every 0.1 s.
    Trickle,
}

/// A proxy in front of Redis that can cut off or delay bytes. The field is its port.
pub(super) struct Proxy(pub(super) u16);

impl Proxy {
    /// Starts a proxy. `there` determines what happens to requests, `back` what happens to replies.
    pub(super) fn to(
        redis: &Redis,
        there: impl Fn(&[u8]) -> Fate + Send + Sync + 'static,
        back: impl Fn(&[u8]) -> Fate + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let to = redis.port;
        let (there, back) = (Arc::new(there), Arc::new(back));
        thread::spawn(move || {
            for client in listener.incoming() {
                let (client, there, back) = (client.unwrap(), there.clone(), back.clone());
                let Ok(server) = TcpStream::connect(("127.0.0.1", to)) else {
                    break;
                };
                let ends = (client.try_clone().unwrap(), server.try_clone().unwrap());
                thread::spawn(move || pass(ends.0, ends.1, &*there));
                thread::spawn(move || pass(server, client, &*back));
            }
        });
        Self(port)
    }

    pub(super) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.0)
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, fate: &dyn Fn(&[u8]) -> Fate) {
    let mut buffer = vec![0; 256 << 10];
    while let Ok(len @ 1..) = from.read(&mut buffer) {
        let passed = match fate(&buffer[..len]) {
            Fate::Pass => to.write_all(&buffer[..len]),
            Fate::Cut(most) => {
                let _ = to.write_all(&buffer[..most]);
                Err(io::ErrorKind::ConnectionReset.into())
            }
            Fate::Trickle => buffer[..len].iter().try_for_each(|byte| {
                thread::sleep(Duration::from_millis(100));
                to.write_all(&[*byte])
            }),
        };
        if passed.is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
