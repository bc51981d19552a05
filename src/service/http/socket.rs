//! System calls on sockets that the standard library lacks. Holds no state.

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

/// The number of bytes that have been written to `stream` and not yet acknowledged by the peer's kernel (SIOCOUTQ,
/// tcp(7)).
pub(super) fn unacknowledged(stream: &TcpStream) -> io::Result<u64> {
    // SAFETY: for a socket this request stores one C int and does nothing else (asm-generic/ioctls.h, where it is
    // called TIOCOUTQ). rustix has no safe wrapper for it, and no other call reports whether a client has received the
    // bytes.
    #[allow(unsafe_code)]
    let queued = unsafe { ioctl(stream, Getter::<SIOCOUTQ, c_int>::new()) }?;
    Ok(u64::try_from(queued).unwrap_or(0))
}

/// Number of the request, which differs between architectures (asm/ioctls.h).
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

/// Starts or stops reports of acknowledgements: while they are `wanted`, the kernel raises an event of the socket when
/// data that is written from now on has been acknowledged (SO_TIMESTAMPING, since Linux 4.0). Stopping also drops
/// unread reports.
///
/// Without reports the server would have to poll for acknowledgements, and a crash between the acknowledgement and the
/// next poll would make a delivered result available again. The reports are time stamps in the socket's error queue.
/// Their content is not needed, because SIOCOUTQ gives the number of outstanding bytes. Kernels without this option
/// report nothing.
pub(super) fn report_acknowledgements(stream: &TcpStream, wanted: bool) {
    let flags = if wanted {
        libc::SOF_TIMESTAMPING_TX_ACK | libc::SOF_TIMESTAMPING_OPT_TSONLY
    } else {
        0
    };
    // SAFETY: the call reads one C int, and changes only what the kernel reports about this socket (setsockopt(2)).
    // rustix has no wrapper for it.
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
        // The reports have no content. The loop ends because the kernel limits the length of the queue.
        while recv(
            stream,
            &mut [0; 1],
            RecvFlags::ERRQUEUE | RecvFlags::DONTWAIT,
        )
        .is_ok()
        {}
    }
}

/// Waits until `stream` is readable, for at most `timeout`. Returns whether it is.
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

/// Reads and drops up to four bytes, if all of them are CR or LF. Does not wait.
pub(super) fn drop_empty_lines(mut stream: &TcpStream) {
    let mut bytes = [0; 4];
    if let Ok(len) = stream.peek(&mut bytes)
        && bytes[..len]
            .iter()
            .all(|byte| matches!(byte, b'\r' | b'\n'))
    {
        // The bytes that were peeked at are still there, because no other code reads this stream.
        let _ = stream.read(&mut bytes[..len]);
    }
}

/// Sets SO_LINGER to 0: closing drops unsent bytes and resets the connection.
pub(super) fn reset_on_close(stream: &TcpStream) {
    // If this fails, the connection is broken already.
    let _ = rustix::net::sockopt::set_socket_linger(stream, Some(Duration::ZERO));
}

/// Returns whether the connection is broken: reset by the peer, or given up by the kernel. A connection that the peer
/// has properly closed does not count. SIOCOUTQ cannot tell, because after a reset the kernel still reports the bytes
/// that were outstanding before it.
pub(super) fn is_broken(stream: &TcpStream) -> bool {
    // Only POLLHUP counts: POLLERR may also be a report of `report_acknowledgements`.
    let mut fds = [PollFd::new(stream, PollFlags::empty())];
    let polled = poll(&mut fds, Some(&Timespec::default()));
    polled.is_ok() && fds[0].revents().contains(PollFlags::HUP)
}

/// Returns whether the client has closed its side or the connection is broken. Consumes no bytes.
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
