//! `GET /manual` and `GET /manual/CHAPTER`: the manual, as pages for browsers and as text for other clients. So it can
//! be read without Internet access.
//!
//! The program's own converter makes the pages from the chapters. This happens at the first request for a page, because
//! it takes some milliseconds, which would delay the start. With the default isolation, no other conversion runs in the
//! process of the service. This conversion is safe, because its input is part of the program. A program without that
//! converter sends the text to browsers, too.

use super::{
    assets::{Asset, accepts},
    endpoint::Call,
    page,
    state::Api,
};
use crate::{
    base_path::BasePath,
    coding::escape::escaped,
    error::{Error, Result},
    http::{Payload, Response, Status},
    job::{Ledger, Options, Quality, Task, Unlimited},
    manual::{self, CHAPTERS, Chapter},
    registry::{self, Route},
};
use std::{borrow::Cow, fmt::Write as _, io::Cursor, thread};

/// Stack of the thread that converts, in bytes; worker threads have small stacks.
const STACK: usize = 4 << 20;

/// Answers with a chapter, or with the list of chapters.
pub(super) fn answer(api: &Api, call: &Call<'_>) -> Response {
    let chapter = manual::chapter(call.rest);
    let response = match accepts(call.head, "accept", &["text/html", "application/xhtml+xml"]) {
        true => browser(api, call, chapter),
        false => None,
    };
    let response = response.unwrap_or_else(|| text(chapter));
    page::guard(response.field("Vary", "Accept"))
}

/// Answers with an HTML page. `None` if this build cannot convert Markdown, or if the conversion failed.
fn browser(api: &Api, call: &Call<'_>, chapter: Option<&'static Chapter>) -> Option<Response> {
    let (head, prefix) = (call.head, call.prefix(api));
    if prefix != api.base_path {
        return Some(made(chapter, &prefix)?.answer(head));
    }
    let place = CHAPTERS.iter().position(|known| Some(known) == chapter);
    let page = match place {
        Some(place) => &api.manual.chapters[place],
        None => &api.manual.contents,
    };
    let page = page.get_or_init(|| made(chapter, &prefix));
    Some(page.as_ref()?.answer(head))
}

/// Answers with a chapter, or with the list of chapters, as plain text.
fn text(chapter: Option<&Chapter>) -> Response {
    let text = match chapter {
        Some(chapter) => manual::plain(chapter.text),
        None => format!(
            "The manual of convertd {}. Each chapter is at manual/NAME.\n\n{}",
            env!("CARGO_PKG_VERSION"),
            manual::contents()
        ),
    };
    Response::new(Status::OK)
        .field("Content-Type", "text/plain; charset=utf-8")
        .field("Cache-Control", "no-cache")
        .field("X-Content-Type-Options", "nosniff")
        .payload(Payload::Bytes(text.into_bytes().into()))
}

/// Makes the page of a chapter, or of the list of chapters. `None` if this build cannot convert Markdown, or if the
/// conversion failed, which is logged.
fn made(chapter: Option<&'static Chapter>, prefix: &BasePath) -> Option<Asset> {
    let markdown: Cow<'_, str> = match chapter {
        Some(chapter) => chapter.text.into(),
        None => contents().into(),
    };
    let route = registry::by_name("md").zip(registry::by_name("html"));
    let route = route.and_then(|(from, to)| registry::find(from, to))?;
    let body = match converted(route, &markdown) {
        Ok(body) => body,
        Err(error) => {
            log::error!("the manual cannot be shown: {error}");
            return None;
        }
    };
    // Without a prefix, links are relative to the path of the page, and the path of a chapter has one segment more.
    // With a prefix, links are relative to the base element.
    let up = match chapter.is_some() && *prefix == BasePath::default() {
        true => "../",
        false => "",
    };
    let page = include_str!("../web/manual.html")
        .replace("{{base}}", &page::base(prefix))
        .replace("{{title}}", chapter.map_or("Manual", Chapter::title))
        .replace("{{chapters}}", &links(chapter))
        .replace("{{content}}", &body)
        .replace("{{version}}", env!("CARGO_PKG_VERSION"))
        .replace("{{up}}", up);
    Some(Asset::new(page::HTML, page.into_bytes()))
}

/// The list of chapters as Markdown.
fn contents() -> String {
    let mut text = String::from("# Manual\n\n");
    for chapter in &CHAPTERS {
        let (name, title) = (chapter.name, chapter.title());
        // Writing to a string cannot fail.
        let _ = writeln!(text, "- [{title}]({name}.md): {}", chapter.about);
    }
    text
}

/// The list of links to all chapters, for the side of a page.
fn links(current: Option<&Chapter>) -> String {
    let mut html = String::new();
    for chapter in &CHAPTERS {
        let current = match Some(chapter) == current {
            true => " aria-current=\"page\"",
            false => "",
        };
        let _ = writeln!(
            html,
            "<a href=\"{{{{up}}}}manual/{}\"{current}>{}</a>",
            chapter.name,
            escaped(chapter.title())
        );
    }
    html
}

/// Converts Markdown to the HTML of a page's body, in a thread of its own.
fn converted(route: &Route, markdown: &str) -> Result<String> {
    let failed = |what: &str| Error::internal("the converter of documents", what.to_owned());
    let page = thread::scope(|scope| {
        let thread = thread::Builder::new()
            .name("manual".into())
            .stack_size(STACK)
            .spawn_scoped(scope, || convert(route, markdown));
        let thread = thread.map_err(|err| Error::internal("a thread cannot be started", err))?;
        thread.join().unwrap_or_else(|_| Err(failed("panicked")))
    })?;
    let (_, body) = page
        .split_once("<body>\n")
        .ok_or_else(|| failed("made no body"))?;
    let (body, _) = body
        .rsplit_once("</body>")
        .ok_or_else(|| failed("made no end"))?;
    // Chapters refer to each other by file name, so that the links also work in a repository. Here these links are
    // replaced by links to pages.
    let mut body = body.to_owned();
    for chapter in &CHAPTERS {
        let file = format!("href=\"{}.md\"", chapter.name);
        body = body.replace(
            &file,
            &format!("href=\"{{{{up}}}}manual/{}\"", chapter.name),
        );
    }
    // Tables may be wider than a telephone's screen, so each can be scrolled by itself.
    let body = body.replace("<table>", "<div class=\"wide\" tabindex=\"0\"><table>");
    Ok(body.replace("</table>", "</table></div>"))
}

/// Converts Markdown to HTML with the converter for documents, without limits, because the text is part of the program.
fn convert(route: &Route, markdown: &str) -> Result<String> {
    let mut task = Task {
        from: route.pair.from.name.into(),
        to: route.pair.to.name.into(),
        quality: Quality::default(),
        options: Options::default(),
        file_title: None,
    };
    // The page's policy forbids styles in attributes, so code is not highlighted.
    task.options.insert("highlight", "false");
    let ledger = Ledger::new(&Unlimited);
    let job = route.pair.job(&task, markdown.len() as u64, 0, &ledger);
    let mut page = Cursor::new(Vec::new());
    (route.converter.convert)(&job, &mut Cursor::new(markdown.as_bytes()), &mut page)?;
    String::from_utf8(page.into_inner())
        .map_err(|err| Error::internal("the page is not valid UTF-8", err))
}
