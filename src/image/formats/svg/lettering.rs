//! Estimates the cost of laying out the text of a drawing before usvg parses it, because the parser lays out every text
//! and cannot be stopped. Lays out nothing itself.
//!
//! A chunk is the text between two absolute positions. The time that usvg 0.49 takes grows with the square of a chunk's
//! length, because for each letter it counts the characters before it. usvg shapes the whole chunk once for each span,
//! and again for each fallback font. Along a path, usvg measures every segment, and searches all remaining letters for
//! those on the segment. The constants were measured with 10,000 to 40,000 letters, 2,000 and 4,000 spans, and 100
//! texts along paths of 20,000 segments.

use resvg::usvg::roxmltree::Node;
use std::collections::{HashMap, HashSet};

/// Steps for each letter, including its outline and its drawing. A step takes about a nanosecond.
const LETTER: u64 = 8_000;
/// Steps for each pair of letters in a chunk.
const PAIR: u64 = 2;
/// Steps for each pair of letters in a chunk with spans or along a path.
const PAIR_APART: u64 = 6;
/// Steps for each letter each time the chunk is shaped.
const SHAPED: u64 = 300;
/// Steps for each number in the path of a text.
const NUMBER: u64 = 80;
/// Steps for each letter that is placed on a path.
const PLACED: u64 = 5_000;

/// Largest number of fallback fonts with which a chunk is assumed to be shaped.
const MAX_FONTS: usize = 32;

/// Steps that a `text` element takes. `numbers` counts the numbers of a path.
pub(super) fn steps<'a, 'i>(
    text: Node<'a, 'i>,
    by_id: &HashMap<&'a str, Node<'a, 'i>>,
    mut numbers: impl FnMut(Node<'a, 'i>) -> u64,
) -> u64 {
    let mut all = 0_u64;
    let mut chunk = Chunk::default();
    for node in text.descendants() {
        let is_path = node.is_element() && node.tag_name().name() == "textPath";
        if is_path || node.has_attribute("x") || node.has_attribute("y") {
            all = all.saturating_add(std::mem::take(&mut chunk).steps());
        }
        if is_path {
            let mut references = node
                .attributes()
                .filter(|attribute| attribute.name() == "href");
            let path =
                references.find_map(|attribute| by_id.get(attribute.value().strip_prefix('#')?));
            chunk.numbers = path.map_or(0, |path| numbers(*path));
        }
        if let Some(text) = node.text().filter(|_| node.is_text()) {
            chunk.add(text);
        }
    }
    all.saturating_add(chunk.steps())
}

/// Text that is laid out together.
#[derive(Default)]
struct Chunk {
    letters: u64,
    spans: u64,
    /// Blocks of 256 character codes that occur in the chunk, besides the first block; each may need another font.
    blocks: HashSet<u32>,
    /// Numbers in the path of the text; 0 without a path.
    numbers: u64,
}

impl Chunk {
    /// Adds a span.
    fn add(&mut self, text: &str) {
        self.spans += 1;
        for letter in text.chars() {
            self.letters += 1;
            let block = u32::from(letter) >> 8;
            if block > 0 && self.blocks.len() < MAX_FONTS {
                self.blocks.insert(block);
            }
        }
    }

    /// Steps to lay out the chunk.
    fn steps(self) -> u64 {
        let letters = self.letters;
        let is_whole = self.spans <= 1 && self.numbers == 0;
        let pair = if is_whole { PAIR } else { PAIR_APART };
        let shaped = self.spans * (1 + self.blocks.len() as u64);
        let mut steps = LETTER
            .saturating_add(pair.saturating_mul(letters))
            .saturating_add(SHAPED.saturating_mul(shaped));
        if self.numbers > 0 {
            steps = steps.saturating_add(PLACED + self.numbers / 2);
        }
        steps
            .saturating_mul(letters)
            .saturating_add(NUMBER.saturating_mul(self.numbers))
    }
}
