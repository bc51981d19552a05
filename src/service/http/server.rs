//! Starts and stops the server: connects its listener, its lobby and its workers.

use super::{
    clock::Clock,
    handler::{Handler, Topic},
    lobby::Lobby,
    pool::Pools,
    settings::Settings,
    signals::Signals,
};
use mio::{Poll, Token, Waker};
use std::{
    io,
    net::{SocketAddr, TcpListener},
    sync::{Arc, atomic::Ordering},
    thread::{self, JoinHandle},
};

/// Number of connections that the kernel may hold until they are accepted (the backlog). The kernel's own limit may be
/// lower (net.core.somaxconn).
const BACKLOG: i32 = 4096;

/// A running server.
pub struct Server {
    address: SocketAddr,
    handle: Handle,
    lobby: JoinHandle<bool>,
}

/// End of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The server was stopped, and everything that was running could be finished within [`Settings::grace`].
    Finished,
    /// The server was stopped, and not everything could be finished in time.
    Unfinished,
    /// The server ended without being stopped, because its lobby panicked.
    Died,
}

/// Handle of a server: stops it, announces news, and reports on it, from any thread.
#[derive(Clone, Debug)]
pub struct Handle {
    signals: Arc<Signals>,
    waker: Arc<Waker>,
}

impl Handle {
    /// Announces news about a topic: requests that [wait](super::Admission::Wait) for it are answered. Takes little
    /// time.
    pub fn changed(&self, topic: Topic) {
        self.signals.news.add(topic);
        if let Err(err) = self.waker.wake() {
            log::error!("the lobby cannot be woken: {err}");
        }
    }

    /// Number of open connections.
    pub fn connections(&self) -> usize {
        self.signals.open.load(Ordering::Relaxed)
    }

    /// Begins to stop the server: queued uploads and new requests are answered with 503, requests that wait for news
    /// are answered now, and running requests may finish. Does not wait for them.
    pub fn stop(&self) {
        self.signals.stopping.store(true, Ordering::Release);
        if let Err(err) = self.waker.wake() {
            log::error!("the lobby cannot be woken: {err}");
        }
    }
}

impl Server {
    /// Serves `listener` until [`Handle::stop`] is called. The lobby and the first worker of each lane are running when
    /// this returns.
    ///
    /// Errors: those of the operating system if it has no threads or file descriptors left.
    pub fn start<H: Handler>(
        listener: TcpListener,
        settings: Settings,
        handler: H,
    ) -> io::Result<Self> {
        Self::start_with(listener, settings, handler, Clock::default())
    }

    /// Like [`start`](Self::start), with a clock that the caller may set.
    pub(super) fn start_with<H: Handler>(
        listener: TcpListener,
        settings: Settings,
        handler: H,
        clock: Clock,
    ) -> io::Result<Self> {
        let address = listener.local_addr()?;
        listener.set_nonblocking(true)?;
        // The standard library sets a backlog of 128. In a burst of more connections, the excess ones would wait a
        // whole second, until their clients repeat the handshake.
        rustix::net::listen(&listener, BACKLOG)?;
        let poll = Poll::new()?;
        let waker = Arc::new(Waker::new(poll.registry(), Token(usize::MAX))?);
        let signals = Arc::new(Signals::default());
        let (handler, settings) = (Arc::new(handler), Arc::new(settings));
        let pools = Pools::start(&handler, &settings, &waker, &signals, &clock)?;
        let lobby = Lobby::new(
            poll,
            listener,
            handler,
            settings,
            pools,
            signals.clone(),
            clock,
        )?;
        let lobby = thread::Builder::new()
            .name("lobby".into())
            .stack_size(256 << 10)
            .spawn(move || lobby.run())?;
        Ok(Self {
            address,
            handle: Handle { signals, waker },
            lobby,
        })
    }

    /// The address that the server listens on, with the real port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A handle that stops the server.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Waits until the server has ended.
    pub fn join(self) -> End {
        match self.lobby.join() {
            Ok(true) => End::Finished,
            Ok(false) => End::Unfinished,
            // The panic has been logged by the panic hook.
            Err(_) => End::Died,
        }
    }
}
