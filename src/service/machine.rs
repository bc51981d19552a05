//! Resources of the machine: memory, cores, file descriptors. The configuration decides how much of them is used.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use signal_hook::consts::SIGXFSZ;
use std::{
    fs, io,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

/// The number of processors that this process may use, at least 1.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The memory that this process may use, in bytes: the machine's memory, or less if a control group limits it.
pub fn memory() -> u64 {
    let machine = fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| mem_total(&text))
        .unwrap_or(1 << 30);
    let group = fs::read_to_string("/proc/self/cgroup")
        .ok()
        .map_or(u64::MAX, |text| group_limit(&text));
    machine.min(group)
}

fn mem_total(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// The lowest memory limit of the process's control groups and all groups above them, in bytes; `u64::MAX` if there is
/// no limit (cgroups(7), versions 1 and 2).
fn group_limit(memberships: &str) -> u64 {
    let mut lowest = u64::MAX;
    for line in memberships.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(group)) = (parts.next(), parts.next()) else {
            continue;
        };
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => continue,
        };
        for directory in Path::new(group.trim_start_matches('/')).ancestors() {
            let limit = fs::read_to_string(Path::new(root).join(directory).join(file)).ok();
            lowest = lowest.min(
                limit
                    .and_then(|text| text.trim().parse().ok())
                    .unwrap_or(u64::MAX),
            );
        }
    }
    lowest
}

/// Whether standard output was closed when the program began. Rust's runtime then opens /dev/null in its place before
/// `main`, so that no other file gets its number. Output to it is then lost without an error.
static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Checks standard output before the runtime does. The loader calls this function very early, so it may use nothing but
/// one system call.
pub extern "C" fn look_at_standard_output() {
    let is_closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err();
    WAS_CLOSED.store(is_closed, Ordering::Relaxed);
}

/// Checks that standard output can be written to.
///
/// Errors: it was closed when the program began.
pub fn standard_output() -> io::Result<()> {
    match WAS_CLOSED.load(Ordering::Relaxed) {
        true => Err(rustix::io::Errno::BADF.into()),
        false => Ok(()),
    }
}

/// Raises the limit on open file descriptors to the hard limit, and returns the limit that is then in force.
pub fn raise_descriptor_limit() -> u64 {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    let reached = if setrlimit(Resource::Nofile, raised).is_ok() {
        limit.maximum
    } else {
        limit.current
    };
    reached.unwrap_or(1 << 20)
}

/// Makes a write beyond RLIMIT_FSIZE (`ulimit -f`) fail with an error instead of killing this process by a signal.
/// Child processes are not affected.
///
/// Errors: those of sigaction(2).
pub fn survive_the_limit_on_files() -> io::Result<()> {
    // A handler is installed instead of SIG_IGN, which children would inherit. The handler only sets a flag, which
    // nobody reads, because the write itself reports the error.
    signal_hook::flag::register(SIGXFSZ, Arc::default()).map(drop)
}

/// Makes all threads allocate from one heap. By default, glibc gives threads separate heaps, and memory that is freed
/// in one heap cannot be used by the others. With a hundred threads that do the same work, the process would grow to a
/// multiple of the memory in use. Call this before any other thread is started. Does nothing with other C libraries.
pub fn keep_to_one_heap() {
    #[cfg(target_env = "gnu")]
    {
        // SAFETY: this sets a parameter of the allocator (mallopt(3)) before a second thread exists that could read it.
        #[allow(unsafe_code)]
        let _ = unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    }
}

/// Marks every file descriptor except the standard ones as close-on-exec, so that children do not inherit what a shell
/// or a supervisor has left open in this process. Does nothing before Linux 5.11.
pub fn keep_descriptors_from_children() {
    // SAFETY: this sets a flag on open descriptors (close_range(2)). It closes none, so the owners of descriptors are
    // not affected before an exec, and it touches no memory. rustix has no wrapper for it.
    #[allow(unsafe_code)]
    let _ = unsafe {
        libc::syscall(
            libc::SYS_close_range,
            3_u32,
            u32::MAX,
            libc::CLOSE_RANGE_CLOEXEC,
        )
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_kernel_are_parsed() {
        assert_eq!(
            mem_total("MemTotal:       24689764 kB\nMemFree: 1 kB\n"),
            Some(24_689_764 << 10)
        );
        assert_eq!(mem_total("nothing"), None);
        assert_eq!(group_limit("garbage"), u64::MAX);
        assert!(memory() > 0 && cores() > 0);
    }
}
