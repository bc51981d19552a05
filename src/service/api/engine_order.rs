//! Turns an upload into an order for the engine, and the result of the engine into an outcome for the store. Runs no
//! conversion.

use crate::{
    engine::{Cancel, Finished, Order, Watcher},
    error::{Error, Result},
    job::Task,
    registry::Route,
    store::{Outcome, Request, Spool},
};
use std::{fs::File, net::IpAddr};

/// The open files of a conversion.
pub(super) struct Files {
    /// The upload, opened for reading.
    input: File,
    input_len: u64,
    output: File,
}

impl Files {
    /// Opens the upload of a spool, and creates its result.
    pub(super) fn of(spool: &Spool) -> Result<Self> {
        Self::between(spool.open_upload()?, spool.create_output()?)
    }

    /// Returns the files of a conversion that reads `input` and writes to the empty `output`.
    pub(super) fn between(input: File, output: File) -> Result<Self> {
        let input_len = input
            .metadata()
            .map_err(|err| Error::storage("the upload cannot be read", err))?
            .len();
        Ok(Self {
            input,
            input_len,
            output,
        })
    }

    /// Makes an order for the engine, which takes over the files.
    pub(super) fn order(
        self,
        task: Task,
        route: &'static Route,
        client: Option<IpAddr>,
        cancel: Cancel,
        watcher: Box<dyn Watcher>,
    ) -> Order {
        Order {
            task,
            route,
            input: self.input,
            input_len: self.input_len,
            output: self.output,
            client,
            cancel,
            watcher,
        }
    }
}

pub(super) fn outcome(request: &Request, finished: &Finished) -> Outcome {
    Outcome {
        conversion_time: finished.duration.as_secs_f64(),
        notes: [&request.remarks[..], &finished.notes.0[..]].concat(),
        archive: finished.notes.is_archive(),
    }
}
