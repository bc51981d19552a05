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
    io::Errno,
    net::{
        AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
        SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
    },
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{
    io::{self, IoSlice, IoSliceMut},
    mem::MaybeUninit,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    time::Duration,
};

/// The maximum length of a message in bytes.
const MAX_MESSAGE: usize = 32 << 10;

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

    /// Sends a message with up to two files.
    ///
    /// Errors: `InvalidInput` if the message is longer than [`MAX_MESSAGE`], and those of sendmsg(2).
    pub(crate) fn send_with_files(
        &self,
        message: &impl Serialize,
        files: &[BorrowedFd<'_>],
    ) -> io::Result<()> {
        let bytes = serde_json::to_vec(message)?;
        if bytes.len() > MAX_MESSAGE {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "the message is too long",
            ));
        }
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(2))];
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
                &[IoSlice::new(&bytes)],
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
        let mut bytes = vec![0; MAX_MESSAGE];
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(2))];
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
        Ok(Some((
            serde_json::from_slice(&bytes[..received.bytes])?,
            files,
        )))
    }
}

impl AsFd for Channel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        fs::File,
        io::{Read, Write},
    };

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
