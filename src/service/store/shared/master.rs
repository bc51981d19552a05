//! Finds the master among several hosts: the only one whose ROLE is "master". Two masters are an error, because this
//! module never chooses between them.
//!
//! After a failover by hand the old master may come back and still act as master. An instance that used both would see
//! a used link work again, and lose everything that only one of them knows. So all hosts are asked once a second, and
//! connections are bound to the run id of the master that was found: the next connection then notices a restarted host,
//! or another host at the same address.

use super::{
    connection::{CONNECT_PATIENCE, Connection, Fault, Master, dial, log_in, require, run_id},
    target::{Host, Target},
    wire::Reply,
};
/// Reason for which no master can be used.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The hosts have no master, or do not answer. The text gives the reason for each host.
    None(String),
    /// Several hosts are masters. The text names two of them.
    Two(String),
}

impl Trouble {
    pub(super) fn into_text(self) -> String {
        match self {
            Self::None(text) | Self::Two(text) => text,
        }
    }
}

/// Finds the master: asks each host for its role, or the Sentinels for the master's address. The hosts share
/// [`CONNECT_PATIENCE`].
pub(super) fn find(target: &Target) -> Result<Master, Trouble> {
    let hosts = match &target.master {
        Some(name) => vec![ask_sentinels(&target.hosts, name).map_err(Trouble::None)?],
        None => target.hosts.clone(),
    };
    let share = CONNECT_PATIENCE / hosts.len().max(1) as u32;
    let mut reasons = Vec::new();
    let mut masters: Vec<Master> = Vec::new();
    for host in hosts {
        let asked = dial(&host, share).and_then(|connection| ask(target, connection));
        match asked {
            // Two names of the same master count once.
            Ok(Some(run_id)) if masters.iter().any(|known| known.run_id == run_id) => {}
            Ok(Some(run_id)) => masters.push(Master { host, run_id }),
            Ok(None) => reasons.push(format!("{host}: it is not a master")),
            Err(why) => reasons.push(format!("{host}: {why}")),
        }
    }
    match &masters[..] {
        [] => Err(Trouble::None(reasons.join("; "))),
        [master] => Ok(master.clone()),
        [one, other, ..] => Err(Trouble::Two(format!(
            "{} and {} are both masters, but only one is allowed: make one of them a replica of the other",
            one.host, other.host
        ))),
    }
}

fn ask(target: &Target, mut connection: Connection) -> Result<Option<String>, Fault> {
    log_in(target, &mut connection)?;
    run_id(&mut connection)
}

/// Asks the Sentinels for the address of the master.
fn ask_sentinels(hosts: &[Host], name: &str) -> Result<Host, String> {
    let share = CONNECT_PATIENCE / hosts.len().max(1) as u32;
    let mut reasons = Vec::new();
    for host in hosts {
        let words = [
            b"SENTINEL" as &[u8],
            b"get-master-addr-by-name",
            name.as_bytes(),
        ];
        let asked = dial(host, share).and_then(|mut sentinel| require(&mut sentinel, &words));
        match asked {
            Ok(Reply::List(address)) if address.len() == 2 => {
                let port = address[1].text().and_then(|port| port.parse().ok());
                if let (Some(name), Some(port)) = (address[0].text(), port) {
                    return Ok(Host { name, port });
                }
            }
            Ok(_) => reasons.push(format!("the sentinel {host} does not know {name}")),
            Err(why) => reasons.push(format!("the sentinel {host}: {why}")),
        }
    }
    Err(reasons.join("; "))
}
