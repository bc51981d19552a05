//! A child process, which is observed through `/proc`, and killed when this value is dropped.

use rustix::process::{Pid, Signal, kill_process};
use std::{
    fs,
    process::{Child, ExitStatus},
    time::Duration,
};

pub(crate) struct Process {
    child: Child,
    exited: Option<ExitStatus>,
}

impl Process {
    pub(crate) fn new(child: Child) -> Self {
        Self {
            child,
            exited: None,
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The exit status, if the process has ended.
    pub(crate) fn exited(&mut self) -> Option<ExitStatus> {
        if self.exited.is_none() {
            self.exited = self
                .child
                .try_wait()
                .expect("the process can be waited for");
        }
        self.exited
    }

    #[track_caller]
    pub(crate) fn signal(&mut self, signal: Signal) {
        assert!(self.exited().is_none(), "the process has ended already");
        send(self.id(), signal);
    }

    /// Resident memory in KiB, without its children.
    #[track_caller]
    pub(crate) fn resident_kib(&self) -> u64 {
        resident_kib(self.id())
    }

    /// Writable private memory in KiB, including memory that is reserved but not used. RLIMIT_DATA limits this value.
    #[track_caller]
    pub(crate) fn data_kib(&self) -> u64 {
        status_field(self.id(), "VmData:")
    }

    /// Peak resident memory in KiB: the sum of the process's own memory and that of its current children. Pages of the
    /// program's file are not included, because they are loaded when their code first runs.
    #[track_caller]
    pub(crate) fn peak_allocated_kib(&self) -> u64 {
        let family = self.children().into_iter().chain([self.id()]);
        let allocated =
            |id| status_field(id, "VmHWM:").saturating_sub(status_field(id, "RssFile:"));
        family.map(allocated).sum()
    }

    #[track_caller]
    pub(crate) fn threads(&self) -> u64 {
        status_field(self.id(), "Threads:")
    }

    #[track_caller]
    pub(crate) fn descriptors(&self) -> usize {
        let path = format!("/proc/{}/fd", self.id());
        fs::read_dir(path).expect("the process runs").count()
    }

    /// Processor time of the process and its children, including children that have ended. Unlike elapsed time, it
    /// hardly depends on the load of the machine.
    pub(crate) fn processor_time(&self) -> Duration {
        let ticks = |id: u32, ended: bool| {
            let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            // The fields 14 to 17 of `/proc/PID/stat` (proc(5)) in hundredths of a second. Their positions are counted
            // from the end of the process's name, which may contain spaces.
            let fields = stat.rsplit(')').next().unwrap_or_default();
            let times = fields
                .split_whitespace()
                .skip(11)
                .take(if ended { 4 } else { 2 });
            times
                .filter_map(|time| time.parse::<u64>().ok())
                .sum::<u64>()
        };
        let children = self.children().into_iter().map(|id| ticks(id, false));
        Duration::from_millis(10 * (ticks(self.id(), true) + children.sum::<u64>()))
    }

    /// Processor time of the process without its children, in nanoseconds. It is precise enough to measure cheap work.
    pub(crate) fn own_processor_time(&self) -> Duration {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.id()));
        let times = tasks.into_iter().flatten().flatten().filter_map(|task| {
            // This is the first number of `/proc/PID/schedstat` (Documentation/scheduler/sched-stats.rst).
            let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
            text.split_whitespace().next()?.parse::<u64>().ok()
        });
        Duration::from_nanos(times.sum())
    }

    /// Process ids of the children of this process.
    pub(crate) fn children(&self) -> Vec<u32> {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.id()));
        tasks
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|task| fs::read_to_string(task.path().join("children")).ok())
            .flat_map(|ids| {
                ids.split_whitespace()
                    .filter_map(|id| id.parse().ok())
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    /// Pauses all conversions by stopping the children that run them. Waits until each child has stopped.
    #[track_caller]
    pub(crate) fn freeze_children(&mut self) {
        let children = super::wait_for("the converters run", || {
            Some(self.children()).filter(|children| !children.is_empty())
        });
        for child in children {
            // A child that is stopped during its start would take no conversion from the queue.
            wait_for_state(child, 'S');
            send(child, Signal::STOP);
            wait_for_state(child, 'T');
        }
    }

    /// Lets the stopped children continue.
    #[track_caller]
    pub(crate) fn thaw_children(&mut self) {
        for child in self.children() {
            // A child that is being replaced may already have ended.
            let _ = kill_process(process_id(child), Signal::CONT);
        }
    }

    /// Kills all children, as the kernel does when memory runs out.
    #[track_caller]
    pub(crate) fn kill_children(&mut self) {
        for child in self.children() {
            send(child, Signal::KILL);
        }
    }
}

/// Resident memory of a process, in KiB.
#[track_caller]
pub(crate) fn resident_kib(id: u32) -> u64 {
    status_field(id, "VmRSS:")
}

#[track_caller]
fn status_field(process: u32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status"));
    let status = status.expect("the process runs");
    let value = status.lines().find_map(|line| line.strip_prefix(name));
    let number = value.and_then(|value| value.split_whitespace().next()?.parse().ok());
    number.unwrap_or_else(|| panic!("no {name} in {status}"))
}

#[track_caller]
fn send(process: u32, signal: Signal) {
    kill_process(process_id(process), signal).expect("the signal is sent");
}

#[track_caller]
fn process_id(process: u32) -> Pid {
    let id = i32::try_from(process).ok().and_then(Pid::from_raw);
    id.expect("a process id")
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.exited().is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Waits until a process sleeps (`S`) or is stopped (`T`).
#[track_caller]
fn wait_for_state(process: u32, state: char) {
    super::wait_for("a converter changes its state", || {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        let (_, behind_name) = stat.rsplit_once(')')?;
        behind_name.trim().starts_with(state).then_some(())
    });
}
