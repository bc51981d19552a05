//! Confinement of a converter child: no privileges, no new files, no network, no other processes, and no more memory than
//! was granted. Only ever takes rights away.
//!
//! Resource limits work on every kernel and are mandatory. Landlock (files, network, signals) and seccomp (a list of allowed
//! system calls) depend on the kernel and the architecture; each is tried, and the child reports which are in force. What a child
//! still has are the file descriptors it holds: the channel, its job's input and its output.
//!
//! The traps: memory and file size are limited by the service, from outside, because a child may raise its own soft limits
//! up to the hard ones. `RLIMIT_DATA` counts only private writable memory, so the filter forbids shared anonymous mappings
//! and growing stacks, which would escape it. And `clone3` passes its flags in memory, where a filter cannot look; it is
//! answered with ENOSYS, and the C library falls back to `clone`, which the filter can restrict to threads.

use super::seccomp;
use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetStatus, Scope};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getrlimit, prlimit, set_parent_process_death_signal, setrlimit,
};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities, set_no_new_privs};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
};

/// Memory that a child gets in addition to what its job has reserved, in bytes: for stacks, tables of codecs and the
/// allocator's own structures.
const SLACK: u64 = 48 << 20;
/// The maximum number of open file descriptors: the channel, two files and a font, the standard ones, and a few to spare.
const DESCRIPTORS: u64 = 16;

/// The confinement of this process.
pub(crate) struct Sandbox {
    confinement: String,
    /// `/proc/self/statm`, opened before the sandbox made that impossible.
    statm: Mutex<File>,
    page: u64,
}

/// Confines this process for good. Call it before any thread is started.
///
/// Errors: those of the system calls that must work on every kernel. Mechanisms that depend on the kernel are tried without
/// an error; [`Sandbox::confinement`] names those that are in force.
pub(crate) fn enter() -> io::Result<Sandbox> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // A supervisor may signal all processes of the service. Children ignore that: the service decides when they end.
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)))?;
    }
    let limit = |resource, most| {
        setrlimit(
            resource,
            Rlimit {
                current: Some(most),
                maximum: Some(most),
            },
        )
    };
    limit(Resource::Core, 0)?;
    limit(Resource::Nofile, DESCRIPTORS)?;
    // Both may read from /proc, which is out of reach afterwards.
    let statm = File::open("/proc/self/statm")?;
    let page = rustix::param::page_size() as u64;
    set_no_new_privs(true)?;
    let none = CapabilitySet::empty();
    // This fails only where there is nothing to drop.
    let _ = set_capabilities(
        None,
        CapabilitySets {
            effective: none,
            permitted: none,
            inheritable: none,
        },
    );
    let mut confinement = vec!["limits"];
    if landlock() {
        confinement.push("landlock");
    }
    if seccomp::enter() {
        confinement.push("seccomp");
    }
    Ok(Sandbox {
        confinement: confinement.join(", "),
        statm: Mutex::new(statm),
        page,
    })
}

/// Limits a child's memory to the `idle` bytes that it used before its first job, plus the `reserved` bytes of its job, plus
/// [`SLACK`]. Allocations beyond that fail. The service calls this, because a child that was taken over could lift a limit that
/// it is able to set itself.
///
/// Errors: those of prlimit(2). It needs no privilege, because both processes belong to the same user.
pub(crate) fn limit_memory(child: Pid, idle: u64, reserved: u64) -> io::Result<()> {
    let most = idle.saturating_add(reserved).saturating_add(SLACK);
    limit(child, Resource::Data, most)
}

/// Limits every file that a child writes to `most` bytes. The kernel enforces this even if the converter's own check fails.
///
/// Errors: those of prlimit(2).
pub(crate) fn limit_output(child: Pid, most: u64) -> io::Result<()> {
    limit(child, Resource::Fsize, most)
}

/// Sets a soft limit of another process, as far as its hard limit allows.
fn limit(child: Pid, resource: Resource, most: u64) -> io::Result<()> {
    // The hard limit stays unchanged, so that the soft limit can be raised for the next job.
    let maximum = getrlimit(resource).maximum;
    let limit = Rlimit {
        current: Some(maximum.map_or(most, |maximum| most.min(maximum))),
        maximum,
    };
    prlimit(Some(child), resource, limit)?;
    Ok(())
}

impl Sandbox {
    /// The mechanisms that are in force.
    pub(crate) fn confinement(&self) -> &str {
        &self.confinement
    }

    /// Writable private memory of this process in bytes (proc_pid_statm(5), `data`): what RLIMIT_DATA limits.
    pub(crate) fn memory(&self) -> u64 {
        let mut text = String::new();
        let mut statm = self.statm.lock().unwrap_or_else(PoisonError::into_inner);
        let read = statm
            .seek(SeekFrom::Start(0))
            .and_then(|_| statm.read_to_string(&mut text));
        let pages = read
            .ok()
            .and_then(|_| text.split_whitespace().nth(5)?.parse::<u64>().ok());
        pages.unwrap_or(0) * self.page
    }
}

/// Forbids opening files, using the network and signalling other processes, by Landlock. Returns whether the kernel enforces
/// at least a part of it.
fn landlock() -> bool {
    let abi = ABI::V6;
    let restrict = || -> Result<RulesetStatus, landlock::RulesetError> {
        let ruleset = Ruleset::default()
            .handle_access(AccessFs::from_all(abi))?
            .handle_access(AccessNet::from_all(abi))?
            .scope(Scope::from_all(abi))?
            .create()?;
        Ok(ruleset.restrict_self()?.ruleset)
    };
    matches!(
        restrict(),
        Ok(RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::{
        fs::{MemfdFlags, OFlags},
        io::{DupFlags, Errno},
        process::{PidfdFlags, getppid, kill_process},
    };
    use std::{
        io::Write,
        net::TcpStream,
        os::unix::process::ExitStatusExt,
        process::{Command, ExitStatus},
    };

    /// Runs one of the tests below in a process of its own, because rights that are given up cannot be had back.
    fn confined(test: &str) -> ExitStatus {
        let inside = format!("engine::isolation::sandbox::tests::{test}");
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", &inside, "--ignored", "--test-threads=1"])
            .status()
            .unwrap()
    }

    #[test]
    fn nothing_but_its_own_memory_is_in_reach() {
        let status = confined("what_is_left");
        assert!(status.success(), "{status}");
    }

    /// Sends signal 0 to the main thread of another process. Signal 0 has no effect; the call only checks the permission.
    fn tgkill(pid: Pid) -> Result<(), Errno> {
        let pid = pid.as_raw_nonzero().get();
        // SAFETY: the arguments are three numbers, and the call touches no memory (tgkill(2)). No safe wrapper exists.
        #[allow(unsafe_code)]
        match unsafe { libc::syscall(libc::SYS_tgkill, pid, pid, 0) } {
            0 => Ok(()),
            _ => Err(Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(Errno::INVAL)),
        }
    }

    /// Maps a page of memory and never unmaps it.
    fn mmap(flags: libc::c_int) -> io::Result<()> {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: the kernel chooses the address of the new mapping, and nobody uses it (mmap(2)).
        #[allow(unsafe_code)]
        match unsafe { libc::mmap(std::ptr::null_mut(), 4096, protection, flags, -1, 0) } {
            libc::MAP_FAILED => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }

    #[test]
    #[ignore = "confines its process; the test above runs it"]
    fn what_is_left() {
        #[track_caller]
        fn refused<T, E: std::fmt::Debug>(what: &str, attempt: Result<T, E>) {
            assert!(attempt.is_err(), "{what}");
        }
        let service = getppid().unwrap();
        let path = std::env::current_exe().unwrap();
        let file = File::open("/dev/null").unwrap();
        let sandbox = enter().unwrap();
        refused("files can be opened", File::open(&path));
        for own in ["/proc/self/mem", "/proc/self/maps", "/proc/self/fd/0"] {
            refused("its own entries in /proc can be opened", File::open(own));
        }
        refused("files can be made", File::create("/tmp/convertd-escaped"));
        refused("programs can be run", Command::new(&path).spawn());
        if !sandbox.confinement().contains("seccomp") {
            return;
        }
        let socket = TcpStream::connect(("127.0.0.1", 9));
        assert!(
            socket.is_err_and(|err| err.raw_os_error() == Some(1)),
            "sockets can be made"
        );
        let none = Rlimit {
            current: Some(0),
            maximum: Some(0),
        };
        let limit = prlimit(Some(service), Resource::Nofile, none);
        refused("limits of others can be set", limit);
        refused("signals can be sent", kill_process(service, Signal::URG));
        refused("signals can be sent to threads", tgkill(service));
        let handle = rustix::process::pidfd_open(service, PidfdFlags::empty());
        refused("handles of processes can be had", handle);
        let flags = rustix::fs::fcntl_setfl(&file, OFlags::APPEND);
        refused("modes of files can be changed", flags);
        let mut copy = std::os::fd::OwnedFd::from(file.try_clone().unwrap());
        let moved = rustix::io::dup3(&file, &mut copy, DupFlags::CLOEXEC);
        refused("descriptors can be moved", moved);
        refused("files can be cut", file.set_len(0));
        let memory = rustix::fs::memfd_create("escaped", MemfdFlags::CLOEXEC);
        refused("files can be made in memory", memory);
        refused("limits can be set", setrlimit(Resource::Data, none));
        refused("limits can be lifted", setrlimit(Resource::Core, none));
        let _ = getrlimit(Resource::Data);
        let private = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        assert!(mmap(private).is_ok());
        let uncounted = [
            (
                "memory can be shared",
                libc::MAP_SHARED | libc::MAP_ANONYMOUS,
            ),
            ("memory can grow down", private | libc::MAP_GROWSDOWN),
        ];
        for (what, flags) in uncounted {
            refused(what, mmap(flags));
        }
        std::thread::spawn(|| ()).join().unwrap();
    }

    #[test]
    fn a_file_that_grows_beyond_its_limit_ends_the_child() {
        let status = confined("what_writes_too_much");
        assert_eq!(status.signal(), Some(Signal::XFSZ.as_raw()), "{status}");
    }

    #[test]
    #[ignore = "ends its process; the test above runs it"]
    fn what_writes_too_much() {
        let path = std::env::temp_dir().join(format!("convertd-{}", std::process::id()));
        let mut file = File::create_new(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        limit_output(rustix::process::getpid(), 1000).unwrap();
        let _sandbox = enter().unwrap();
        file.write_all(&[0; 1000]).unwrap();
        let _ = file.write_all(&[0]);
    }
}
