//! Metrics of the process itself, under the names that Prometheus' own clients use. Its children are not included.

use super::{MetricType, Text};
use std::{
    fs,
    time::{SystemTime, UNIX_EPOCH},
};

/// Ticks per second in `/proc/self/stat` (proc(5), `sysconf(_SC_CLK_TCK)`): Linux reports 100 on every platform of this
/// program, whatever the rate of its own clock.
const TICKS: f64 = 100.0;

/// Writes the metrics. Leaves out those that the system does not provide.
pub fn write(text: &mut Text, started: SystemTime) {
    if let Some(seconds) = cpu_seconds(&read("/proc/self/stat")) {
        text.metric(
            "process_cpu_seconds_total",
            MetricType::Counter,
            "Processor time of the service, without its children.",
        )
        .sample(&[], seconds);
    }
    let status = read("/proc/self/status");
    for (name, field, help) in [
        (
            "process_resident_memory_bytes",
            "VmRSS:",
            "Memory of the service that is in use, without its children.",
        ),
        (
            "process_virtual_memory_bytes",
            "VmSize:",
            "Virtual memory (address space) of the service.",
        ),
    ] {
        if let Some(bytes) = kibibytes(&status, field) {
            text.metric(name, MetricType::Gauge, help)
                .sample(&[], bytes);
        }
    }
    if let Ok(files) = fs::read_dir("/proc/self/fd") {
        text.metric(
            "process_open_fds",
            MetricType::Gauge,
            "Number of open files and sockets.",
        )
        .sample(&[], files.count());
    }
    if let Some(most) = most_files(&read("/proc/self/limits")) {
        text.metric(
            "process_max_fds",
            MetricType::Gauge,
            "Limit on open files and sockets.",
        )
        .sample(&[], most);
    }
    let since = started.duration_since(UNIX_EPOCH).unwrap_or_default();
    text.metric(
        "process_start_time_seconds",
        MetricType::Gauge,
        "Start of the service, in seconds since 1970.",
    )
    .sample(&[], since.as_secs());
}

/// The content of a file, empty if it cannot be read.
fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// User and system time in seconds: fields 14 and 15 (proc(5)). Field 3 is the first one after the last closing
/// parenthesis. Field 2, the name of the program in parentheses, may itself contain spaces and parentheses.
fn cpu_seconds(stat: &str) -> Option<f64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS)
}

/// Returns the value of a field of `/proc/self/status`, converted from KiB to bytes.
fn kibibytes(status: &str, field: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let number = line.trim().strip_suffix("kB")?.trim();
    Some(number.parse::<u64>().ok()? << 10)
}

/// Returns the soft limit on open files, from the first column of `/proc/self/limits`. `None` if it is `unlimited`.
fn most_files(limits: &str) -> Option<u64> {
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_proc_are_parsed() {
        let stat = "7 (a) b)) S 1 7 7 0 -1 4 10 0 0 0 150 50 9 9 20 0 5 0 100 1 2";
        assert_eq!(cpu_seconds(stat), Some(2.0));
        assert_eq!(cpu_seconds(""), None);
        let status = "Name:\tx\nVmSize:\t    2048 kB\nVmRSS:\t   12 kB\n";
        assert_eq!(kibibytes(status, "VmRSS:"), Some(12 << 10));
        assert_eq!(kibibytes(status, "VmSwap:"), None);
        let limits = "Max open files            1024                 4096                 files\n";
        assert_eq!(most_files(limits), Some(1024));
        assert_eq!(most_files("Max open files unlimited"), None);
    }
}
