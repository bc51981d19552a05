//! The log: lines on standard error. Never makes a thread wait for a slow reader: lines go through a bounded queue to a thread
//! of their own, and lines that do not fit are counted and dropped.

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use log::LevelFilter;
use std::{
    io::{self, Write},
    mem,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};
use time::{OffsetDateTime, format_description::BorrowedFormatItem, macros::format_description};

/// The format of a line's time: RFC 3339, UTC, with milliseconds.
const TIME: &[BorrowedFormatItem<'static>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
/// The number of lines that may wait for a slow reader. Further ones are counted and dropped.
const MAX_LINES: usize = 4096;

static LINES: OnceLock<Sender<Message>> = OnceLock::new();
static DROPPED: AtomicU64 = AtomicU64::new(0);

enum Message {
    Line(Vec<u8>),
    Flush(Sender<()>),
}

/// Starts the log. From now on panics are logged, too.
///
/// Errors: the log was started before, or its thread could not be started.
pub fn start(level: LevelFilter) -> io::Result<()> {
    let (sender, lines) = bounded(MAX_LINES);
    if LINES.set(sender).is_err() {
        return Err(io::Error::other("the log was started before"));
    }
    thread::Builder::new()
        .name("log".into())
        .stack_size(64 << 10)
        .spawn(move || write_lines(&lines))?;
    let config = simplelog::ConfigBuilder::new()
        .set_time_format_custom(TIME)
        .set_target_level(LevelFilter::Off)
        .set_location_level(LevelFilter::Off)
        .set_thread_level(LevelFilter::Off)
        // The log of the poll library says nothing about the service.
        .add_filter_ignore_str("mio")
        .build();
    simplelog::WriteLogger::init(level, config, Lines::default()).map_err(io::Error::other)?;
    std::panic::set_hook(Box::new(|panic| {
        let name = thread::current().name().unwrap_or("?").to_owned();
        log::error!(
            "thread {name} panicked: {}",
            panic.to_string().replace('\n', " ")
        );
    }));
    Ok(())
}

/// Writes a line regardless of the log level.
pub fn announce(text: &str) {
    push(format!("{} [INFO] {text}\n", now()).into_bytes());
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

fn now() -> String {
    OffsetDateTime::now_utc().format(TIME).unwrap_or_default()
}

fn push(line: Vec<u8>) {
    let Some(lines) = LINES.get() else { return };
    if let Err(TrySendError::Full(_)) = lines.try_send(Message::Line(line)) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

fn write_lines(lines: &Receiver<Message>) {
    // Errors of writing are ignored, because there is nowhere else to report them.
    let mut output = io::stderr();
    while let Ok(message) = lines.recv() {
        match message {
            Message::Line(line) => {
                let _ = output.write_all(&line);
            }
            Message::Flush(done) => {
                let _ = done.send(());
            }
        }
        let dropped = DROPPED.swap(0, Ordering::Relaxed);
        if dropped > 0 {
            let _ = writeln!(
                output,
                "{} [WARN] {dropped} lines of the log were dropped",
                now()
            );
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
