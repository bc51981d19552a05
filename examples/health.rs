//! Asks a service for its health once, as a load balancer or a monitor would do regularly.
//!
//! ```sh
//! cargo run --example health
//! CONVERTD_URL=http://127.0.0.1:8080 cargo run --example health
//! ```

mod common;

use common::{Result, Service, expect};

fn main() -> Result {
    let service = Service::get()?;
    let answer = service.get_path("/api/v1/health")?;
    println!("{}", answer.text());

    expect(answer.status == 200, "the service does not serve")?;
    let (status, version) = (answer.field("status")?, answer.field("version")?);
    expect(
        ["operational", "degraded"].contains(&status.as_str()),
        format!("{status:?} is no word for health"),
    )?;
    println!("version {version} is {status}");
    Ok(())
}
