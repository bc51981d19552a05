//! A real Redis or Valkey server for a test, on a free port and with files in a temporary directory. If the program is
//! missing, the test prints that.

use crate::{
    harness::{Process, Server, Setup, TempDir, free_port, wait_for},
    tools,
};
use rustix::process::Signal;
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Command, Stdio},
};

/// A Redis server for one test, which ends when this value is dropped.
pub(crate) struct Redis {
    process: Process,
    port: u16,
    options: Vec<String>,
    dir: TempDir,
}

impl Redis {
    /// Starts a server with persistence, configured as in `examples/deploy/cluster`. If the program is missing, returns
    /// `None` and prints a message.
    #[track_caller]
    pub(crate) fn start() -> Option<Self> {
        Self::with("")
    }

    /// Like [`start`](Self::start), with further options, which are separated by spaces.
    #[track_caller]
    pub(crate) fn with(options: &str) -> Option<Self> {
        if !tools::has("redis-server") {
            return None;
        }
        let (dir, port) = (TempDir::new(), free_port());
        let options: Vec<String> = options.split_whitespace().map(str::to_owned).collect();
        let process = run(&dir, port, &options);
        let redis = Self {
            process,
            port,
            options,
            dir,
        };
        redis.wait_until_up();
        Some(redis)
    }

    /// Starts a Redis sentinel that monitors this server under the name `name`.
    #[track_caller]
    pub(crate) fn sentinel(&self, name: &str) -> Self {
        let (dir, port) = (TempDir::new(), free_port());
        let file = dir.path().join("sentinel.conf");
        let text = format!(
            "bind 127.0.0.1\nport {port}\nsentinel monitor {name} 127.0.0.1 {} 1\n",
            self.port
        );
        std::fs::write(&file, text).expect("its configuration");
        let child = Command::new("redis-server")
            .arg(&file)
            .arg("--sentinel")
            .current_dir(dir.path())
            .stdout(Stdio::null())
            .spawn();
        let sentinel = Self {
            process: Process::new(child.expect("the sentinel starts")),
            port,
            options: Vec::new(),
            dir,
        };
        sentinel.wait_until_up();
        sentinel
    }

    #[track_caller]
    fn wait_until_up(&self) {
        wait_for("Redis answers", || {
            let mut stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
            stream.write_all(b"PING\r\n").ok()?;
            let mut answer = [0; 1];
            stream.read_exact(&mut answer).ok()?;
            // A server that requires a password answers with an error, and counts as ready. A server that is still
            // loading its data does not.
            let mut rest = String::new();
            BufReader::new(stream).read_line(&mut rest).ok()?;
            (!rest.starts_with("LOADING")).then_some(())
        });
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Settings of an instance of the service that uses this Redis server. `args` are further arguments.
    pub(crate) fn instance(&self, args: &str) -> Setup {
        let setup = Server::with("--lease 3 --converters 1").env("CONVERTD_STORE", &self.url());
        match args {
            "" => setup,
            _ => setup.args(args),
        }
    }

    /// Sends a command, and returns the raw answer.
    #[track_caller]
    pub(crate) fn ask(&self, command: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("Redis");
        stream
            .write_all(format!("{command}\r\nQUIT\r\n").as_bytes())
            .expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    }

    /// The keys of the service that begin with this prefix, after `{convertd}:`.
    #[track_caller]
    pub(crate) fn keys(&self, prefix: &str) -> Vec<String> {
        let answer = self.ask("KEYS *");
        let keys = answer
            .lines()
            .filter_map(|line| line.strip_prefix("{convertd}:"));
        keys.filter(|key| key.starts_with(prefix))
            .map(str::to_owned)
            .collect()
    }

    /// Waits until an instance works on an accepted conversion.
    #[track_caller]
    pub(crate) fn wait_until_begun(&self, id: &str) {
        wait_for("an instance begins the conversion", || {
            let state = self.ask(&format!("HGET {{convertd}}:r:{id} state"));
            state.contains("\nw").then_some(())
        });
    }

    pub(crate) fn signal(&mut self, signal: Signal) {
        self.process.signal(signal);
    }

    /// Kills the server, as a crash would.
    #[track_caller]
    pub(crate) fn kill(&mut self) {
        self.process.signal(Signal::KILL);
        wait_for("Redis is gone", || self.process.exited());
    }

    /// Starts the server again on the same port and with the same files.
    #[track_caller]
    pub(crate) fn start_again(&mut self) {
        self.process = run(&self.dir, self.port, &self.options);
        self.wait_until_up();
    }
}

fn run(dir: &TempDir, port: u16, options: &[String]) -> Process {
    let child = Command::new("redis-server")
        .args(["--bind", "127.0.0.1", "--port", &port.to_string(), "--dir"])
        .arg(dir.path())
        // With its usual setting, a Redis that is killed may lose what it was told in the last second, and on a slow
        // disk in the last two.
        .args(["--appendonly", "yes", "--appendfsync", "always"])
        .args(["--save", "", "--maxmemory", "256mb"])
        .args(options)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn();
    Process::new(child.expect("Redis starts"))
}
