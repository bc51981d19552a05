//! Rules for pages and content streams (6.2.2, 6.2.4.3, 6.1.13). Looks only at the names of operators.

use super::File;
use serde_json::{Map, Value};

/// Limits on the nesting of `q`, and on the sides of a page in units of the page (6.1.13).
const MAX_NESTED: usize = 28;
const SIDES: std::ops::RangeInclusive<f64> = 3.0..=14_400.0;

impl File {
    pub(super) fn pages(&mut self) {
        let pages: Vec<Map<String, Value>> = (self.objects.values())
            .filter_map(Value::as_object)
            .filter(|dict| dict.get("/Type").is_some_and(|kind| kind == "/Page"))
            .cloned()
            .collect();
        self.must(!pages.is_empty(), "there are no pages");
        for page in pages {
            for key in ["/MediaBox", "/CropBox", "/TrimBox", "/BleedBox", "/ArtBox"] {
                let Some(corners) = self.get(&page, key).as_array().cloned() else {
                    continue;
                };
                let corner = |at: usize| self.resolve(&corners[at]).as_f64().unwrap_or(0.0);
                let sides = [corner(2) - corner(0), corner(3) - corner(1)];
                let fits = sides.iter().all(|side| SIDES.contains(&side.abs()));
                self.must(fits, &format!("6.1.13: {key} of a page is {sides:?} units"));
            }
            let mut content = Vec::new();
            for part in self.list(&page, "/Contents") {
                content.extend(self.decoded(self.resolve(&part)).unwrap_or_default());
                content.push(b'\n');
            }
            self.content(&content, page.contains_key("/Resources"), "page");
        }
    }

    /// Checks the rules for content streams (6.2.2, 6.2.4.3, 6.1.13). `place` names the page or the form.
    pub(super) fn content(&mut self, content: &[u8], has_resources: bool, place: &str) {
        let (mut open, mut deepest) = (0usize, 0usize);
        for operator in operators(content) {
            match operator {
                b"q" => {
                    open += 1;
                    deepest = deepest.max(open);
                }
                b"Q" => open = open.saturating_sub(1),
                b"k" | b"K" => self.fault("6.2.4.3: colours in CMYK without a profile"),
                b"Do" | b"Tf" | b"gs" | b"sh" => self.must(
                    has_resources,
                    &format!("6.2.2: a {place} has no resources of its own"),
                ),
                b"PS" => self.fault("6.2.2: an operator that is not in the standard"),
                _ => {}
            }
        }
        self.must(
            deepest <= MAX_NESTED,
            &format!("6.1.13: q is nested {deepest} deep"),
        );
    }
}

/// Operators of a content stream, without those of inline pictures.
fn operators(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let byte = *content.get(at)?;
            match byte {
                b'(' => {
                    let mut depth = 0;
                    while let Some(byte) = content.get(at) {
                        match byte {
                            b'\\' => at += 1,
                            b'(' => depth += 1,
                            b')' => depth -= 1,
                            _ => {}
                        }
                        at += 1;
                        if depth == 0 {
                            break;
                        }
                    }
                }
                b'%' => {
                    while content
                        .get(at)
                        .is_some_and(|byte| !matches!(byte, b'\n' | b'\r'))
                    {
                        at += 1;
                    }
                }
                b'<' if content.get(at + 1) != Some(&b'<') => {
                    while content.get(at).is_some_and(|byte| *byte != b'>') {
                        at += 1;
                    }
                }
                byte if is_regular(byte) => {
                    let start = at;
                    while content.get(at).copied().is_some_and(is_regular) {
                        at += 1;
                    }
                    let word = &content[start..at];
                    if word == b"ID" {
                        let end = content[at..].windows(4).position(|part| {
                            part[1..3] == *b"EI"
                                && [part[0], part[3]].iter().all(u8::is_ascii_whitespace)
                        });
                        at = end.map_or(content.len(), |end| at + end + 3);
                    }
                    let is_name = start > 0 && content[start - 1] == b'/';
                    if !is_name
                        && word.first().is_some_and(|byte| {
                            byte.is_ascii_alphabetic() || matches!(byte, b'\'' | b'"')
                        })
                    {
                        return Some(word);
                    }
                }
                _ => at += 1,
            }
        }
    })
}

fn is_regular(byte: u8) -> bool {
    !byte.is_ascii_whitespace()
        && byte != 0
        && !matches!(
            byte,
            b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%'
        )
}
