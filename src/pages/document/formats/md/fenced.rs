//! Speaker notes between lines of colons, in pandoc's syntax (`::: notes`). They become a `div` element, which the
//! Markdown parser passes on. Reads no other fenced divisions.

use std::borrow::Cow;

/// Replaces the lines that delimit speaker notes by HTML, except in fenced code.
pub(super) fn divisions(text: &str) -> Cow<'_, str> {
    if !text.lines().any(opens) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 64);
    let mut code: Option<&str> = None;
    let mut is_open = false;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let fence = ["```", "~~~"]
            .into_iter()
            .find(|fence| bare.starts_with(fence));
        match (code, fence) {
            (None, Some(fence)) => code = Some(fence),
            (Some(open), Some(fence)) if open == fence => code = None,
            _ => {}
        }
        if code.is_none() && !is_open && opens(line) {
            out.push_str("\n<div class=\"notes\">\n\n");
            is_open = true;
        } else if code.is_none() && is_open && closes(bare) {
            out.push_str("\n</div>\n\n");
            is_open = false;
        } else {
            out.push_str(line);
        }
    }
    if is_open {
        out.push_str("\n</div>\n");
    }
    Cow::Owned(out)
}

/// Returns whether a line begins notes: at least three colons, and the class name, optionally in braces.
fn opens(line: &str) -> bool {
    let Some(name) = line.trim().strip_prefix(":::") else {
        return false;
    };
    let name = name.trim_matches([':', ' ']);
    let name = name
        .strip_prefix('{')
        .and_then(|name| name.strip_suffix('}'))
        .unwrap_or(name);
    matches!(name.trim(), "notes" | ".notes")
}

fn closes(line: &str) -> bool {
    line.len() >= 3 && line.bytes().all(|byte| byte == b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_become_divisions() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            assert_eq!(divisions(text), expected);
        }
        check(
            "a\n::: notes\nb\n:::\nc\n",
            "a\n\n<div class=\"notes\">\n\nb\n\n</div>\n\nc\n",
        );
        check(
            "::::: {.notes}\nb\n",
            "\n<div class=\"notes\">\n\nb\n\n</div>\n",
        );
        check("::: warning\nb\n:::\n", "::: warning\nb\n:::\n");
        check("```\n::: notes\n```\n", "```\n::: notes\n```\n");
    }
}
