//! Starts a conversion without waiting for it, and requests its status until it is ready. Holds no connection open
//! meanwhile.
//!
//! ```sh
//! cargo run --example watch
//! ```

mod common;

use common::{Result, Service, expect};
use std::{
    thread,
    time::{Duration, Instant},
};

const PATIENCE: Duration = Duration::from_secs(60);

fn main() -> Result {
    let service = Service::get()?;
    // Large enough that the conversion takes some time.
    let picture = common::picture(3000, 2000);
    let answer = service.convert(
        "large.ppm",
        &picture,
        &[("target_format", "webp"), ("quality", "high")],
        &[("Prefer", "respond-async")],
    )?;
    expect(
        answer.status == 202,
        format!("not accepted: {}", answer.text()),
    )?;
    let status_path = answer
        .header("location")
        .ok_or("an accepted conversion without a Location")?
        .to_owned();
    println!("accepted; its status is at {status_path}");

    let started = Instant::now();
    let (mut last, mut pause) = (String::new(), Duration::from_millis(20));
    let link = loop {
        let status = service.get_path(&status_path)?;
        // The status of a failed conversion is its error.
        if status.status != 200 {
            return Err(format!("the conversion failed: {}", status.field("error")?).into());
        }
        let state = status.field("status")?;
        if state != last {
            println!("{:>5} ms  {state}", started.elapsed().as_millis());
            last.clone_from(&state);
        }
        match state.as_str() {
            "ready" => break status.field("download_url")?,
            "processing" => {}
            _ => return Err(format!("the status is {state:?}").into()),
        }
        expect(started.elapsed() < PATIENCE, "it takes too long")?;
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_secs(1));
    };

    let download = service.get_path(&link)?;
    expect(
        download.status == 200 && download.body.get(8..12) == Some(b"WEBP"),
        "the result is no WebP file",
    )?;
    println!("downloaded {} bytes", download.body.len());
    let state = service.get_path(&status_path)?.field("status")?;
    println!("and now it is {state}");
    expect(
        state == "expired",
        "a file that was downloaded should be gone",
    )
}
