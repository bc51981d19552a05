//! The text exposition format of Prometheus, version 0.0.4. Does not check that names are unique.
//!
//! ```text
//! # HELP convertd_queue_depth Conversions that are waiting for a free converter.
//! # TYPE convertd_queue_depth gauge
//! convertd_queue_depth 3
//! ```

use super::{BOUNDS, Histogram};
use std::fmt::{Display, Write};

/// Type of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricType {
    /// A value that only grows, except at a restart.
    Counter,
    /// A value that goes up and down.
    Gauge,
    /// Durations in buckets.
    Histogram,
}

/// Names and values of the labels of a sample. Each label has few values, which are known beforehand, because every
/// combination is a time series of its own.
type Labels<'a> = &'a [(&'static str, &'a str)];

/// A page of metrics under construction.
#[derive(Debug, Default)]
pub struct Text {
    text: String,
    name: &'static str,
}

impl Text {
    /// The media type of the page.
    pub const MEDIA_TYPE: &'static str = "text/plain; version=0.0.4; charset=utf-8";

    /// Begins a metric, to which the following samples belong. `help` is a sentence in one line.
    pub fn metric(&mut self, name: &'static str, kind: MetricType, help: &str) -> &mut Self {
        let kind = match kind {
            MetricType::Counter => "counter",
            MetricType::Gauge => "gauge",
            MetricType::Histogram => "histogram",
        };
        self.name = name;
        self.line(format_args!("# HELP {name} {help}"));
        self.line(format_args!("# TYPE {name} {kind}"));
        self
    }

    /// Appends a value of the current metric.
    pub fn sample(&mut self, labels: Labels<'_>, value: impl Display) -> &mut Self {
        self.write("", labels, None, value);
        self
    }

    /// Writes the samples of a histogram, in seconds.
    pub fn histogram(&mut self, labels: Labels<'_>, histogram: &Histogram) -> &mut Self {
        // Buckets are cumulative in this format: each counts everything up to its bound.
        let ends = BOUNDS.iter().map(|(bound, _)| *bound).chain(["+Inf"]);
        let mut count = 0;
        for (bound, bucket) in ends.zip(&histogram.counts) {
            count += bucket.get();
            self.write("_bucket", labels, Some(("le", bound)), count);
        }
        let seconds = histogram.sum.get() as f64 / 1e6;
        self.write("_sum", labels, None, seconds);
        // The count is not read again, so that it equals the last bucket.
        self.write("_count", labels, None, count);
        self
    }

    /// Returns the finished page.
    pub fn finish(self) -> String {
        self.text
    }

    /// Appends a sample: name, labels and value. The name is that of the current metric and `suffix`; `bound` is the
    /// additional label of a histogram's bucket.
    fn write(
        &mut self,
        suffix: &str,
        labels: Labels<'_>,
        bound: Option<(&'static str, &str)>,
        value: impl Display,
    ) {
        self.text.push_str(self.name);
        self.text.push_str(suffix);
        let mut before = '{';
        for (label, text) in labels.iter().copied().chain(bound) {
            // No label value of this program needs escaping.
            debug_assert!(!text.contains(['"', '\\', '\n']), "{text:?}");
            self.text.push(before);
            self.text.extend([label, "=\"", text, "\""]);
            before = ',';
        }
        self.text.push_str(if before == ',' { "} " } else { " " });
        self.line(format_args!("{value}"));
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn samples_follow_the_head_of_their_metric() {
        let mut text = Text::default();
        text.metric("a_total", MetricType::Counter, "What it is.")
            .sample(&[("x", "1"), ("y", "2")], 3);
        text.metric("b", MetricType::Gauge, "Another.")
            .sample(&[], 0.5);
        assert_eq!(
            text.finish(),
            "# HELP a_total What it is.\n# TYPE a_total counter\na_total{x=\"1\",y=\"2\"} 3\n\
             # HELP b Another.\n# TYPE b gauge\nb 0.5\n"
        );
    }

    #[test]
    fn a_bucket_counts_all_values_below_its_bound() {
        let histogram = Histogram::default();
        for micros in [0, 1_000, 1_001, 5_000, 299_000_000, 301_000_000] {
            histogram.observe(Duration::from_micros(micros));
        }
        let mut text = Text::default();
        text.metric("t_seconds", MetricType::Histogram, "Time.")
            .histogram(&[("k", "v")], &histogram);
        let text = text.finish();
        for line in [
            "t_seconds_bucket{k=\"v\",le=\"0.001\"} 2",
            "t_seconds_bucket{k=\"v\",le=\"0.005\"} 4",
            "t_seconds_bucket{k=\"v\",le=\"60\"} 4",
            "t_seconds_bucket{k=\"v\",le=\"300\"} 5",
            "t_seconds_bucket{k=\"v\",le=\"+Inf\"} 6",
            "t_seconds_sum{k=\"v\"} 600.007001",
            "t_seconds_count{k=\"v\"} 6",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in {text}");
        }
    }
}
