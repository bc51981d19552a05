//! The service: builds all parts, connects them, and joins their threads at the end. This is the only module that uses
//! all parts. The only other thing it does is to derive the settings of the parts from the configuration.

use crate::{
    api::{self, Admin, Api, Fairness, Health, Metrics, Wall},
    config::Config,
    engine::{self, Engine},
    error::{Error, Kind, Result},
    http,
    id::ConversionId,
    machine,
    store::{self, Spool, Store},
};
use crossbeam_channel::{Receiver, Sender, bounded, select, tick};
use std::{
    net::{SocketAddr, TcpListener},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, OnceLock},
    thread::{self, JoinHandle},
    time::{Duration, Instant, SystemTime},
};

/// Lifetime of the record of an expired or downloaded conversion.
const TOMBSTONE_TTL: Duration = Duration::from_secs(24 * 3600);
/// Interval for deleting expired links and checking the health of the disk.
const TIMER: Duration = Duration::from_secs(1);
/// Bytes of the memory budget that allow one more conversion to be stopped, which means paused in favour of other
/// clients.
const STOPPED_MEMORY: u64 = 32 << 20;
/// Limit on the number of stopped conversions.
const MAX_STOPPED: usize = 24;
/// Time limit of a shutdown for running requests and conversions.
const GRACE: Duration = Duration::from_secs(20);
/// Last part of the grace time, reserved for answers to clients whose conversions did not end.
const ANSWER_RESERVE: Duration = Duration::from_secs(2);

/// A running service.
pub struct Service {
    server: http::Server,
    /// Serves the metrics, if they have an address of their own.
    admin: Option<http::Server>,
    stopper: Stopper,
    timer: JoinHandle<()>,
    /// Carries no messages: dropping this sender ends the timer.
    _timer_lives: Sender<()>,
}

/// Stops a service, from any thread.
#[derive(Clone)]
pub struct Stopper {
    engine: Arc<Engine>,
    server: http::Handle,
    /// Time at which the stop was requested.
    stopped: Arc<OnceLock<Instant>>,
}

impl Stopper {
    /// Begins to stop the service: waiting requests are refused, running ones may end within the grace time. Returns
    /// without waiting for them.
    pub fn stop(&self) {
        let stopped = *self.stopped.get_or_init(Instant::now);
        self.engine.stop(stopped + GRACE - ANSWER_RESERVE);
        self.server.stop();
    }
}

impl Service {
    /// Starts all parts. When this returns, the service answers requests.
    ///
    /// Errors: an address or the data directory cannot be used (the message names it), or a part of the service cannot
    /// be started.
    pub fn start(config: &Config) -> Result<Self> {
        // Without random numbers every upload would be refused, so the service does not start.
        ConversionId::random()?;
        let descriptors = machine::raise_descriptor_limit();
        let listener = listen(config.listen)?;
        let admin_listener = config.admin_listen.map(listen).transpose()?;
        let sharing = config.store.clone().map(|target| store::Sharing {
            target,
            lease: config.lease,
            queue: config.queue,
        });
        let (store, unfinished) = Store::open(
            store::Settings {
                dir: config.data_dir.clone(),
                link_ttl: config.link_ttl,
                tombstone_ttl: TOMBSTONE_TTL,
                reserve: disk_reserve(config),
                max_records: config.max_links,
                durability: config.durability,
            },
            sharing,
            SystemTime::now(),
        )?;
        let engine = Engine::start(engine_settings(config))?;
        let (engine, health) = (Arc::new(engine), Arc::new(Health::default()));
        check_health(&store, &health);

        let mut api = Api::new(
            store.clone(),
            engine.clone(),
            health.clone(),
            config.max_upload,
        );
        api.keys = config.keys.clone();
        api.cors_origins.clone_from(&config.cors_origins);
        api.trusted_proxies.clone_from(&config.trusted_proxies);
        api.wall = wall(config, config.listen);
        api.base_path.clone_from(&config.base_path);
        api.compat.clone_from(&config.compat);
        // The default share of an address is eight conversions for each converter, but at most half of the queue, so
        // that one address cannot fill the queue. The share does not depend on the number of workers, because many
        // uploads but only few conversions run at the same time.
        let default_limit = (8 * config.converters).min(config.queue.div_ceil(2)).max(1);
        api.fairness = Fairness::new(config.conversions_per_address.unwrap_or(default_limit));
        api.shows_metrics = admin_listener.is_none();
        let metrics = api.metrics.clone();
        let http_settings = http_settings(config, descriptors);
        let max_connections = http_settings.max_connections;
        let server = http::Server::start(listener, http_settings, api)
            .map_err(|err| Error::internal("the server cannot be started", err))?;
        metrics.watch(server.handle());
        let news = server.handle();
        store.listen(move |id| news.changed(id.number()));
        let admin = admin_listener
            .map(|listener| start_admin(listener, metrics, config))
            .transpose()?;

        let stopper = Stopper {
            engine,
            server: server.handle(),
            stopped: Arc::default(),
        };
        let (timer_lives, ended) = bounded::<()>(0);
        let resumed = match store.is_shared() {
            true => Some(take_up(store.clone(), stopper.engine.clone())?),
            false => resume(unfinished, stopper.engine.clone())?,
        };
        let timer = start_timer(store, health, ended, resumed)?;
        let service = Self {
            server,
            admin,
            stopper,
            timer,
            _timer_lives: timer_lives,
        };
        service.describe(config, descriptors, max_connections);
        Ok(service)
    }

    /// Logs the settings of the service. Warns if the limit on open files reduces the number of connections, and if
    /// other hosts can use the service without a key.
    fn describe(&self, config: &Config, descriptors: u64, max_connections: usize) {
        log::info!(
            "convertd {}: data in {}, {} converters with {} MiB of memory, {} workers, {descriptors} descriptors",
            env!("CARGO_PKG_VERSION"),
            config.data_dir.display(),
            config.converters,
            config.memory >> 20,
            config.workers,
        );
        if max_connections < config.max_connections {
            log::warn!(
                "the limit on open files, {descriptors}, leaves room for {max_connections} connections instead of {}: \
                 raise it (ulimit -n, LimitNOFILE=), or lower --max-connections, --workers or --queue",
                config.max_connections
            );
        }
        if config.keys.is_empty() && !self.address().ip().is_loopback() {
            log::warn!(
                "{} is open to the network, and no API keys are set: anybody who reaches it can use it",
                self.address()
            );
        }
    }

    /// The address that the service listens on.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Address of the metrics' own listener, if it has one.
    pub fn admin_address(&self) -> Option<SocketAddr> {
        self.admin.as_ref().map(http::Server::address)
    }

    /// A handle that stops the service.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// Waits until the service has been stopped and has ended. Returns whether everything that was running could be
    /// finished in time.
    ///
    /// Errors: [`Kind::Internal`] if the server ended without being stopped.
    pub fn join(self) -> Result<bool> {
        let end = self.server.join();
        // If the server died by itself, the other parts are stopped here.
        self.stopper.stop();
        // The server and the engine share one grace time, counted from the moment of the stop.
        let stopped = *self.stopper.stopped.get_or_init(Instant::now);
        let converted = self.stopper.engine.join(stopped + GRACE);
        // The metrics are served to the end, so that the shutdown can be monitored.
        if let Some(admin) = self.admin {
            admin.handle().stop();
            admin.join();
        }
        drop(self._timer_lives);
        // A timer that panicked does no harm now, because the next start deletes the files that the timer should have
        // deleted.
        let _ = self.timer.join();
        match end {
            http::End::Finished => Ok(converted),
            http::End::Unfinished => Ok(false),
            http::End::Died => Err(Error::new(
                Kind::Internal,
                "the HTTP server ended without being stopped",
            )),
        }
    }
}

/// Returns the settings of the engine, for the service and for commands with an engine of their own.
pub fn engine_settings(config: &Config) -> engine::Settings {
    engine::Settings {
        converters: config.converters,
        stopped: stopped(config),
        threads: config.converters,
        queue: config.queue,
        memory: config.memory,
        max_output: config.max_output,
        reserve: disk_reserve(config),
        base_time: config.job_timeout,
        time_per_mib: Duration::from_secs(5),
        isolation: config.isolation.clone(),
        fonts: config.fonts.clone(),
        languages: config.languages.clone(),
    }
}

/// Returns the rules for requests that web pages send to a listener. The origins that may read answers (CORS) may also
/// send requests.
fn wall(config: &Config, address: SocketAddr) -> Wall {
    let origins = config.allow_origins.iter().chain(&config.cors_origins);
    Wall {
        is_local: address.ip().to_canonical().is_loopback(),
        hosts: config.allow_hosts.clone(),
        origins: origins.cloned().collect(),
    }
}

/// Opens the listening socket.
fn listen(address: SocketAddr) -> Result<TcpListener> {
    TcpListener::bind(address).map_err(|err| {
        let text = format!("cannot listen on {address}");
        Error::new(Kind::Internal, text).caused_by(err)
    })
}

/// Starts the server of the metrics: one thread, because everything is answered from memory.
fn start_admin(
    listener: TcpListener,
    metrics: Arc<Metrics>,
    config: &Config,
) -> Result<http::Server> {
    let wall = config
        .admin_listen
        .map(|address| wall(config, address))
        .unwrap_or_default();
    let settings = http::Settings {
        workers: 0,
        queue: 0,
        quick_workers: 0,
        max_connections: 64,
        max_body: 0,
        grace: ANSWER_RESERVE,
        ..http::Settings::default()
    };
    http::Server::start(listener, settings, Admin { metrics, wall })
        .map_err(|err| Error::internal("the server of the metrics cannot be started", err))
}

/// Queues the conversions that an earlier run accepted and did not finish, on a thread that ends after the last of them
/// has been queued. `None` without such conversions.
fn resume(unfinished: Vec<Spool>, engine: Arc<Engine>) -> Result<Option<JoinHandle<()>>> {
    if unfinished.is_empty() {
        return Ok(None);
    }
    log::info!(
        "conversions that an earlier run accepted are resumed: {}",
        unfinished.len()
    );
    let run = move || {
        for spool in unfinished {
            api::resume(&engine, spool);
        }
    };
    let thread = thread::Builder::new()
        .name("resume".into())
        .stack_size(256 << 10)
        .spawn(run);
    thread
        .map(Some)
        .map_err(|err| Error::internal("a thread cannot be started", err))
}

/// Takes conversions that any instance has accepted, one whenever a converter is idle, and queues them here, until the
/// service is stopped.
fn take_up(store: Store, engine: Arc<Engine>) -> Result<JoinHandle<()>> {
    let run = move || {
        while engine.wait_until_idle() {
            if let Some(spool) = store.next() {
                api::resume(&engine, spool);
            }
        }
    };
    thread::Builder::new()
        .name("take-up".into())
        .stack_size(256 << 10)
        .spawn(run)
        .map_err(|err| Error::internal("a thread cannot be started", err))
}

/// Starts the thread that sweeps the store at intervals, and removes files between two sweeps as soon as the store
/// announces them. When `ended` is closed, the thread waits for `resumed`, the thread that takes up conversions, if
/// there is one, and ends.
fn start_timer(
    store: Store,
    health: Arc<Health>,
    ended: Receiver<()>,
    resumed: Option<JoinHandle<()>>,
) -> Result<JoinHandle<()>> {
    let run = move || {
        let ticks = tick(TIMER);
        loop {
            select! {
                recv(store.untidy()) -> id => {
                    fenced("files could not be removed", || {
                        id.iter().for_each(|id| store.tidy_up(id));
                    });
                }
                recv(ticks) -> _ => {
                    fenced("the store could not be swept", || {
                        store.sweep(SystemTime::now());
                        check_health(&store, &health);
                    });
                }
                recv(ended) -> _ => break,
            }
        }
        if let Some(resumed) = resumed {
            // An error means that the thread panicked, which has been logged.
            let _ = resumed.join();
        }
    };
    thread::Builder::new()
        .name("timer".into())
        .stack_size(128 << 10)
        .spawn(run)
        .map_err(|err| Error::internal("the timer cannot be started", err))
}

/// Runs `work` so that a panic in it does not end the thread.
fn fenced(failure: &str, work: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(work)).is_err() {
        log::error!("{failure}: a panic");
    }
}

/// Records whether the store can take a conversion now, for answers to health checks.
fn check_health(store: &Store, health: &Health) {
    health.set(store.health().err().map(|error| error.message().to_owned()));
}

/// Limit on the number of stopped conversions. It grows with the memory budget, because each stopped conversion keeps
/// its child process.
fn stopped(config: &Config) -> usize {
    usize::try_from(config.memory / STOPPED_MEMORY)
        .unwrap_or(usize::MAX)
        .clamp(1, MAX_STOPPED)
}

/// Returns the bytes of the disk to keep free: a fiftieth of the file system, at most 64 MiB; 0 if its size is unknown.
fn disk_reserve(config: &Config) -> u64 {
    let existing = config.data_dir.ancestors().find(|dir| dir.is_dir());
    let disk = rustix::fs::statvfs(existing.unwrap_or(std::path::Path::new(".")));
    disk.map_or(0, |disk| {
        (disk.f_blocks.saturating_mul(disk.f_frsize) / 50).min(64 << 20)
    })
}

/// Returns the settings of the HTTP server. The number of connections is limited by the descriptors that uploads and
/// conversions leave, but is never below 8 for that reason.
fn http_settings(config: &Config, descriptors: u64) -> http::Settings {
    // File descriptors that are not for connections: each upload and each conversion, waiting or begun, has open files.
    let files =
        64 + 6 * config.workers + 4 * config.queue + 8 * (config.converters + stopped(config));
    let connections = usize::try_from(descriptors)
        .unwrap_or(usize::MAX)
        .saturating_sub(files)
        .max(8);
    let max_connections = config.max_connections.min(connections);
    http::Settings {
        workers: config.workers,
        queue: config.queue,
        max_connections,
        max_connections_per_address: config.connections_per_address.unwrap_or(
            if config.trusted_proxies.is_empty() {
                max_connections.div_ceil(4)
            } else {
                // All connections come from the proxies, which must be allowed to have many, so 0 sets no limit.
                0
            },
        ),
        max_body: Api::max_body(config.max_upload),
        min_rate: config.min_rate,
        grace: GRACE,
        ..http::Settings::default()
    }
}
