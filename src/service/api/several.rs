//! Forms with several files: a page, and the files that it refers to. They are packed into a ZIP archive, because a
//! converter has one input. The option `index` names the page in it; by default the first file is the page. Does not
//! read the page, and does not check its references.

use super::{archive, convert, form::Form, item::Item, state::Api};
use crate::{
    error::{Error, Kind, Result, quoted},
    http::Head,
    store::Spool,
};
use std::{collections::HashSet, net::IpAddr};

/// Names of the files of a form in their archive, with the folders that the client sent. Empty for a form with one
/// file.
pub(super) fn names(form: &Form) -> Vec<String> {
    if form.others.is_empty() {
        return Vec::new();
    }
    let others = form.others.iter().map(|file| file.name.as_str());
    let all = [form.file_name.as_str()].into_iter().chain(others);
    all.map(path).collect()
}

/// A name from a client as a path in an archive: without empty components, without `.` and `..`, and without control
/// characters.
fn path(sent: &str) -> String {
    let parts = sent
        .split(['/', '\\'])
        .map(str::trim)
        .filter(|part| !matches!(*part, "" | "." | ".."));
    let path = parts.collect::<Vec<_>>().join("/");
    path.chars().filter(|c| !c.is_control()).collect()
}

/// Packs the files of `spool`, which are one after another, into an archive in a new spool, under these names.
///
/// Errors: [`Kind::BadInput`] if two files have the same name; those of the store.
pub(super) fn pack(
    api: &Api,
    head: &Head,
    client: Option<IpAddr>,
    spool: Spool,
    form: &Form,
    names: Vec<String>,
) -> Result<Spool> {
    let mut seen = HashSet::new();
    if let Some(name) = names.iter().find(|name| !seen.insert(*name)) {
        let text = format!("the form has two files with the name {}", quoted(name));
        return Err(Error::new(Kind::BadInput, text));
    }
    let all = Item::uploaded(String::new(), spool)?;
    let others = form.others.iter().map(|file| file.len);
    let lengths = [form.file_len].into_iter().chain(others);
    let mut at = 0;
    let files = lengths.map(|len| {
        let start = at;
        at += len;
        all.part(String::new(), start..at)
    });
    let files: Vec<Item> = files.collect();
    let named: Vec<(String, &Item)> = names.into_iter().zip(&files).collect();
    api.store.room_for(all.len())?;
    let mut packed = api.store.spool(client, convert::memory(api, head))?;
    archive::pack(&mut packed, &named)?;
    Ok(packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_folders() {
        #[track_caller]
        fn check(sent: &str, expected: &str) {
            assert_eq!(path(sent), expected);
        }
        check("a.md", "a.md");
        check("./img/a.png", "img/a.png");
        check("../../etc/passwd", "etc/passwd");
        check("/a//b", "a/b");
        check("img\\a\u{7}.png", "img/a.png");
        check("..", "");
    }
}
