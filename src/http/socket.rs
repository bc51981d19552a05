//! What the standard library cannot ask of a socket. Holds no state.

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    ioctl::{Getter, Opcode, ioctl},
    net::{RecvFlags, recv},
};
use std::{
    ffi::c_int,
    io::{self, Read},
    mem::MaybeUninit,
    net::TcpStream,
    os::fd::{AsFd, AsRawFd},
    time::Duration,
};

/// Bytes that have been written to `stream` and that the other side has not acknowledged yet (SIOCOUTQ, tcp(7)).
pub(super) fn unacknowledged(stream: &TcpStream) -> io::Result<u64> {
    // SAFETY: for a socket this request stores one C int and does nothing else (asm-generic/ioctls.h,
    // where it is called TIOCOUTQ). rustix has no safe wrapper for it, and nothing else tells whether
    // a client has received what was sent.
    #[allow(unsafe_code)]
    let queued = unsafe { ioctl(stream, Getter::<SIOCOUTQ, c_int>::new()) }?;
    Ok(u64::try_from(queued).unwrap_or(0))
}

const SIOCOUTQ: Opcode = if cfg!(any(target_arch = "mips", target_arch = "mips64")) {
    0x7472
} else if cfg!(any(
    target_arch = "powerpc",
    target_arch = "powerpc64",
    target_arch = "sparc64"
)) {
    0x4004_7473
} else {
    0x5411
};

/// Has the kernel report, as an event of the socket, that everything which is written from here on has been acknowledged
/// (SO_TIMESTAMPING, since Linux 4.0); or ends that, and drops what was reported and not looked at.
///
/// Without it one would have to look again and again, and a result that was received in between could be lost to a crash, or
/// rather come back. The reports are time stamps in the error queue of the socket; nobody reads them, as SIOCOUTQ tells the
/// same. Where the kernel has no such thing, nothing is reported.
pub(super) fn report_acknowledgements(stream: &TcpStream, wanted: bool) {
    let flags = if wanted {
        libc::SOF_TIMESTAMPING_TX_ACK | libc::SOF_TIMESTAMPING_OPT_TSONLY
    } else {
        0
    };
    // SAFETY: reads one C int and changes nothing but what the kernel reports about this socket (setsockopt(2)). rustix has no
    // wrapper for it.
    #[allow(unsafe_code)]
    unsafe {
        libc::setsockopt(
            stream.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_TIMESTAMPING,
            (&raw const flags).cast(),
            size_of_val(&flags) as libc::socklen_t,
        );
    }
    if !wanted {
        // They have no content. Bounded, as the kernel bounds the queue.
        while recv(
            stream,
            &mut [0; 1],
            RecvFlags::ERRQUEUE | RecvFlags::DONTWAIT,
        )
        .is_ok()
        {}
    }
}

/// Waits until `stream` is readable, at the most `timeout`; whether it is.
pub(super) fn wait_readable(stream: &TcpStream, timeout: Duration) -> io::Result<bool> {
    let mut fds = [PollFd::new(stream, PollFlags::IN)];
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

/// Takes CR and LF off the stream, if nothing else has arrived. Does not wait.
pub(super) fn drop_empty_lines(mut stream: &TcpStream) {
    let mut bytes = [0; 4];
    if let Ok(len) = stream.peek(&mut bytes)
        && bytes[..len]
            .iter()
            .all(|byte| matches!(byte, b'\r' | b'\n'))
    {
        // What has been seen is still there: nobody else reads this stream.
        let _ = stream.read(&mut bytes[..len]);
    }
}

/// Whether the connection is broken: reset by the other side, or given up by the kernel. A side that was closed in good order is
/// not. Works also while data is outstanding, about which the kernel keeps what it knew before the reset (SIOCOUTQ stays).
pub(super) fn is_broken(stream: &TcpStream) -> bool {
    // POLLHUP alone: POLLERR may stand for a report of `report_acknowledgements`.
    let mut fds = [PollFd::new(stream, PollFlags::empty())];
    let polled = poll(&mut fds, Some(&Timespec::default()));
    polled.is_ok() && fds[0].revents().contains(PollFlags::HUP)
}

/// Whether the client has closed its side or the connection is broken. Takes no byte from the stream.
pub(super) fn is_closed(stream: &TcpStream) -> bool {
    let mut byte = [MaybeUninit::uninit(); 1];
    match recv(
        stream.as_fd(),
        &mut byte,
        RecvFlags::PEEK | RecvFlags::DONTWAIT,
    ) {
        Ok((_, len)) => len == 0,
        Err(err) => !matches!(err, Errno::AGAIN | Errno::INTR),
    }
}
