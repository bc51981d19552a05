//! A real server in a process of its own, for tests over real sockets. Never sleeps for a fixed time: each wait ends
//! when a condition is met, or at a deadline.
//!
//! ```ignore
//! let server = Server::start();
//! let answer = server.convert(&picture, "photo.png", "jpg");
//! assert_eq!(answer.status, 200);
//! let file = server.get(answer.data("download_url"));
//! ```
//!
//! - [`Server`]: starts the program on a free port and a fresh data directory. When it is dropped, it ends the program
//!   and removes the directory.
//! - [`Client`] and [`Answer`]: one connection, on which a test may also send single bytes.
//! - [`Form`]: a `multipart/form-data` body, well-formed or not.
//! - [`wait_for`]: the only way to wait.

// Some test programs that include this file use only a part of it.
#![allow(dead_code, unused_imports)]

// The paths are explicit, because test programs in other directories include this file.
#[path = "harness/client.rs"]
mod client;
#[path = "harness/form.rs"]
mod form;
#[path = "harness/process.rs"]
mod process;
#[path = "../support/program.rs"]
mod program;
#[path = "harness/schema.rs"]
pub(crate) mod schema;

pub(crate) use client::{Answer, Client, Request};
pub(crate) use form::{BOUNDARY, Form};
pub(crate) use process::{Process, resident_kib};
pub(crate) use program::program;

use std::{
    io::{BufRead, BufReader, Read},
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Time limit of every wait. It is long enough for a busy machine; only a failing test reaches it.
pub(crate) const DEADLINE: Duration = Duration::from_secs(300);

/// Default time limit of a conversion in seconds, long enough for a slow machine.
const JOB_TIMEOUT: &str = "1200";

/// Calls `condition` until it returns a value, for at most [`DEADLINE`].
#[track_caller]
pub(crate) fn wait_for<T>(what: &str, mut condition: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = condition() {
            return found;
        }
        assert!(
            started.elapsed() < DEADLINE,
            "waited {DEADLINE:?} in vain: {what}"
        );
        thread::sleep(Duration::from_millis(2));
    }
}

/// A port of this machine that no program uses at this moment.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// A directory that is removed with its content when this value is dropped.
pub(crate) struct TempDir(PathBuf);

impl TempDir {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("convertd-test-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).expect("a directory for the test");
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A command that runs the program of the tests. The command's environment
/// contains only those `CONVERTD_…` variables that the test adds.
pub(crate) fn command() -> Command {
    let mut command = Command::new(program());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CONVERTD_") {
            command.env_remove(name);
        }
    }
    // Results do not depend on the fonts of the machine.
    command.env("CONVERTD_FONTS", "none");
    command
}

/// Settings of a server that has not been started. [`Server::with`] makes them.
#[derive(Clone, Default)]
pub(crate) struct Setup {
    args: Vec<String>,
    env: Vec<(String, String)>,
}

impl Setup {
    /// Adds an argument, or several arguments that are separated by spaces.
    pub(crate) fn args(mut self, args: &str) -> Self {
        self.args.extend(args.split(' ').map(str::to_owned));
        self
    }

    /// Adds a variable to the environment.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Starts the server with an empty data directory. Returns when the server listens.
    #[track_caller]
    pub(crate) fn start(self) -> Server {
        let dir = TempDir::new();
        let running = Running::start(&self, dir.path());
        Server {
            setup: self,
            dir,
            running,
        }
    }
}

/// A running server, its data directory and its log.
pub(crate) struct Server {
    setup: Setup,
    running: Running,
    dir: TempDir,
}

struct Running {
    process: Process,
    address: SocketAddr,
    log: Log,
    reader: Option<JoinHandle<()>>,
}

type Log = Arc<Mutex<Vec<String>>>;

impl Running {
    #[track_caller]
    fn start(setup: &Setup, dir: &Path) -> Self {
        let mut command = command();
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
            .arg(dir.join("data"))
            .args(&setup.args)
            .env("CONVERTD_JOB_TIMEOUT", JOB_TIMEOUT)
            .envs(setup.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let stderr = child.stderr.take().expect("its stderr is a pipe");
        let log = Log::default();
        let mut process = Process::new(child);
        let reader = thread::spawn({
            let log = log.clone();
            move || keep_lines(stderr, &log)
        });
        let address = wait_for("the server listens", || {
            let found = log.lock().expect("the log").iter().find_map(|line| {
                let (_, address) = line.split_once("listening on http://")?;
                // In a JSON log, more text follows the address.
                address.trim_end_matches(['"', '}', '\n']).parse().ok()
            });
            if found.is_none() && process.exited().is_some() {
                panic!("the server did not start: {:?}", log.lock());
            }
            found
        });
        Self {
            process,
            address,
            log,
            reader: Some(reader),
        }
    }
}

fn keep_lines(stderr: impl Read, log: &Mutex<Vec<String>>) {
    for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line).into_owned();
        log.lock().expect("the log").push(line);
    }
}

impl Server {
    /// A server with the default settings.
    #[track_caller]
    pub(crate) fn start() -> Self {
        Setup::default().start()
    }

    /// A server with further arguments.
    pub(crate) fn with(args: &str) -> Setup {
        Setup::default().args(args)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.running.address
    }

    /// The process of the server, for its memory, descriptors and threads, and for signals.
    pub(crate) fn process(&mut self) -> &mut Process {
        &mut self.running.process
    }

    /// The data directory.
    pub(crate) fn data_dir(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    // ---- requests, each on a connection of its own

    #[track_caller]
    pub(crate) fn connect(&self) -> Client {
        Client::connect(self.address())
    }

    #[track_caller]
    pub(crate) fn send(&self, request: Request) -> Answer {
        self.connect().send(request)
    }

    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send(Request::get(path))
    }

    /// Converts with the default quality.
    #[track_caller]
    pub(crate) fn convert(&self, file: &[u8], name: &str, target: &str) -> Answer {
        self.submit(Form::of(file, name, target))
    }

    /// Posts a form to `/api/v1/convert`.
    #[track_caller]
    pub(crate) fn submit(&self, form: Form) -> Answer {
        self.send(Request::form(form))
    }

    /// Starts an asynchronous conversion, and returns its identifier.
    #[track_caller]
    pub(crate) fn accept(&self, form: Form) -> String {
        let answer = self.send(Request::form(form).field("Prefer", "respond-async"));
        assert_eq!(answer.status, 202, "{answer:?}");
        answer.data("conversion_id")
    }

    #[track_caller]
    pub(crate) fn download(&self, id: &str) -> Answer {
        self.get(&format!("/api/v1/download/{id}"))
    }

    /// Waits until the status of a conversion is `state`, and returns its `data`.
    #[track_caller]
    pub(crate) fn wait_until(&self, id: &str, state: &str) -> serde_json::Value {
        wait_for(state, || {
            Some(self.status(id)).filter(|data| data["status"] == state)
        })
    }

    /// Waits until these numbers of conversions are running and waiting.
    #[track_caller]
    pub(crate) fn wait_until_busy(&self, running: usize, waiting: usize) {
        let wanted = [
            format!("\nconvertd_running_conversions {running}\n"),
            format!("\nconvertd_queue_depth {waiting}\n"),
        ];
        wait_for("the converters are busy", || {
            let page = self.get("/metrics").body.to_vec();
            let page = String::from_utf8(page).expect("it is text");
            wanted.iter().all(|line| page.contains(line)).then_some(())
        });
    }

    /// The member `data` of the status of a conversion.
    #[track_caller]
    pub(crate) fn status(&self, id: &str) -> serde_json::Value {
        let answer = self.get(&format!("/api/v1/status/{id}"));
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()["data"].clone()
    }

    // ---- files

    /// All files below the data directory except the lock and the key, as sorted relative paths.
    pub(crate) fn files(&self) -> Vec<String> {
        let root = self.data_dir();
        let mut files = Vec::new();
        let mut dirs = vec![root.clone()];
        while let Some(dir) = dirs.pop() {
            // The server may delete the directory at the same time.
            for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    dirs.push(path);
                } else if let Ok(relative) = path.strip_prefix(&root) {
                    files.push(relative.to_string_lossy().into_owned());
                }
            }
        }
        files.retain(|file| file != "lock" && file != "key");
        files.sort();
        files
    }

    /// Waits until the data directory contains only the records of ended conversions.
    #[track_caller]
    pub(crate) fn wait_until_empty(&self) {
        let mut left = Vec::new();
        wait_for("no file is left in the data directory", || {
            left = self.files();
            left.retain(|file| !file.starts_with("ended/"));
            left.is_empty().then_some(())
        });
    }

    // ---- the log

    /// All lines of the log until now.
    pub(crate) fn log(&self) -> Vec<String> {
        self.running.log.lock().expect("the log").clone()
    }

    /// Waits for a line that `wanted` accepts, and returns the first such line.
    #[track_caller]
    pub(crate) fn wait_for_line(&self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        wait_for(what, || self.log().into_iter().find(|line| wanted(line)))
    }

    // ---- stop and restart

    /// Waits for the process to end by itself.
    #[track_caller]
    pub(crate) fn wait(&mut self) -> ExitStatus {
        let process = &mut self.running.process;
        let status = wait_for("the server ends", || process.exited());
        if let Some(reader) = self.running.reader.take() {
            // The log is complete when the pipe is closed.
            reader.join().expect("the log was read");
        }
        status
    }

    /// Ends the server with SIGTERM, as an operator does. Returns its exit status.
    #[track_caller]
    pub(crate) fn terminate(&mut self) -> ExitStatus {
        self.process().signal(rustix::process::Signal::TERM);
        self.wait()
    }

    /// Kills the server, as a crash would.
    #[track_caller]
    pub(crate) fn kill(&mut self) {
        self.process().signal(rustix::process::Signal::KILL);
        self.wait();
    }

    /// Starts the server again on the same data directory, at another port. The old process must have ended.
    #[track_caller]
    pub(crate) fn start_again(&mut self) {
        assert!(
            self.process().exited().is_some(),
            "the server is still running"
        );
        self.running = Running::start(&self.setup, self.dir.path());
    }

    /// Like [`start_again`](Self::start_again), with other arguments.
    #[track_caller]
    pub(crate) fn start_again_with(&mut self, args: &str) {
        self.setup = Setup::default().args(args);
        self.start_again();
    }
}
