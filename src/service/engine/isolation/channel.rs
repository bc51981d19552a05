//! Messages between the service and a converter child: JSON over a Unix socket that keeps message boundaries (unix(7),
//! `SOCK_SEQPACKET`). The two files of a job travel as file descriptors attached to the message (`SCM_RIGHTS`). Checks
//! only that a message is well formed: an attacker may control the child, so the receiver must not trust its content.

use crate::{
    error::{Kind, Reason},
    job::{Notes, Progress, Task},
};
use rustix::{
    cmsg_space,
    event::{PollFd, PollFlags, Timespec, poll},
    fs::{MemfdFlags, memfd_create},
    io::Errno,
    net::{
        AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
        SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
    },
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{
    fs::File,
    io::{self, IoSlice, IoSliceMut, Read, Seek, Write},
    mem::MaybeUninit,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    time::Duration,
};

/// The maximum length of a message in bytes.
const MAX_MESSAGE: usize = 32 << 10;

/// Content of the message that is sent in place of a command that is too long for a message. The command is then in the
/// first file that comes with the message. Only a child accepts this text; the service rejects it, because it is not
/// JSON.
const IN_FILE: &[u8] = b"file";

/// The maximum length of a command in a file, in bytes. An option of a task may have millions of characters, such as
/// the list of all bookmarks of a merged file.
const MAX_COMMAND: usize = 64 << 20;

/// The maximum number of files that come with a message: a command that is too long for a message, an input and an
/// output.
const MAX_FILES: usize = 3;

/// A message from the service to a child.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Command {
    /// Run a job. Its input file and its output file, in this order, come with the message. Lengths are in bytes.
    Convert {
        task: Task,
        input_len: u64,
        spare_threads: usize,
        max_output: u64,
        max_memory: u64,
    },
    /// The memory that [`Report::Need`] asked for is granted.
    Granted,
    /// The requested file comes with the message, if it exists. It is read-only.
    File,
    /// Names of the available models of languages, and the default languages.
    Languages {
        installed: Vec<String>,
        default: Vec<String>,
    },
}

/// A message from a child to the service.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Report {
    /// The first message: the mechanisms that confine the child, and the memory it uses before its first job, in bytes.
    Ready { confinement: String, idle: u64 },
    /// The job is about to use this many bytes.
    Need { memory: u64 },
    /// A single allocation of this many bytes failed. The child may die of it, or continue and report the end of the
    /// job.
    Exhausted { wanted: u64 },
    /// The job needs the list of fonts. The child waits for [`Command::File`].
    Fonts,
    /// The job needs a font, by its number in the list. The child waits for [`Command::File`].
    Font { number: u16 },
    /// The job needs the list of languages.
    Languages,
    /// The job needs the model of a language, by its name. The child waits for [`Command::File`].
    Language { name: String },
    /// Progress of the running job.
    Progress(Progress),
    /// The job has ended with `outcome`. If `retires` is true, the child exits now instead of taking another job.
    Ended { outcome: Outcome, retires: bool },
}

/// Result of a job as a child reports it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Outcome {
    /// The result was written.
    Done { notes: Notes },
    /// There is no result. `message` is for the client, `detail` for the log.
    Failed {
        kind: Kind,
        reason: Option<Reason>,
        message: String,
        detail: String,
    },
}

/// An end of the connection between the service and a child.
#[derive(Debug)]
pub(crate) struct Channel(OwnedFd);

impl Channel {
    /// A connected pair: the service's end and the child's end, both close-on-exec. The service's end is non-blocking,
    /// so that a child that stops reading cannot hold up the service. The child's end blocks, which is harmless: a
    /// child can be killed.
    pub(crate) fn pair() -> io::Result<(Self, OwnedFd)> {
        let (here, there) = socketpair(
            AddressFamily::UNIX,
            SocketType::SEQPACKET,
            SocketFlags::CLOEXEC,
            None,
        )?;
        // This does not affect the other end: each end of a socket pair has its own blocking mode.
        rustix::io::ioctl_fionbio(&here, true)?;
        Ok((Self(here), there))
    }

    pub(crate) fn from_fd(fd: OwnedFd) -> Self {
        Self(fd)
    }

    pub(crate) fn send(&self, message: &impl Serialize) -> io::Result<()> {
        self.send_with_files(message, &[])
    }

    /// Sends a message with up to [`MAX_FILES`] files.
    ///
    /// Errors: `InvalidInput` if the message is longer than [`MAX_MESSAGE`], and those of sendmsg(2).
    pub(crate) fn send_with_files(
        &self,
        message: &impl Serialize,
        files: &[BorrowedFd<'_>],
    ) -> io::Result<()> {
        let bytes = serde_json::to_vec(message)?;
        if bytes.len() > MAX_MESSAGE {
            return Err(too_long());
        }
        self.send_bytes(&bytes, files)
    }

    /// Sends a command to a child, with up to two files. A command that is too long for a message goes into a file in
    /// memory.
    ///
    /// Errors: `InvalidInput` if the command is longer than [`MAX_COMMAND`]; those of sendmsg(2) and memfd_create(2).
    pub(crate) fn send_command(
        &self,
        command: &Command,
        files: &[BorrowedFd<'_>],
    ) -> io::Result<()> {
        let bytes = serde_json::to_vec(command)?;
        if bytes.len() <= MAX_MESSAGE {
            return self.send_bytes(&bytes, files);
        }
        if bytes.len() > MAX_COMMAND {
            return Err(too_long());
        }
        let create = |flags| memfd_create("command", flags | MemfdFlags::CLOEXEC);
        // Kernels before 6.3 do not know this flag, and newer ones may be configured to demand it. So the call is tried
        // with the flag, then without it.
        let file = create(MemfdFlags::NOEXEC_SEAL).or_else(|_| create(MemfdFlags::empty()))?;
        let mut file = File::from(file);
        file.write_all(&bytes)?;
        file.rewind()?;
        let mut all = vec![file.as_fd()];
        all.extend(files);
        self.send_bytes(IN_FILE, &all)
    }

    fn send_bytes(&self, bytes: &[u8], files: &[BorrowedFd<'_>]) -> io::Result<()> {
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(MAX_FILES))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !files.is_empty() && !control.push(SendAncillaryMessage::ScmRights(files)) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "too many files for one message",
            ));
        }
        loop {
            // Without NOSIGNAL, sending to a dead child would raise SIGPIPE in the service.
            match sendmsg(
                &self.0,
                &[IoSlice::new(bytes)],
                &mut control,
                SendFlags::NOSIGNAL,
            ) {
                Err(Errno::INTR) => {}
                result => return result.map(drop).map_err(Into::into),
            }
        }
    }

    /// Waits for a message for at most `timeout`. Returns whether [`receive`](Self::receive) has something to read.
    pub(crate) fn wait(&self, timeout: Duration) -> io::Result<bool> {
        let mut fds = [PollFd::new(&self.0, PollFlags::IN)];
        let timeout = Timespec {
            tv_sec: timeout.as_secs() as i64,
            tv_nsec: i64::from(timeout.subsec_nanos()),
        };
        match poll(&mut fds, Some(&timeout)) {
            Ok(ready) => Ok(ready > 0),
            Err(Errno::INTR) => Ok(false),
            Err(err) => Err(err.into()),
        }
    }

    /// Receives a message and the files that came with it. `None` if the other end has been closed.
    ///
    /// Errors: those of recvmsg(2), and `InvalidData` for a message that is not well-formed JSON of type `T`.
    pub(crate) fn receive<T: DeserializeOwned>(&self) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
        let Some((bytes, files)) = self.receive_bytes()? else {
            return Ok(None);
        };
        Ok(Some((serde_json::from_slice(&bytes)?, files)))
    }

    /// Receives a command of the service and the files that came with it. `None` if the other end has been closed.
    ///
    /// Errors: those of [`receive`](Self::receive), and those of reading a command in a file.
    pub(crate) fn receive_command(&self) -> io::Result<Option<(Command, Vec<OwnedFd>)>> {
        let Some((bytes, mut files)) = self.receive_bytes()? else {
            return Ok(None);
        };
        if bytes != IN_FILE || files.is_empty() {
            return Ok(Some((serde_json::from_slice(&bytes)?, files)));
        }
        let mut text = Vec::new();
        // The limit also keeps the standard library from asking for the file's length with a system call that the
        // sandbox forbids.
        let long = File::from(files.remove(0));
        long.take(MAX_COMMAND as u64).read_to_end(&mut text)?;
        Ok(Some((serde_json::from_slice(&text)?, files)))
    }

    fn receive_bytes(&self) -> io::Result<Option<(Vec<u8>, Vec<OwnedFd>)>> {
        let mut bytes = vec![0; MAX_MESSAGE];
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(MAX_FILES))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let received = loop {
            match recvmsg(
                &self.0,
                &mut [IoSliceMut::new(&mut bytes)],
                &mut control,
                RecvFlags::CMSG_CLOEXEC,
            ) {
                Err(Errno::INTR) => {}
                Err(Errno::CONNRESET) => return Ok(None),
                result => break result?,
            }
        };
        if received.bytes == 0 {
            return Ok(None);
        }
        let mut files = Vec::new();
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(descriptors) = message {
                files.extend(descriptors);
            }
        }
        bytes.truncate(received.bytes);
        Ok(Some((bytes, files)))
    }
}

fn too_long() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "the message is too long")
}

impl AsFd for Channel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_whole_and_with_their_files() {
        let (here, there) = Channel::pair().unwrap();
        let there = Channel::from_fd(there);
        let (mut reader, mut writer) = io::pipe().unwrap();
        let null = File::open("/dev/null").unwrap();
        here.send(&Command::Granted).unwrap();
        here.send_with_files(&Report::Need { memory: 7 }, &[null.as_fd(), reader.as_fd()])
            .unwrap();
        assert!(
            matches!(there.receive::<Command>(), Ok(Some((Command::Granted, files))) if files.is_empty())
        );
        let (report, files) = there.receive::<Report>().unwrap().unwrap();
        assert!(matches!(report, Report::Need { memory: 7 }));
        assert_eq!(files.len(), 2);
        writer.write_all(b"x").unwrap();
        drop(writer);
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "x");
        drop(here);
        assert!(matches!(there.receive::<Report>(), Ok(None)));
    }

    #[test]
    fn commands_of_any_length_arrive() {
        #[track_caller]
        fn check(length: usize) {
            let (here, there) = Channel::pair().unwrap();
            let null = File::open("/dev/null").unwrap();
            let sent = Command::Languages {
                installed: vec!["x".repeat(length)],
                default: Vec::new(),
            };
            here.send_command(&sent, &[null.as_fd(), null.as_fd()])
                .unwrap();
            let received = Channel::from_fd(there).receive_command().unwrap();
            let Some((Command::Languages { installed, .. }, files)) = received else {
                panic!("another command of {length} bytes");
            };
            assert_eq!((installed[0].len(), files.len()), (length, 2));
        }
        check(10);
        check(MAX_MESSAGE);
        check(4 << 20);
    }

    #[test]
    fn the_service_reads_no_message_in_a_file() {
        let (here, there) = Channel::pair().unwrap();
        let null = File::open("/dev/null").unwrap();
        Channel::from_fd(there)
            .send_bytes(IN_FILE, &[null.as_fd()])
            .unwrap();
        assert!(here.receive::<Report>().is_err());
    }

    #[test]
    fn the_longest_notes_fit_into_a_message() {
        let (here, there) = Channel::pair().unwrap();
        for remark in ["漢".repeat(500), "\\\"".repeat(700), "\u{1}".repeat(900)] {
            let mut notes = Notes::default();
            notes.extend((0..100).map(|_| remark.as_str()));
            let outcome = Outcome::Done { notes };
            let retires = false;
            Channel::send(&here, &Report::Ended { outcome, retires }).unwrap();
            let report = Channel::from_fd(there.try_clone().unwrap()).receive::<Report>();
            assert!(matches!(report, Ok(Some((Report::Ended { .. }, _)))));
        }
    }

    #[test]
    fn invalid_messages_are_errors() {
        let (here, there) = Channel::pair().unwrap();
        rustix::io::write(here.as_fd(), b"not json").unwrap();
        assert!(Channel::from_fd(there).receive::<Report>().is_err());
    }
}
