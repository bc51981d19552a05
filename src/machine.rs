//! What the machine gives: memory, cores, descriptors. Decides nothing; the configuration does.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use signal_hook::consts::SIGXFSZ;
use std::{fs, io, path::Path, sync::Arc, thread};

/// Processors that this process may use, at least 1.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Bytes of memory that this process may use: the machine's, or less if a control group says so.
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

/// The lowest limit of the process's control group and of those above it (cgroups(7), versions 1 and 2).
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

/// Raises the limit on open descriptors as far as this process may, and returns it.
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

/// Has a write beyond RLIMIT_FSIZE (`ulimit -f`) fail instead of ending the process. A program that this one starts is
/// not affected.
///
/// Errors: those of sigaction(2).
pub fn survive_the_limit_on_files() -> io::Result<()> {
    // A handler, and not SIG_IGN, which children would inherit. What it notes is of no interest: the write says it all.
    signal_hook::flag::register(SIGXFSZ, Arc::default()).map(drop)
}

/// Lets all threads allocate from one heap. glibc gives every other thread a heap of its own, and what one thread has freed
/// is of no use to another: the memory of a hundred threads that do the same creeps to a multiple of what is in use.
/// Call it before any other thread is started. Does nothing with another C library.
pub fn keep_to_one_heap() {
    #[cfg(target_env = "gnu")]
    {
        // SAFETY: sets a number that the allocator reads (mallopt(3)) before there is a second thread to read it.
        #[allow(unsafe_code)]
        let _ = unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    }
}

/// Marks every descriptor but the standard ones as closed on exec: what a shell or a supervisor has left open in this
/// process is not for its children. Does nothing before Linux 5.11.
pub fn keep_descriptors_from_children() {
    // SAFETY: sets a flag on open descriptors (close_range(2)) and closes none, so that nobody who owns one is
    // affected before an exec; it touches no memory. rustix has no wrapper for it.
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
    fn reads_what_the_kernel_writes() {
        assert_eq!(
            mem_total("MemTotal:       24689764 kB\nMemFree: 1 kB\n"),
            Some(24_689_764 << 10)
        );
        assert_eq!(mem_total("nothing"), None);
        assert_eq!(group_limit("garbage"), u64::MAX);
        assert!(memory() > 0 && cores() > 0);
    }
}
