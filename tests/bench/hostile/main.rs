//! Hostile clients against three servers: convertd, nginx with a static file and the same limits, and Node's `http`
//! with sharp. Prints the results side by side; contains no assertion.
//!
//! `make bench-hostile` runs it against the static binary. Servers that are not installed are skipped. `CONVERTD_CROWD`
//! is the number of connections, 10,000 by default.

mod attacks;
mod fairness;
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
    // The attack `thumbnail` comes last, because other servers are busy for long after it.
    for attack in attacks::ALL
        .into_iter()
        .chain([fairness::fairness as attacks::Attack, thumbnail::thumbnail])
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
