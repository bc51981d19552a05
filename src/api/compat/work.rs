//! Conversions whose results go straight into the answer: each file is gone when nothing uses it any more, and no record is ever
//! written. Knows nothing of what the services call things.

use super::{archive, item::Item};
use crate::{
    api::{
        client, convert,
        form::{malformed, parts::Parts},
        order::Files,
        parts::Api,
    },
    engine::Finished,
    error::{Error, Kind, Result},
    format,
    http::{Body, Framing, Head},
    registry::{self, Question, TargetRequest, Terms},
    store::{Memory, Spool},
};
use serde_json::{Map, Value};
use std::{
    io::{BufReader, Read, Write},
    net::IpAddr,
};

/// The most that a file says about itself, in bytes of JSON.
const MOST_ABOUT: u64 = 4 << 20;

fn unstored(err: std::io::Error) -> Error {
    Error::storage("the upload could not be stored", err)
}

/// What a conversion is asked for.
pub(super) struct Order<'a> {
    pub(super) target: &'a str,
    pub(super) quality: Option<&'a str>,
    /// Options by their names. Those that a conversion does not take are left out.
    pub(super) options: &'a [(&'static str, String)],
}

/// What a conversion made.
pub(super) struct Made {
    /// Under the name of what it was made of.
    pub(super) item: Item,
    /// Whether it is a ZIP archive of such files.
    pub(super) is_archive: bool,
    /// The format of what it was made of.
    pub(super) from: String,
    pub(super) notes: Vec<String>,
}

/// One request that has been received, and what its conversions share.
pub(super) struct Work<'r, 'c> {
    pub(super) api: &'r Api,
    pub(super) client: Option<IpAddr>,
    pub(super) body: &'r Body<'c>,
}

impl Work<'_, '_> {
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
        let spool = self.spool()?;
        let files = Files::from(item.file()?, &spool)?;
        let Finished { notes, .. } =
            convert::run(self.api, files, self.client, &task, route, self.body)?;
        let item = Item::made(item.name.clone(), spool)?;
        Ok(Made {
            item,
            is_archive: notes.is_archive(),
            from: route.pair.from.name.to_owned(),
            notes: notes.0,
        })
    }

    /// What a file says about itself, as a JSON object. Empty for formats that nobody asks.
    pub(super) fn about(&self, item: &Item) -> Result<Map<String, Value>> {
        let Some(about) = self.ask(item, Question::About)? else {
            return Ok(Map::new());
        };
        let text = about.bytes(MOST_ABOUT)?;
        serde_json::from_slice(&text).map_err(|err| Error::internal("metadata is no JSON", err))
    }

    /// The files within a file.
    pub(super) fn embedded(&self, item: &Item) -> Result<Vec<Item>> {
        match self.ask(item, Question::Embedded)? {
            Some(files) => archive::unpack(&files),
            None => Ok(Vec::new()),
        }
    }

    /// What the engine answers to a question about a file. `None` for formats that nobody asks.
    fn ask(&self, item: &Item, question: Question) -> Result<Option<Item>> {
        let item = &self.whole(item)?;
        let mut upload = BufReader::with_capacity(format::HEAD_LEN, item.file()?);
        let extension = format::extension(&item.name);
        let asked = registry::ask(question, &mut upload, extension.as_deref())?;
        let Some((task, route)) = asked else {
            return Ok(None);
        };
        let spool = self.spool()?;
        let files = Files::from(item.file()?, &spool)?;
        convert::run(self.api, files, self.client, &task, route, self.body)?;
        Item::made(String::new(), spool).map(Some)
    }

    /// A new file of what `write` writes.
    pub(super) fn write(
        &self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> Result<()>,
    ) -> Result<Item> {
        let mut spool = self.api.store.spool(self.client, None)?;
        write(&mut spool)?;
        Item::uploaded(name.to_owned(), spool)
    }

    /// An archive of files under these names.
    pub(super) fn pack(&self, files: &[(String, &Item)]) -> Result<Item> {
        self.write("result.zip", |file| archive::pack(file, files))
    }

    /// The file itself, if it is not a part of another one.
    fn whole(&self, item: &Item) -> Result<Item> {
        if item.is_whole()? {
            return Ok(item.clone());
        }
        self.write(&item.name, |file| {
            item.each_piece(|piece| file.write_all(piece).map_err(unstored))
        })
    }

    /// A place for a result. Nothing is uploaded to it.
    fn spool(&self) -> Result<Spool> {
        self.api.store.spool(self.client, Some(Memory::new(0, ())))
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

/// An empty file for what the client sends.
///
/// Errors: [`Kind::Busy`] if there is no room.
pub(super) fn upload(api: &Api, head: &Head, client: Option<IpAddr>) -> Result<Spool> {
    convert::make_room(api, head, client)?;
    api.store.spool(client, convert::memory(api, head))
}

/// The client whose turn a request takes.
pub(super) fn client_of(api: &Api, head: &Head, peer: IpAddr) -> Option<IpAddr> {
    client::of(head, peer, &api.trusted_proxies)
}

/// Writes the content of a part of a form to a file, and returns its length: no more than `most` bytes.
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
