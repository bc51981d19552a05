//! Levels of headings, by the outline of the file, or else by style (larger ones first) and section numbers. For a
//! single paragraph, decides only what its words show, such as whether it is a caption.

use super::block::{Block, BlockKind, HeadingStyle};
use std::collections::{BTreeMap, BTreeSet};

/// Provisional level of headings.
pub(super) const UNKNOWN: u8 = 1;

/// Deepest level.
const MAX_LEVEL: usize = 6;

/// Minimum ratio, in percent, of two font sizes that count as different.
const LARGER: i32 = 106;

/// Minimum number of headings that must match the outline for its levels to be used.
const FEWEST_NAMED: usize = 3;
/// Number of outline entries after the last match that a heading is compared with.
const MAX_SKIPPED: usize = 40;
/// Limit on the length of a heading that is compared with the outline, in bytes.
const LONGEST_NAMED: usize = 300;

/// Number of style tiers (see [`tiers`]) above which styles that occur only once are dropped.
const FEW: usize = 4;

/// Minimum number of consecutive unnumbered headings of one style that are taken for lines of a title page or drawing
/// instead.
const RUN: usize = 3;

/// Returns whether a text is the caption of a picture or table: a word such as "Figure" with a
/// number.
pub(crate) fn is_caption(text: &str) -> bool {
    const WORDS: [&str; 23] = [
        "table",
        "figure",
        "fig.",
        "exhibit",
        "chart",
        "box",
        "listing",
        "example",
        "algorithm",
        "tabelle",
        "abbildung",
        "abb.",
        "tableau",
        "tabla",
        "figura",
        "tab.",
        "рис.",
        "рисунок",
        "таблица",
        "표",
        "그림",
        "表",
        "图",
    ];
    let text = text.trim_start_matches(['[', '(', '<', '〈', '【']);
    let lower: String = text.chars().take(20).flat_map(char::to_lowercase).collect();
    // A number must follow the word directly.
    let rest = WORDS.iter().find_map(|word| lower.strip_prefix(word));
    rest.is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()))
}

/// Returns whether a caption belongs to a table.
pub(crate) fn is_caption_of_table(text: &str) -> bool {
    let text = text.trim_start_matches(['[', '(', '<', '〈', '【']);
    let lower: String = text.chars().take(3).flat_map(char::to_lowercase).collect();
    ["tab", "таб", "표", "表"]
        .iter()
        .any(|word| lower.starts_with(word))
}

/// Number of components in the section number at the start of a text: 2 for `1.3 Words`, 0 without
/// one.
pub(super) fn depth(text: &str) -> usize {
    let Some((number, rest)) = text.split_once(char::is_whitespace) else {
        return 0;
    };
    let parts = number.trim_end_matches('.').split('.');
    // Components have at most three digits; larger numbers are years or quantities.
    let is_part = |part: &str| {
        (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let begins = rest.trim_start().starts_with(char::is_alphabetic);
    match begins && parts.clone().all(is_part) {
        true => parts.count(),
        false => 0,
    }
}

/// Returns whether a text begins with a multi-part section number. A number that ends with a dot, such as a date, does
/// not count.
pub(super) fn is_numbered(text: &str) -> bool {
    let number = text.split_whitespace().next().unwrap_or_default();
    depth(text) > 1 && !number.ends_with('.')
}

/// A title in the document outline, with its letters for comparison and its depth.
pub(crate) struct Title {
    plain: String,
    depth: u8,
}

impl Title {
    pub(crate) fn new(title: &str, depth: u8) -> Self {
        Self {
            plain: plain(title),
            depth,
        }
    }
}

/// Letters and digits of a text in lower case.
fn plain(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Assigns levels to all headings, and demotes false headings. Levels are without gaps, from 1, unless they follow the
/// outline. Returns whether the levels follow the outline.
///
/// First, lines become headings or lose that role by comparison with other lines. Then the styles rank the headings.
/// The outline overrides these ranks if it matches enough headings.
pub(crate) fn settle(blocks: &mut [Block], outline: &[Title]) -> bool {
    add_alike(blocks);
    demote_runs(blocks);
    demote_labels(blocks);
    let named = named(blocks, outline);
    let follows = named.len() >= FEWEST_NAMED && 2 * named.len() >= outline.len();
    assign_levels_by_style(blocks);
    if follows {
        by_outline(blocks, &named);
    }
    follows
}

/// Matches blocks with outline entries in order. Returns the depths of matched blocks.
fn named(blocks: &[Block], outline: &[Title]) -> BTreeMap<usize, u8> {
    let mut named = BTreeMap::new();
    let mut at = 0;
    for (nth, block) in blocks.iter().enumerate() {
        if !matches!(
            block.kind,
            BlockKind::Heading(_) | BlockKind::Text | BlockKind::Item(..)
        ) {
            continue;
        }
        let len: usize = block.spans.iter().map(|span| span.text.len()).sum();
        if at == outline.len() || len > LONGEST_NAMED {
            continue;
        }
        let text = plain(&block.text());
        // Titles are matched in order; a few may be missing in the text.
        let mut ahead = outline[at..].iter().take(MAX_SKIPPED);
        if let Some(found) = ahead.position(|title| !text.is_empty() && title.plain == text) {
            named.insert(nth, outline[at + found].depth);
            at += found + 1;
        }
    }
    named
}

/// Assigns the levels of an outline. An unmatched heading gets level 1 if it is larger than all matched ones. Otherwise
/// it gets the deepest level of the matched headings with the same style, or, without such headings, the level below
/// the deepest level of all matched headings.
fn by_outline(blocks: &mut [Block], named: &BTreeMap<usize, u8>) {
    // Deepest level of all matched headings, and of each style among them.
    let deepest = named.values().max().copied().unwrap_or(0);
    let mut levels: Vec<(HeadingStyle, u8)> = Vec::new();
    for (nth, depth) in named {
        let Some(style) = blocks[*nth].heading_style else {
            continue;
        };
        match levels.iter_mut().find(|(known, _)| *known == style) {
            Some((_, level)) => *level = (*level).max(*depth),
            None => levels.push((style, *depth)),
        }
    }
    let largest = levels.iter().map(|(style, _)| style.size).max();
    let largest = largest.unwrap_or(i32::MAX);
    for (nth, block) in blocks.iter_mut().enumerate() {
        let matched = |style: HeadingStyle| levels.iter().find(|(known, _)| *known == style);
        let level = match (named.get(&nth), block.heading_style) {
            (Some(depth), _) => *depth,
            (None, Some(style)) if style.size > largest => 1,
            (None, Some(style)) => matched(style).map_or(deepest + 1, |(_, level)| *level),
            (None, None) => continue,
        };
        block.kind = BlockKind::Heading(level.min(MAX_LEVEL as u8));
    }
}

/// Assigns levels by style and section numbers.
fn assign_levels_by_style(blocks: &mut [Block]) {
    // The sort key is the tier of the style, then the depth of the section number.
    let styles = tiers(blocks);
    let keys: Vec<Option<(usize, usize)>> =
        blocks.iter().map(|block| key(block, &styles)).collect();
    // Unnumbered headings share the level of the numbered headings of the same tier with the fewest components.
    let numbered = keys.iter().flatten().copied().filter(|key| key.1 > 0);
    let numbered: BTreeSet<(usize, usize)> = numbered.collect();
    let settled = |(tier, depth): (usize, usize)| {
        let same = numbered.iter().find(|key| key.0 == tier);
        same.filter(|_| depth == 0)
            .copied()
            .unwrap_or((tier, depth))
    };
    // Distinct keys become levels without gaps.
    let levels: BTreeSet<(usize, usize)> = keys.iter().flatten().map(|key| settled(*key)).collect();
    for (block, key) in blocks.iter_mut().zip(keys) {
        if let Some(key) = key {
            let above = levels.range(..settled(key)).count();
            block.kind = BlockKind::Heading((above + 1).min(MAX_LEVEL) as u8);
        }
    }
}

/// Promotes lines with the style of a recognised heading, because a heading in the middle of a page may have no extra
/// space above it.
fn add_alike(blocks: &mut [Block]) {
    let styles: Vec<HeadingStyle> = blocks
        .iter()
        .filter_map(|block| block.heading_style)
        .collect();
    for block in blocks {
        if let Some(style) = block.conditional_style.take()
            && styles.contains(&style)
        {
            block.kind = BlockKind::Heading(UNKNOWN);
            block.heading_style = Some(style);
            for span in &mut block.spans {
                span.style.bold = false;
                span.style.italic &= !style.italic;
            }
        }
    }
}

/// Demotes unnumbered headings in body size without text below them: words in a drawing or on a form.
fn demote_labels(blocks: &mut [Block]) {
    // The walk goes upwards. `has_text_below`: prose, a list or a heading that is not a label follows below. Short
    // texts pass this value on, except directly above a heading (`is_above_heading`), because the text below that
    // heading does not belong to them.
    let (mut has_text_below, mut is_above_heading) = (false, false);
    for block in blocks.iter_mut().rev() {
        match (&block.kind, block.heading_style) {
            (BlockKind::Heading(_), Some(style)) => {
                let is_label = !style.larger && !has_text_below && depth(&block.text()) == 0;
                if is_label {
                    demote(block, style);
                }
                (has_text_below, is_above_heading) = (!is_label, !is_label);
            }
            (BlockKind::Text, _) => {
                has_text_below = is_text(&block.text()) || (has_text_below && !is_above_heading);
                is_above_heading = false;
            }
            (BlockKind::Page(_) | BlockKind::Figure(..), _) => {}
            _ => (has_text_below, is_above_heading) = (true, false),
        }
    }
}

/// Turns a heading into a paragraph.
fn demote(block: &mut Block, style: HeadingStyle) {
    block.kind = BlockKind::Text;
    block.heading_style = None;
    for span in &mut block.spans {
        // Spans of a heading do not repeat the style of the heading, but spans of a paragraph need it.
        span.style.bold |= style.bold;
        span.style.italic |= style.italic;
    }
}

/// Returns whether a paragraph is prose that may follow a heading, not a label.
fn is_text(text: &str) -> bool {
    const LEAST: usize = 60;
    let text = text.trim_end();
    (text.len() >= LEAST || text.ends_with(['.', ':', '!', '?', '。'])) && !is_caption(text)
}

/// Demotes runs of [`RUN`] or more consecutive headings with the same style and without section numbers.
fn demote_runs(blocks: &mut [Block]) {
    let mut start = 0;
    while start < blocks.len() {
        let style = blocks[start].heading_style;
        let is_same = |block: &&Block| {
            block.heading_style.is_some()
                && block.heading_style == style
                && depth(&block.text()) == 0
        };
        // Headings with section numbers are real, even without text between them.
        let count = blocks[start..].iter().take_while(is_same).count();
        if count >= RUN {
            for block in &mut blocks[start..start + count] {
                if let Some(style) = block.heading_style {
                    demote(block, style);
                }
            }
        }
        start += count.max(1);
    }
}

/// Distinct styles of headings, most important first. Styles of nearly equal size are one tier. If there are more than
/// [`FEW`] tiers, styles that occur once (as on a book cover) are dropped, except that of the first heading.
fn tiers(blocks: &[Block]) -> Vec<HeadingStyle> {
    let mut styles: Vec<HeadingStyle> = blocks
        .iter()
        .filter_map(|block| block.heading_style)
        .collect();
    let first = styles.first().copied();
    // Larger first, then bold, then upright.
    styles.sort_by_key(|style| (-style.size, !style.bold, style.italic));
    let mut tiers: Vec<(HeadingStyle, usize)> = Vec::new();
    for style in styles {
        match tiers.iter_mut().find(|(tier, _)| tier.is_same_tier(style)) {
            Some((_, count)) => *count += 1,
            None => tiers.push((style, 1)),
        }
    }
    // With many tiers, styles that occur once get no tier, except the style of the first heading.
    let is_tier = |(style, count): &(HeadingStyle, usize)| {
        *count > 1 || first.is_some_and(|first| first.is_same_tier(*style))
    };
    if tiers.len() > FEW {
        tiers.retain(is_tier);
    }
    tiers.into_iter().map(|(style, _)| style).collect()
}

impl HeadingStyle {
    /// Returns whether two styles are of one tier.
    fn is_same_tier(self, other: Self) -> bool {
        let (small, large) = (self.size.min(other.size), self.size.max(other.size));
        (self.bold, self.italic) == (other.bold, other.italic) && 100 * large < LARGER * small
    }
}

/// Sort key of a heading: its tier, and the depth of its section number. A style without a tier gets the next smaller
/// tier, or else the last one. `None` if the block is not a heading.
fn key(block: &Block, tiers: &[HeadingStyle]) -> Option<(usize, usize)> {
    let style = block.heading_style?;
    let own = tiers.iter().position(|tier| tier.is_same_tier(style));
    let smaller = || tiers.iter().position(|tier| tier.size < style.size);
    let tier = own
        .or_else(smaller)
        .unwrap_or(tiers.len().saturating_sub(1));
    Some((tier, depth(&block.text())))
}

#[cfg(test)]
mod tests {
    use super::{super::block::Span, *};

    fn heading(text: &str, size: i32) -> Block {
        let style = HeadingStyle {
            size,
            bold: true,
            italic: false,
            larger: true,
        };
        Block {
            kind: BlockKind::Heading(UNKNOWN),
            spans: vec![Span {
                text: text.to_owned(),
                ..Span::default()
            }],
            regions: Vec::new(),
            alignment: None,
            heading_style: Some(style),
            conditional_style: None,
        }
    }

    #[test]
    fn levels_follow_sizes_and_numbers() {
        #[track_caller]
        fn check(headings: &[(&str, i32)], expected: &[u8]) {
            let mut blocks: Vec<Block> = headings
                .iter()
                .map(|(text, size)| heading(text, *size))
                .collect();
            settle(&mut blocks, &[]);
            let levels = blocks.iter().map(|block| match block.kind {
                BlockKind::Heading(level) => level,
                _ => 0,
            });
            assert_eq!(levels.collect::<Vec<u8>>(), expected);
        }
        check(&[("A", 40), ("B", 28), ("C", 29), ("D", 24)], &[1, 2, 2, 3]);
        // Styles that occur once on a cover are not levels.
        let cover = [
            ("A", 60),
            ("B", 50),
            ("C", 44),
            ("D", 38),
            ("1 E", 28),
            ("F", 24),
            ("2 G", 28),
            ("H", 24),
        ];
        check(&cover, &[1, 2, 2, 2, 2, 3, 2, 3]);
        check(
            &[("1 A", 28), ("1.1 B", 28), ("Notes", 28), ("1.1.1 C", 24)],
            &[1, 2, 1, 3],
        );
        check(
            &[("A", 40), ("one", 24), ("two", 24), ("three", 24)],
            &[1, 0, 0, 0],
        );
    }

    #[test]
    fn an_outline_is_followed_if_it_names_most_headings() {
        let mut blocks: Vec<Block> = [("A", 28), ("B", 28), ("C", 28), ("Other", 24)]
            .iter()
            .map(|(text, size)| heading(text, *size))
            .collect();
        blocks.insert(1, heading("a line between", 60));
        let outline =
            [("a", 1), ("B", 2), ("C.", 1)].map(|(title, depth)| Title::new(title, depth));
        assert!(settle(&mut blocks, &outline));
        let levels = blocks.iter().map(|block| match block.kind {
            BlockKind::Heading(level) => level,
            _ => 0,
        });
        assert_eq!(levels.collect::<Vec<u8>>(), [1, 1, 2, 1, 3]);
        let outline = ["x", "y", "z"].map(|title| Title::new(title, 1));
        assert!(!settle(&mut blocks, &outline));
    }

    #[test]
    fn captions_and_numbers_are_recognised_by_their_words() {
        assert!(is_caption("Table 3. What was found"));
        assert!(!is_caption("Tables and chairs"));
        assert_eq!(
            [
                depth("1.3 Words"),
                depth("2. Words"),
                depth("Words"),
                depth("3.5 %")
            ],
            [2, 1, 0, 0]
        );
    }
}
