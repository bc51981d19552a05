//! The log: lines on standard error, as text or as JSON. A slow reader of the log never makes a thread wait: a bounded
//! queue passes the lines to a thread that writes them, and lines that do not fit into the queue are counted and
//! dropped.

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use log::{Level, LevelFilter, Log, Metadata, Record};
use serde::Serialize;
use std::{
    fmt,
    io::{self, Write},
    iter, mem,
    net::IpAddr,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use time::{OffsetDateTime, format_description::BorrowedFormatItem, macros::format_description};

/// The format of a line's time: RFC 3339, UTC, with milliseconds.
const TIME: &[BorrowedFormatItem<'static>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
/// The number of lines that may wait for a slow reader. Further ones are counted and dropped.
const MAX_LINES: usize = 4096;
/// If a line arrives sooner than this after the previous write, the thread pauses for this time before it writes. Lines
/// that arrive during the pause share one wake-up of the thread and one system call.
const TOGETHER: Duration = Duration::from_millis(1);
/// Number of bytes from which no further lines are added to one write.
const MAX_BYTES: usize = 64 << 10;

static LINES: OnceLock<Sender<Message>> = OnceLock::new();
static FORMAT: OnceLock<Format> = OnceLock::new();
/// Number of lines that did not fit into the queue since the last report of dropped lines.
static DROPPED: AtomicU64 = AtomicU64::new(0);

/// Format of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The time, the level, and a sentence.
    Text,
    /// An object with the members `time`, `level` and `message`. A line about a request also has the members of
    /// [`AccessEntry`].
    Json,
}

impl Format {
    /// Parses the name of a format.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "text" => Some(Self::Text),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    fn of_log() -> Self {
        FORMAT.get().copied().unwrap_or(Self::Text)
    }
}

/// An answered request for the log.
#[derive(Debug, Serialize)]
pub struct AccessEntry<'a> {
    /// HTTP method.
    pub method: &'a str,
    /// The path, as far as it may be shown.
    pub path: &'a str,
    /// The status code.
    pub status: u16,
    /// Bytes of content that were sent.
    pub bytes: u64,
    /// Duration in milliseconds.
    pub ms: f64,
    /// The identifier of the request, as its answer states it.
    pub request_id: &'a str,
    /// Whether the answer was sent whole.
    pub complete: bool,
    /// Details, if the request failed.
    #[serde(flatten)]
    pub failure: Option<Failure>,
}

/// A failed request for the log.
#[derive(Debug, Serialize)]
pub struct Failure {
    /// The client's address.
    pub client: IpAddr,
    /// The sentence in the answer to the client; empty if the answer has no sentence.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

impl fmt::Display for Failure {
    /// Writes ` 192.0.2.7: the sentence`, on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " {}", self.client)?;
        if !self.reason.is_empty() {
            let line = self.reason.replace(|c: char| c.is_control(), " ");
            write!(f, ": {line}")?;
        }
        Ok(())
    }
}

/// Logs a request at level `info`.
pub fn request(request: &AccessEntry<'_>) {
    if !log::log_enabled!(Level::Info) {
        return;
    }
    match Format::of_log() {
        Format::Json => push(json(Level::Info.as_str(), "request", Some(request))),
        Format::Text => {
            let AccessEntry {
                method,
                path,
                status,
                bytes,
                ms,
                request_id,
                complete,
                failure,
            } = request;
            let end = if *complete { "" } else { " (broken off)" };
            let failure = failure.as_ref().map(Failure::to_string).unwrap_or_default();
            push(line(
                Level::Info,
                format_args!(
                    "{method} {path} {status} {bytes} B {ms:.1} ms {request_id}{end}{failure}"
                ),
            ));
        }
    }
}

enum Message {
    Line(Vec<u8>),
    Flush(Sender<()>),
}

/// Starts the log. From now on panics are logged, too.
///
/// Errors: the log was started before, or its thread could not be started.
pub fn start(level: LevelFilter, format: Format) -> io::Result<()> {
    let (sender, lines) = bounded(MAX_LINES);
    if LINES.set(sender).is_err() {
        return Err(io::Error::other("the log was started before"));
    }
    // Setting cannot fail, because the format is set only here, and only once.
    let _ = FORMAT.set(format);
    thread::Builder::new()
        .name("log".into())
        .stack_size(64 << 10)
        .spawn(move || write_lines(&lines))?;
    match format {
        Format::Text => start_text(level)?,
        Format::Json => {
            log::set_logger(&JsonLog).map_err(io::Error::other)?;
            log::set_max_level(level);
        }
    }
    std::panic::set_hook(Box::new(|panic| {
        let name = thread::current().name().unwrap_or("?").to_owned();
        log::error!(
            "thread {name} panicked: {}",
            panic.to_string().replace('\n', " ")
        );
    }));
    Ok(())
}

fn start_text(level: LevelFilter) -> io::Result<()> {
    let config = simplelog::ConfigBuilder::new()
        .set_time_format_custom(TIME)
        .set_target_level(LevelFilter::Off)
        .set_location_level(LevelFilter::Off)
        .set_thread_level(LevelFilter::Off)
        .add_filter_ignore_str(DROPPED_CRATE)
        .build();
    simplelog::WriteLogger::init(level, config, Lines::default()).map_err(io::Error::other)
}

/// A crate whose log lines are dropped, because they describe its event loop and not this program.
const DROPPED_CRATE: &str = "mio";

/// Logger of JSON lines, because `simplelog` can only write text.
struct JsonLog;

impl Log for JsonLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= log::max_level() && !metadata.target().starts_with(DROPPED_CRATE)
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            push(json(
                record.level().as_str(),
                &record.args().to_string(),
                None,
            ));
        }
    }

    fn flush(&self) {}
}

/// A line of the log as an object.
fn json(level: &str, message: &str, request: Option<&AccessEntry<'_>>) -> Vec<u8> {
    #[derive(Serialize)]
    struct Line<'a> {
        time: String,
        level: &'a str,
        message: &'a str,
        #[serde(flatten)]
        request: Option<&'a AccessEntry<'a>>,
    }
    let line = Line {
        time: now(),
        level,
        message,
        request,
    };
    // Strings and numbers can always be serialised, so the default is never used.
    let mut bytes = serde_json::to_vec(&line).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// A line of the log in its format.
fn line(level: Level, message: fmt::Arguments<'_>) -> Vec<u8> {
    match Format::of_log() {
        Format::Text => format!("{} [{level}] {message}\n", now()).into_bytes(),
        Format::Json => json(level.as_str(), &message.to_string(), None),
    }
}

/// Writes a line regardless of the log level.
pub fn announce(text: &str) {
    push(line(Level::Info, format_args!("{text}")));
}

/// Waits until all lines are written, for at most 0.7 s.
pub fn flush() {
    let (sender, flushed) = bounded(1);
    if let Some(lines) = LINES.get()
        && lines
            .send_timeout(Message::Flush(sender), Duration::from_millis(200))
            .is_ok()
    {
        let _ = flushed.recv_timeout(Duration::from_millis(500));
    }
}

/// The current time in the log's format.
fn now() -> String {
    OffsetDateTime::now_utc().format(TIME).unwrap_or_default()
}

/// Queues a line. If the queue is full, the line is dropped and counted, because no thread may wait for the reader of
/// the log.
fn push(line: Vec<u8>) {
    let Some(lines) = LINES.get() else { return };
    if let Err(TrySendError::Full(_)) = lines.try_send(Message::Line(line)) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

/// Writes lines to standard error. Lines that arrive within a moment are written together, so that a busy log costs few
/// system calls.
fn write_lines(lines: &Receiver<Message>) {
    // Errors of writing are ignored, because there is nowhere else to report them.
    let mut output = io::stderr();
    let mut together = Vec::new();
    let mut written = Instant::now();
    while let Ok(first) = lines.recv() {
        // The first line after a pause is written immediately. Only lines that follow it closely wait for further
        // lines.
        if written.elapsed() < TOGETHER {
            thread::sleep(TOGETHER);
        }
        let mut flushed = None;
        for message in iter::once(first).chain(lines.try_iter()) {
            match message {
                Message::Line(line) => together.extend_from_slice(&line),
                Message::Flush(done) => flushed = Some(done),
            }
            if flushed.is_some() || together.len() >= MAX_BYTES {
                break;
            }
        }
        let dropped = DROPPED.swap(0, Ordering::Relaxed);
        if dropped > 0 {
            let text = format_args!("{dropped} lines of the log were dropped");
            together.extend(line(Level::Warn, text));
        }
        let _ = output.write_all(&together);
        together.clear();
        written = Instant::now();
        if let Some(done) = flushed {
            let _ = done.send(());
        }
    }
}

/// Collects the pieces that the logger writes into whole lines.
#[derive(Default)]
struct Lines(Vec<u8>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        if self.0.ends_with(b"\n") {
            push(mem::take(&mut self.0));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
