//! Confinement of a converter child: no privileges, no new files, no network, no other processes, and no more memory
//! than granted. Takes rights away and never grants any.
//!
//! Resource limits work on every kernel and are mandatory. Landlock (files, network, signals) and seccomp (a list of
//! allowed system calls) depend on the kernel and the architecture; each is tried, and the child reports which are in
//! force. The child keeps the file descriptors that it holds: the channel, its job's input and its output.
//!
//! There are three traps. A child may raise its own soft limits up to the hard ones, so the service limits memory and
//! file size from outside. `RLIMIT_DATA` counts only private writable memory, so the filter forbids shared anonymous
//! mappings and growing stacks, which would escape it. And `clone3` passes its flags in memory, where a filter cannot
//! look. The filter answers it with ENOSYS, and the C library falls back to `clone`, which the filter can restrict to
//! threads.

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
/// The maximum number of open file descriptors: the channel, two files and a font, the standard ones, and a few to
/// spare.
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
/// Errors: those of the system calls that must work on every kernel. Mechanisms that depend on the kernel are tried
/// without an error; [`Sandbox::confinement`] names those that are in force.
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
    // The memory statistics and the page size are requested now, because they may come from /proc, which the sandbox
    // makes unreachable.
    let statm = File::open("/proc/self/statm")?;
    let page = rustix::param::page_size() as u64;
    set_no_new_privs(true)?;
    let none = CapabilitySet::empty();
    // The call fails only if the process has no capabilities to drop.
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

/// Limits a child's memory to the `idle` bytes that it used before its first job, plus the `reserved` bytes of its job,
/// plus [`SLACK`]. Allocations beyond that fail. The service calls this from outside, because a child under an
/// attacker's control could lift a limit that it may set itself.
///
/// Errors: those of prlimit(2). It needs no privilege, because both processes belong to the same user.
pub(crate) fn limit_memory(child: Pid, idle: u64, reserved: u64) -> io::Result<()> {
    let most = idle.saturating_add(reserved).saturating_add(SLACK);
    limit(child, Resource::Data, most)
}

/// Limits every file that a child writes to `most` bytes. The kernel enforces this even if the converter's own check
/// fails.
///
/// Errors: those of prlimit(2).
pub(crate) fn limit_output(child: Pid, most: u64) -> io::Result<()> {
    limit(child, Resource::Fsize, most)
}

/// Sets a soft limit of a child, up to the hard limit, which the child has inherited from this process.
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

/// Forbids opening files, using the network and signalling other processes, by Landlock. Returns whether the kernel
/// enforces at least a part of it.
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
        process::{PidfdFlags, getppid, test_kill_process},
    };
    use std::{
        io::Write,
        net::TcpListener,
        os::unix::process::ExitStatusExt,
        process::{Command, ExitStatus},
    };

    /// Runs one of the tests below in a process of its own, because a process cannot regain the rights that it gave up.
    fn confined(test: &str) -> ExitStatus {
        let inside = format!("engine::isolation::sandbox::tests::{test}");
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", &inside, "--ignored", "--test-threads=1"])
            .status()
            .unwrap()
    }

    #[test]
    fn a_confined_process_reaches_only_its_own_memory() {
        let status = confined("attempts_in_the_sandbox");
        assert!(status.success(), "{status}");
    }

    /// Sends signal 0 to the main thread of another process. Signal 0 has no effect; the call only checks the
    /// permission.
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

    /// Resources of a process before it tries forbidden calls in the sandbox.
    struct Held {
        /// An own file of the process, open for reading and writing, and without a name.
        file: File,
        /// The parent of the process.
        other: Pid,
    }

    impl Held {
        fn new() -> Self {
            let path = std::env::temp_dir().join(format!("convertd-{}", std::process::id()));
            let mut options = File::options();
            let file = options.read(true).write(true).create_new(true).open(&path);
            std::fs::remove_file(path).unwrap();
            Self {
                file: file.unwrap(),
                other: getppid().unwrap(),
            }
        }

        /// Tries to open and create files and to run a program by their names, and returns which attempts succeeded.
        /// All of them are harmless outside of a sandbox.
        fn try_names(&self) -> Vec<(&'static str, bool)> {
            let program = std::env::current_exe();
            let made = std::env::temp_dir().join(format!("convertd-made-{}", std::process::id()));
            let list = || Command::new(program?).arg("--list").output();
            vec![
                ("files can be opened", File::open("/dev/null").is_ok()),
                (
                    "its memory can be opened",
                    File::open("/proc/self/mem").is_ok(),
                ),
                (
                    "its map can be opened",
                    File::open("/proc/self/maps").is_ok(),
                ),
                (
                    "files can be made",
                    File::create(&made).is_ok_and(|_| std::fs::remove_file(&made).is_ok()),
                ),
                ("programs can be run", list().is_ok()),
            ]
        }

        /// Tries calls that take no name, all of which the seccomp filter must refuse, and returns which succeeded.
        fn try_calls(&self) -> Vec<(&'static str, bool)> {
            let file = &self.file;
            let mut copy = std::os::fd::OwnedFd::from(file.try_clone().unwrap());
            let core = getrlimit(Resource::Core);
            let own = getrlimit(Resource::Nofile);
            let anonymous = libc::MAP_ANONYMOUS;
            vec![
                (
                    "sockets can be made",
                    TcpListener::bind("127.0.0.1:0").is_ok(),
                ),
                (
                    "limits of others can be set",
                    prlimit(Some(self.other), Resource::Nofile, own).is_ok(),
                ),
                ("signals can be sent", test_kill_process(self.other).is_ok()),
                ("signals can be sent to threads", tgkill(self.other).is_ok()),
                (
                    "handles of processes can be opened",
                    rustix::process::pidfd_open(self.other, PidfdFlags::empty()).is_ok(),
                ),
                (
                    "modes of files can be changed",
                    rustix::fs::fcntl_setfl(file, OFlags::APPEND).is_ok(),
                ),
                (
                    "descriptors can be moved",
                    rustix::io::dup3(file, &mut copy, DupFlags::CLOEXEC).is_ok(),
                ),
                (
                    "files can be made in memory",
                    rustix::fs::memfd_create("escaped", MemfdFlags::CLOEXEC).is_ok(),
                ),
                ("limits can be set", setrlimit(Resource::Core, core).is_ok()),
                (
                    "memory can be shared",
                    mmap(libc::MAP_SHARED | anonymous).is_ok(),
                ),
                (
                    "memory can grow down",
                    mmap(libc::MAP_PRIVATE | anonymous | libc::MAP_GROWSDOWN).is_ok(),
                ),
            ]
        }
    }

    #[track_caller]
    fn all_are(expected: bool, tried: Vec<(&str, bool)>) {
        for (what, was_possible) in tried {
            assert_eq!(was_possible, expected, "{what}");
        }
    }

    /// Shows that the attempts succeed outside of the sandbox, so that only the sandbox makes them fail.
    #[test]
    fn the_attempts_succeed_outside_of_the_sandbox() {
        let held = Held::new();
        all_are(true, held.try_names());
        // Some systems do not let a process set the limits of a parent in another session.
        let tried = held.try_calls();
        let rest = tried.into_iter();
        let rest = rest.filter(|(what, _)| *what != "limits of others can be set");
        all_are(true, rest.collect());
    }

    #[test]
    #[ignore = "confines its process; the test above runs it"]
    fn attempts_in_the_sandbox() {
        let held = Held::new();
        let sandbox = enter().unwrap();
        all_are(false, held.try_names());
        assert!(File::open("/proc/self/fd/0").is_err());
        if !sandbox.confinement().contains("seccomp") {
            return;
        }
        all_are(false, held.try_calls());
        let socket = TcpListener::bind("127.0.0.1:0");
        assert!(socket.is_err_and(|err| err.raw_os_error() == Some(libc::EPERM)));
        let none = Rlimit {
            current: Some(0),
            maximum: Some(0),
        };
        assert!(setrlimit(Resource::Data, none).is_err());
        // Everything that a job needs is still allowed: a repeated job first truncates its result.
        assert!(held.file.set_len(0).is_ok());
        let _ = getrlimit(Resource::Data);
        assert!(mmap(libc::MAP_PRIVATE | libc::MAP_ANONYMOUS).is_ok());
        assert!(crate::random::bytes::<16>().is_ok());
        std::thread::spawn(|| ()).join().unwrap();
    }

    #[test]
    fn unlisted_system_calls_are_refused() {
        let status = confined("every_other_call");
        assert!(status.success(), "{status}");
    }

    /// Makes every call that is not on the list, including numbers that future kernels may use.
    #[test]
    #[ignore = "confines its process; the test above runs it"]
    fn every_other_call() {
        let sandbox = enter().unwrap();
        if !sandbox.confinement().contains("seccomp") {
            return;
        }
        // Some of the calls below do harm without the filter, so first make sure that it is in force.
        let socket = TcpListener::bind("127.0.0.1:0");
        assert!(socket.is_err_and(|err| err.raw_os_error() == Some(libc::EPERM)));
        let mut refused = 0;
        for number in 0..1000 {
            // `uretprobe` and `uprobe` of x86-64: newer kernels do not ask the filter about them, and kill a process
            // that calls them directly.
            if seccomp::knows(number) || matches!(number, 335 | 336) {
                continue;
            }
            let none: libc::c_long = -1;
            // SAFETY: the filter refuses the call before the kernel looks at its arguments, as checked above; -1 is not
            // a valid address.
            #[allow(unsafe_code)]
            let answer = unsafe { libc::syscall(number, none, none, none, none, none, none) };
            let error = io::Error::last_os_error().raw_os_error();
            assert_eq!((answer, error), (-1, Some(libc::EPERM)), "{number}");
            refused += 1;
        }
        assert!(refused > 900, "{refused}");
    }

    #[test]
    fn a_file_that_grows_beyond_its_limit_ends_the_child() {
        let status = confined("write_beyond_the_limit");
        assert_eq!(status.signal(), Some(Signal::XFSZ.as_raw()), "{status}");
    }

    #[test]
    #[ignore = "ends its process; the test above runs it"]
    fn write_beyond_the_limit() {
        let path = std::env::temp_dir().join(format!("convertd-{}", std::process::id()));
        let mut file = File::create_new(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        limit_output(rustix::process::getpid(), 1000).unwrap();
        let _sandbox = enter().unwrap();
        file.write_all(&[0; 1000]).unwrap();
        let _ = file.write_all(&[0]);
    }
}
