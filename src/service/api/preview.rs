//! Recognises requests for a download that no person has made: prefetching browsers, and chat or mail programs that
//! preview a link. They get a short page, and the link stays valid.
//!
//! Only requests that identify themselves are recognised: browsers by a header field, services by a name in
//! `User-Agent`. A scanner that pretends to be a browser is not recognised.

use super::page::written;
use crate::{
    base_path::BasePath,
    http::{Head, Response, Status},
};

/// Header fields by which browsers announce a prefetch, with the beginnings of their values: first Chrome, Edge and
/// Firefox, then Safari and older browsers.
const FIELDS: [(&str, &str); 6] = [
    ("sec-purpose", "prefetch"),
    ("sec-purpose", "prerender"),
    ("purpose", "prefetch"),
    ("purpose", "preview"),
    ("x-purpose", "preview"),
    ("x-moz", "prefetch"),
];

/// Parts of `User-Agent` (case-sensitive) of services that fetch the links in messages before their readers do. None of
/// them may be part of the name of a program that fetches results, so the list does not contain "bot" alone. Crawlers
/// of search engines are missing because they never find such a link.
const AGENTS: [&str; 40] = [
    // Chat programs, and social networks.
    "Slackbot",
    "Slack-ImgProxy",
    "Discordbot/",
    "TelegramBot (like TwitterBot)",
    "WhatsApp/",
    "facebookexternalhit/",
    "Facebot",
    "meta-externalagent/",
    "Twitterbot/",
    "LinkedInBot/",
    "SkypeUriPreview",
    "MicrosoftPreview/",
    "Microsoft Office Protocol Discovery",
    "Mattermost-Bot/",
    "mattermost-linkpreview",
    "Rocket.Chat",
    "ZulipURLPreview/",
    "Synapse (bot;",
    "Matrix-Media-Repo",
    "Viber/LinkPreview",
    "line-poker/",
    "kakaotalk-scrap/",
    "Snap URL Preview Service",
    "redditbot/",
    "Pinterestbot/",
    "vkShare",
    "Bluesky Cardyb/",
    "Mastodon/",
    "Pleroma ",
    "Akkoma ",
    "Misskey/",
    "Yahoo Link Preview",
    "Google-PageRenderer",
    "GoogleMessages/",
    // Services that fetch pages for others, and mail scanners.
    "Iframely/",
    "Embedly/",
    "bitlybot/",
    "BarracudaCentral",
    "Barracuda Sentinel",
    "Proofpoint URL Defense",
];

/// The answer to a request that no person has made. `None` if a person, or a person's program, may have made it.
pub(super) fn answer(head: &Head, prefix: &BasePath) -> Option<Response> {
    // A browser does not cache an error, so a prefetched page cannot replace the file when a person follows the link.
    if is_ahead(head) {
        return Some(page(Status::FORBIDDEN, prefix));
    }
    is_service(head).then(|| page(Status::OK, prefix))
}

fn is_ahead(head: &Head) -> bool {
    FIELDS.iter().any(|(name, begin)| {
        let mut values = head.fields(name);
        values.any(|value| value.to_ascii_lowercase().starts_with(begin))
    })
}

fn is_service(head: &Head) -> bool {
    let agent = head.field("user-agent").unwrap_or_default();
    AGENTS.iter().any(|name| agent.contains(name))
}

fn page(status: Status, prefix: &BasePath) -> Response {
    let content = "<p>Whoever opens this link downloads a converted file. It works once.</p>";
    written(status, prefix, "A file to download", content)
        .field("X-Robots-Tag", "noindex, nofollow")
}
