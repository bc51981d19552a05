//! Requests that the service refuses, and its reasons. None of them leaves anything behind.
//!
//! ```sh
//! cargo run --example errors
//! ```

mod common;

use common::{Answer, Result, Service, expect};

fn main() -> Result {
    let service = Service::get()?;
    let picture = common::picture(16, 16);
    let to = |format| [("target_format", format)];

    refused(
        "no target format",
        service.convert("a.ppm", &picture, &[], &[])?,
        400,
    )?;
    refused(
        "a target format that does not exist",
        service.convert("a.ppm", &picture, &to("pngg"), &[])?,
        400,
    )?;
    refused(
        "a quality that does not exist",
        service.convert(
            "a.ppm",
            &picture,
            &[("target_format", "png"), ("quality", "best")],
            &[],
        )?,
        400,
    )?;
    refused(
        "an empty file",
        service.convert("a.ppm", b"", &to("png"), &[])?,
        400,
    )?;
    refused(
        "a file of no known format",
        service.convert("a.png", b"this is no picture", &to("jpg"), &[])?,
        400,
    )?;
    refused(
        "half a picture",
        service.convert("a.ppm", &picture[..picture.len() / 2], &to("png"), &[])?,
        400,
    )?;
    refused(
        "no form",
        service.request("POST", "/api/v1/convert", &[], b"{}")?,
        400,
    )?;
    let too_long = (101_u64 << 30).to_string();
    refused(
        "a file that is too large, before it is sent",
        service.request(
            "POST",
            "/api/v1/convert",
            &[
                ("Content-Type", "multipart/form-data; boundary=x"),
                ("Content-Length", &too_long),
            ],
            b"",
        )?,
        413,
    )?;
    refused(
        "a link that never was",
        service.get_path("/api/v1/download/00000000-0000-4000-8000-000000000000")?,
        404,
    )?;
    refused(
        "another method",
        service.request("DELETE", "/api/v1/health", &[], b"")?,
        405,
    )?;

    let health = service.get_path("/api/v1/health")?;
    expect(health.status == 200, "the service has suffered")?;
    println!("and the service is {}", health.field("status")?);
    Ok(())
}

/// Checks that an answer is a refusal with this status, and prints it.
fn refused(what: &str, answer: Answer, status: u16) -> Result {
    println!("{what}\n  {} {}", answer.status, answer.field("error")?);
    expect(
        answer.status == status && answer.field("success")? == "false",
        format!("this should have been refused with {status}"),
    )
}
