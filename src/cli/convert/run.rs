//! A file on its way: opened, converted, and put into its place. Prints nothing.

use super::{
    Request,
    place::{STANDARD, Target, source},
};
use crate::{
    cli::work::{Shop, Work},
    engine::Settings,
    error::{Error, Kind, Result},
    format::{self, Format},
    registry,
};
use std::{io::BufReader, path::Path, time::Duration};

/// Starts as many converters as there is work for, at the most one a core. `at_once` is the number of conversions. Who waits at a
/// terminal can end what takes too long, so there is no limit on time.
pub(super) fn shop(request: &Request, at_once: usize) -> Result<Shop> {
    let config = &request.config;
    let converters = config.converters.min(at_once).max(1);
    Shop::open(Settings {
        converters,
        stopped: 0,
        threads: config.converters,
        queue: converters,
        memory: config.memory,
        max_output: config.max_output,
        // What is written here is the caller's own.
        reserve: 0,
        base_time: Duration::from_secs(24 * 3600),
        time_per_mib: Duration::ZERO,
        isolation: config.isolation.clone(),
        fonts: config.fonts.clone(),
        languages: config.languages.clone(),
    })
}

/// A file that is ready to be converted, and the place of its result.
pub(super) struct Piece {
    work: Work,
    target: Target,
    /// Name of the result's place.
    place: String,
}

impl Piece {
    /// Opens a file, finds out what it is, and makes a place for its result.
    ///
    /// Errors: the file cannot be read, or not be converted, or the result not be written.
    pub(super) fn new(from: &Path, to: &Path, target: &str, request: &Request) -> Result<Self> {
        let unreadable = |err| {
            let text = format!("{} cannot be read", from.display());
            Error::new(Kind::Internal, text).caused_by(err)
        };
        let input = source(from).map_err(unreadable)?;
        let input_len = input.metadata().map_err(unreadable)?.len();
        if input_len == 0 {
            let text = format!("{} is empty", from.display());
            return Err(Error::new(Kind::BadInput, text));
        }
        let name = from.file_name().filter(|_| from != Path::new(STANDARD));
        let work = Work::new(input, input_len, name, target, &request.wanted)?;
        let place = to.display().to_string();
        let target = Target::open(to).map_err(|err| unwritable(&place, err))?;
        Ok(Self {
            work,
            target,
            place,
        })
    }

    /// Hands it over. See [`Shop::submit`].
    pub(super) fn submit(&self, shop: &Shop, number: usize) -> Result<()> {
        let output = self.target.file();
        let output = output.map_err(|err| unwritable(&self.place, err))?;
        shop.submit(number, &self.work, output)
    }

    /// The length of the file in bytes.
    pub(super) fn input_len(&self) -> u64 {
        self.work.input_len()
    }

    /// Puts the result where it belongs, and says how many bytes it has.
    pub(super) fn finish(self) -> Result<u64> {
        let Self { target, place, .. } = self;
        let about = |err| unwritable(&place, err);
        let file = target.file().map_err(about)?;
        let len = file.metadata().map_err(about)?.len();
        target.finish().map_err(about)?;
        Ok(len)
    }
}

/// The format of a file, if that can be told without reading all of it.
pub(super) fn identify(path: &Path) -> Option<&'static Format> {
    // Errors in it are reported when it is converted.
    let file = (path != Path::new(STANDARD)).then(|| source(path).ok())??;
    let extension = format::extension(&path.to_string_lossy());
    registry::identify(&mut BufReader::new(file), extension.as_deref()).ok()
}

fn unwritable(place: &str, err: std::io::Error) -> Error {
    Error::new(Kind::Internal, format!("{place} cannot be written")).caused_by(err)
}
