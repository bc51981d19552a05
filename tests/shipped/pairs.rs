//! Every pair of formats over HTTP, with a small file.

use crate::{
    catalogue::{Format, formats, named, nothing_is, on_threads},
    files::Files,
    harness::{Answer, Client, Request, Server},
};

/// A conversion that is requested with the file as the body.
pub(crate) struct Wish<'w> {
    pub(crate) from: &'w str,
    pub(crate) to: &'w str,
    /// Further fields, encoded as in a query.
    pub(crate) fields: String,
}

impl Wish<'_> {
    /// Sends the request, and checks the status of the answer, and the type and length of the result.
    pub(crate) fn check(
        &self,
        client: &mut Client,
        formats: &[Format],
        files: &Files,
    ) -> Result<(), String> {
        let Self { from, to, fields } = self;
        let path = format!("/api/v1/convert?to={to}&name=a.{from}{fields}");
        let file = files.of(formats, from, to);
        let answer = client.send(Request::new("PUT", &path).body(file));
        match answer.status {
            200 => self.is_right(&answer, &named(formats, to).media_type),
            status => {
                let body = String::from_utf8_lossy(&answer.body).into_owned();
                Err(format!("{from} to {to}{fields}: {status}: {body}"))
            }
        }
    }

    fn is_right(&self, answer: &Answer, media_type: &str) -> Result<(), String> {
        let found = answer.field("content-type").unwrap_or_default();
        // A result of several files is an archive, and so is a result with attachments.
        let is_archive = found == "application/zip" && answer.body.starts_with(b"PK");
        let is_type = found == media_type || found.starts_with(&format!("{media_type};"));
        let Self { from, to, fields } = self;
        // If a page contains no table, the result is an empty table.
        let has_no_table = *from == "pdf" && matches!(*to, "csv" | "tsv" | "jsonl" | "toml");
        // These pictures, and parts of pictures, may contain no text. A rotated word may stay unrecognised.
        let is_part = fields.contains("crop=") || fields.contains("rotate=");
        let is_bare = is_part || matches!(*from, "ico" | "icns" | "cur" | "wmf" | "jp2");
        // The English model finds no letters in this picture. The other model reads its rectangle as letters.
        let is_bare = is_bare || *from == "emf" && fields.contains("language=eng");
        let may_be_empty = has_no_table || is_bare && matches!(*to, "md" | "txt");
        if (is_type || is_archive) && (may_be_empty || !answer.body.is_empty()) {
            return Ok(());
        }
        Err(format!(
            "{from} to {to}{fields}: {} bytes of {found}",
            answer.body.len()
        ))
    }
}

#[test]
fn every_pair_converts() {
    let server = Server::start();
    let formats = formats(&server);
    let files = Files::of_each(&server, &formats);
    let all: Vec<Wish<'_>> = formats
        .iter()
        .flat_map(|from| {
            let wish = |to: &'_ String| (from.name.as_str(), named(&formats, to));
            let wishes = from.targets.iter().map(wish);
            wishes.map(|(from, to)| Wish {
                from,
                to: &to.name,
                fields: to.small(from),
            })
        })
        .collect();
    let wrong = on_threads(
        &all,
        || server.connect(),
        |client, wish| wish.check(client, &formats, &files),
    );
    eprintln!("{} pairs of {} formats", all.len(), files.formats().count());
    nothing_is(&wrong, all.len());
}
