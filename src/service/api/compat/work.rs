//! Conversions whose results are part of the answer: each file is deleted after its last use, and no record is written.
//! Does not use the formats of the other services.
//!
//! A request takes one place in the queue and one in the store, however many conversions it needs. The limits below
//! apply to all its conversions together. Results of many conversions share one file, because a process has a limited
//! number of file descriptors.

use super::{archive, item::Item};
use crate::{
    api::{
        client, convert,
        engine_order::Files,
        form::{malformed, parts::Parts},
        state::Api,
    },
    engine::Finished,
    error::{Error, Kind, Result},
    format,
    http::{Body, Framing, Head},
    job::{Notes, Task},
    registry::{self, Question, Route, TargetRequest, Terms},
    store::Spool,
};
use serde_json::{Map, Value};
use std::{
    cell::{Cell, RefCell},
    fs::File,
    io::{BufReader, BufWriter, Read, Write},
    net::IpAddr,
    os::unix::fs::FileExt,
};

/// Limit on the metadata of a file, in bytes of JSON.
const MAX_ABOUT: u64 = 4 << 20;
/// Limit on the conversions of one request.
const MAX_STEPS: u64 = 2_500;
/// Limit on the pages that all conversions of a request read, as far as they are known in advance.
const MAX_PAGES: u64 = 200_000;
/// Limit on the bytes that the conversions of a request read and write, as a multiple of the largest allowed upload.
const MAX_TIMES: u64 = 16;
/// Number of results that get files of their own. Further results share a file.
const MAX_LOOSE: usize = 16;
/// Size of the write buffer, in bytes.
const CHUNK_SIZE: usize = 64 << 10;

fn unstored(err: std::io::Error) -> Error {
    Error::storage("the upload could not be stored", err)
}

/// A requested conversion.
pub(super) struct Order<'a> {
    pub(super) target: &'a str,
    pub(super) quality: Option<&'a str>,
    /// Options by name. Options that the conversion does not have are ignored.
    pub(super) options: &'a [(&'static str, String)],
}

/// Result of a conversion.
pub(super) struct Made {
    /// The result, under the name of its source.
    pub(super) item: Item,
    /// Whether the result is a ZIP archive of files in the target format.
    pub(super) is_archive: bool,
    /// The format of the source.
    pub(super) from: String,
    pub(super) notes: Notes,
}

/// A received request, and the state that its conversions share.
pub(super) struct Work<'r, 'c> {
    api: &'r Api,
    client: Option<IpAddr>,
    body: &'r Body<'c>,
    /// Number of conversions that were started.
    steps: Cell<u64>,
    /// Number of bytes that these conversions have read and written.
    bytes: Cell<u64>,
    pile: RefCell<SharedFile>,
}

/// Results of many conversions in one file.
#[derive(Default)]
struct SharedFile {
    /// Number of results that have files of their own.
    loose: usize,
    /// The shared file, and its length in bytes. `None` as long as each result has a file of its own.
    file: Option<(Item, u64)>,
}

/// Work that a request will cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Load {
    /// Number of conversions.
    pub(super) steps: u64,
    /// Number of pages that the conversions read.
    pub(super) pages: u64,
    /// Number of bytes that the conversions read.
    pub(super) bytes: u64,
}

impl<'r, 'c> Work<'r, 'c> {
    pub(super) fn new(api: &'r Api, client: Option<IpAddr>, body: &'r Body<'c>) -> Self {
        Self {
            api,
            client,
            body,
            steps: Cell::new(0),
            bytes: Cell::new(0),
            pile: RefCell::default(),
        }
    }

    /// Starts another round of conversions, whose results do not share a file with those of earlier rounds. The old
    /// shared file is deleted with its last result.
    pub(super) fn begin_round(&self) {
        self.pile.take();
    }

    /// Refuses a request that would exceed a limit, as far as its load is known before the work starts.
    ///
    /// Errors: [`Kind::BadInput`] naming the limit.
    pub(super) fn refuse_beyond(&self, load: Load) -> Result<()> {
        let bytes = load.bytes.saturating_add(self.bytes.get());
        let most = self.api.max_upload.saturating_mul(MAX_TIMES);
        let checks = [
            (load.steps + self.steps.get(), MAX_STEPS, "conversions"),
            (load.pages, MAX_PAGES, "pages to read"),
            (bytes, most, "bytes to read"),
        ];
        match checks.into_iter().find(|(takes, most, _)| takes > most) {
            Some((takes, most, what)) => Err(Error::new(
                Kind::BadInput,
                format!(
                    "the request needs {takes} {what}; the limit for one request is {most}: send it in parts"
                ),
            )),
            None => Ok(()),
        }
    }

    /// Counts a conversion that is about to start. Checks the limits of the request, and the free space of the store.
    fn begin_step(&self, reads: u64) -> Result<()> {
        self.refuse_beyond(Load {
            steps: 1,
            pages: 0,
            bytes: reads,
        })?;
        self.steps.set(self.steps.get() + 1);
        self.bytes.set(self.bytes.get() + reads);
        self.api.store.room_for(reads)
    }

    /// Runs a conversion of a whole file. The first conversion of a request takes a place in the queue; later
    /// conversions need no place.
    fn run(&self, item: &Item, task: &Task, route: &'static Route) -> Result<(File, Finished)> {
        self.begin_step(item.len())?;
        let output = self.api.store.scratch_file()?;
        let files = Files::between(item.file()?, output.try_clone().map_err(unstored)?)?;
        let run = match self.steps.get() {
            1 => convert::run,
            _ => convert::go_on,
        };
        let finished = run(self.api, files, self.client, task, route, self.body)?;
        Ok((output, finished))
    }

    /// Keeps a result for later steps: as a file of its own, or beyond [`MAX_LOOSE`] as a range of the shared file.
    fn keep(&self, made: Item) -> Result<Item> {
        let mut pile = self.pile.borrow_mut();
        self.bytes.set(self.bytes.get() + made.len());
        if pile.loose < MAX_LOOSE {
            pile.loose += 1;
            return Ok(made);
        }
        let (all, end) = match &mut pile.file {
            Some(file) => file,
            empty @ None => {
                let file = self.api.store.scratch_file()?;
                empty.insert((Item::made(String::new(), file)?, 0))
            }
        };
        let (file, start) = (all.file()?, *end);
        made.each_piece(|piece| {
            file.write_all_at(piece, *end).map_err(Error::unwritten)?;
            *end += piece.len() as u64;
            Ok(())
        })?;
        Ok(all.part(made.name, start..*end))
    }

    /// Converts a file.
    ///
    /// Errors: those of the plan and of the conversion.
    pub(super) fn convert(&self, item: &Item, order: &Order<'_>) -> Result<Made> {
        let item = &self.whole(item)?;
        let file_name = Some(item.name.as_str()).filter(|name| !name.is_empty());
        let request = TargetRequest {
            target: order.target,
            quality: order.quality,
            file_name,
            field: &|name| {
                let mut given = order.options.iter().filter(|(known, _)| *known == name);
                Ok(given.next().map(|(_, value)| value.clone()))
            },
            terms: Terms::Form,
        };
        let mut upload = BufReader::with_capacity(format::HEAD_LEN, item.file()?);
        let (task, route) = request.plan(&mut upload)?;
        let (output, Finished { notes, .. }) = self.run(item, &task, route)?;
        let made = Item::made(item.name.clone(), output)?;
        Ok(Made {
            item: self.keep(made)?,
            is_archive: notes.is_archive(),
            from: route.pair.from.name.to_owned(),
            notes,
        })
    }

    /// Returns the text of a file as docling's JSON. `None` for formats without text.
    #[cfg(feature = "document")]
    pub(super) fn docling(&self, item: &Item, with_pictures: bool) -> Result<Option<Item>> {
        self.ask_with(item, Question::Docling, |task| {
            let name = item
                .name
                .rsplit_once('.')
                .map_or(&*item.name, |(stem, _)| stem);
            task.file_title = Some(name.into());
            if !with_pictures {
                task.options
                    .insert(crate::document::WITHOUT_PICTURES, "true");
            }
        })
    }

    /// Returns the metadata of a file, as a JSON object. It is empty for formats without metadata.
    pub(super) fn about(&self, item: &Item) -> Result<Map<String, Value>> {
        self.metadata(item, Question::About)
    }

    /// Returns the metadata of a PDF with its bookmarks, as a JSON object.
    pub(super) fn about_with_bookmarks(&self, item: &Item) -> Result<Map<String, Value>> {
        self.metadata(item, Question::Bookmarks)
    }

    fn metadata(&self, item: &Item, question: Question) -> Result<Map<String, Value>> {
        let Some(about) = self.ask(item, question)? else {
            return Ok(Map::new());
        };
        let text = about.bytes(MAX_ABOUT)?;
        serde_json::from_slice(&text)
            .map_err(|err| Error::internal("the metadata is not valid JSON", err))
    }

    /// Returns the files within a file.
    pub(super) fn embedded(&self, item: &Item) -> Result<Vec<Item>> {
        match self.ask(item, Question::Embedded)? {
            Some(files) => archive::unpack(&files),
            None => Ok(Vec::new()),
        }
    }

    /// Returns the engine's answer to a question about a file. `None` for formats to which the question does not apply.
    fn ask(&self, item: &Item, question: Question) -> Result<Option<Item>> {
        self.ask_with(item, question, |_| {})
    }

    /// Returns the engine's answer to a question, for a task that `set` changes before it is run.
    fn ask_with(
        &self,
        item: &Item,
        question: Question,
        set: impl FnOnce(&mut Task),
    ) -> Result<Option<Item>> {
        let item = &self.whole(item)?;
        let mut upload = BufReader::with_capacity(format::HEAD_LEN, item.file()?);
        let extension = format::extension(&item.name);
        let asked = registry::ask(question, &mut upload, extension.as_deref())?;
        let Some((mut task, route)) = asked else {
            return Ok(None);
        };
        set(&mut task);
        let (output, _) = self.run(item, &task, route)?;
        Item::made(String::new(), output).map(Some)
    }

    /// Makes a file, and fills it with the content that `write` writes.
    pub(super) fn write(
        &self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> Result<()>,
    ) -> Result<Item> {
        let mut file = BufWriter::with_capacity(CHUNK_SIZE, self.api.store.scratch_file()?);
        write(&mut file)?;
        let file = file
            .into_inner()
            .map_err(|err| unstored(err.into_error()))?;
        Item::made(name.to_owned(), file)
    }

    /// Makes an archive of files under these names.
    pub(super) fn pack(&self, files: &[(String, &Item)]) -> Result<Item> {
        self.write("result.zip", |file| archive::pack(file, files))
    }

    /// Returns the item itself, or a copy if it is a range of a larger file, because converters read whole files.
    fn whole(&self, item: &Item) -> Result<Item> {
        if item.is_whole()? {
            return Ok(item.clone());
        }
        self.write(&item.name, |file| {
            item.each_piece(|piece| file.write_all(piece).map_err(unstored))
        })
    }
}

/// Refuses an upload by its head alone.
pub(super) fn refuse_upload(api: &Api, head: &Head) -> Result<()> {
    if let Framing::Length(len) = head.framing
        && len > Api::max_body(api.max_upload)
    {
        let text = format!(
            "the request has {len} bytes; files may have at most {} bytes",
            api.max_upload
        );
        return Err(Error::new(Kind::TooLarge, text));
    }
    convert::refuse_busy(api)
}

/// Returns an empty spool for the upload.
///
/// Errors: [`Kind::Busy`] if the disk is full, or if the client's share of the store is used up.
pub(super) fn upload(api: &Api, head: &Head, client: Option<IpAddr>) -> Result<Spool> {
    convert::make_room(api, head, client)?;
    api.store.spool(client, convert::memory(api, head))
}

/// Returns the client of a request, for the limits on each client.
pub(super) fn client_of(api: &Api, head: &Head, peer: IpAddr) -> Option<IpAddr> {
    client::of(head, peer, &api.trusted_proxies)
}

/// Copies the content of a part of a form to a file. Returns its length, or `None` if it has more than `most` bytes.
pub(super) fn save<R: Read>(
    parts: &mut Parts<R>,
    file: &mut impl Write,
    most: u64,
) -> Result<Option<u64>> {
    let mut len = 0;
    loop {
        let piece = parts.content().map_err(malformed)?;
        if piece.is_empty() {
            return Ok(Some(len));
        }
        len += piece.len() as u64;
        if len > most {
            return Ok(None);
        }
        file.write_all(piece).map_err(unstored)?;
    }
}
