//! Lists all conversions. Contains no list of formats, because the formats differ from build to build.
//!
//! ```sh
//! cargo run --example formats
//! ```

mod common;

use common::{Result, Service, expect, field};

fn main() -> Result {
    let service = Service::get()?;
    let answer = service.get_path("/api/v1/formats")?;
    expect(answer.status == 200, "there is no list of formats")?;

    let entry_start = "{\"format\":";
    let mut count = 0;
    for entry in answer.text().split(entry_start).skip(1) {
        let entry = format!("{entry_start}{entry}");
        let text = |name| field(&entry, name).ok_or(format!("no {name} in {entry}"));
        println!(
            "{:<6} {:<9} {:<34} from it: {:>2}  to it: {:>2}",
            text("format")?,
            text("category")?,
            text("description")?,
            names(&entry, "can_convert_to")?,
            names(&entry, "can_convert_from")?,
        );
        count += 1;
    }
    println!("{count} formats");
    expect(count > 0, "the list is empty")
}

/// The number of names in a list.
fn names(entry: &str, list: &str) -> Result<usize> {
    let (_, rest) = entry
        .split_once(&format!("\"{list}\":["))
        .ok_or(format!("no {list} in {entry}"))?;
    let (names, _) = rest.split_once(']').ok_or("a list without an end")?;
    Ok(names.matches('"').count() / 2)
}
