//! Hostile clients, three servers: this one, nginx with a static file and the same limits, and Node's `http` with sharp
//! behind it. Prints them side by side; asserts nothing.
//!
//! `make bench-hostile` runs it against the static binary. A peer that is not installed is skipped.
//! `CONVERTD_CROWD` says how many connections there are, 10,000 if it does not.

mod attacks;
mod isolation;
#[path = "../support/mod.rs"]
mod support;
mod targets;
mod thumbnail;

use support::{Table, common::Result};

fn main() -> Result {
    targets::make_room()?;
    let machine = support::machine();
    eprintln!("{machine}");
    let mut targets = vec![targets::convertd()?];
    targets.extend(targets::nginx()?);
    targets.extend(targets::node()?);
    let mut table = Table::new(["what", "convertd", "nginx", "Node and sharp"]);
    // The last one leaves a peer with much to do.
    for attack in attacks::ALL
        .into_iter()
        .chain([thumbnail::thumbnail as attacks::Attack])
    {
        let mut rows: Vec<[String; 4]> = Vec::new();
        for target in &targets {
            let column = match target.name {
                "convertd" => 1,
                "nginx" => 2,
                _ => 3,
            };
            for (index, (what, figure)) in attack(target)?.into_iter().enumerate() {
                if rows.len() <= index {
                    rows.push([what, "–".into(), "–".into(), "–".into()]);
                }
                rows[index][column] = figure;
            }
        }
        for row in rows {
            table.row(row);
        }
    }
    drop(targets);
    for (what, figure) in isolation::overhead()? {
        table.row([what, figure, "–".into(), "–".into()]);
    }
    println!("\n{machine}\n");
    table.print();
    Ok(())
}
