//! Cost of a child process for a small conversion: the same icon through a child and through a thread. It is not an
//! attack.

use crate::support::{
    Scratch,
    common::{Result, Service, expect},
    median,
};

/// Conversions with each isolation.
const ROUNDS: usize = 400;

/// An icon of about ten kilobytes, which the service makes from noise.
fn icon(service: &Service) -> Result<Vec<u8>> {
    let mut state = 1_u32;
    let noise = (0..60 * 60 * 3).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    });
    let ppm: Vec<u8> = b"P6 60 60 255\n".iter().copied().chain(noise).collect();
    let answer = service.convert("icon.ppm", &ppm, &[("target_format", "png")], &[])?;
    Ok(service.get_path(&answer.field("download_url")?)?.body)
}

/// Time of one conversion in milliseconds, as the service measures it: to the child and back, without the network and
/// the disk.
fn convert(service: &Service, icon: &[u8]) -> Result<f64> {
    let answer = service.convert("icon.png", icon, &[("target_format", "jpg")], &[])?;
    expect(answer.status == 200, answer.text())?;
    Ok(answer.field("conversion_time")?.parse::<f64>()? * 1e3)
}

/// The medians with a child and with a thread, measured in turns, and their difference.
pub(crate) fn overhead() -> Result<Vec<(String, String)>> {
    // Each service has a directory of its own. If `--data-dir` is given twice, the later one counts.
    let scratch = Scratch::new()?;
    let start = |isolation| {
        let dir = scratch.path(isolation);
        let dir = dir.to_str().ok_or("an odd name of a directory")?;
        let options = ["--log", "warn", "--link-ttl", "5", "--isolation", isolation];
        Service::start(&[&options[..], &["--data-dir", dir]].concat())
    };
    let (process, thread) = (start("process")?, start("thread")?);
    let icon = icon(&process)?;
    let (mut children, mut threads) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        children.push(convert(&process, &icon)?);
        threads.push(convert(&thread, &icon)?);
    }
    let (child, thread) = (median(children), median(threads));
    Ok(vec![(
        format!(
            "the conversion of an icon of {} KB, png to jpg: in a child, in a thread",
            icon.len().div_ceil(1000)
        ),
        format!(
            "{child:.2} ms, {thread:.2} ms: {:.2} ms for the isolation",
            child - thread
        ),
    )])
}
