//! A shaped word: its glyphs in one face. Advances are in units of the font, so that the word can be used at every
//! size.

/// A glyph of a shaped word.
#[derive(Clone, Copy, Debug)]
pub struct Glyph {
    /// Index of the pair of glyph and text that it shows, among the pairs that [were used](crate::fonts::used).
    pub number: u16,
    /// Start of its cluster in the word's text, in bytes.
    pub start: u16,
    /// The advance that the font states for the glyph, in units of the font.
    pub own: u16,
    /// Advance to the next glyph, with kerning, in units of the font.
    pub advance: i32,
    /// Offset to the right of its regular position, in units of the font.
    pub dx: i16,
    /// Offset upwards from its regular position, in units of the font.
    pub dy: i16,
}

/// Text without a line break in it, in one face.
#[derive(Debug)]
pub struct Word {
    /// Glyphs in visual order, from left to right.
    pub glyphs: Box<[Glyph]>,
    /// The characters of the word, in logical order.
    pub text: Box<str>,
    /// The sum of all advances, in units of the font.
    pub advance: i32,
    /// Whether the text cannot be derived from the glyphs, so that a file has to state it (`ActualText`).
    pub opaque: bool,
}

impl Word {
    /// The same glyphs without text: a copy for decoration, such as a shadow.
    pub fn unspoken(&self) -> Self {
        Self {
            glyphs: self.glyphs.clone(),
            text: "".into(),
            advance: self.advance,
            opaque: true,
        }
    }

    /// Divides the word in front of the cluster that contains byte `at` of its text.
    pub fn split(&self, at: usize) -> (Self, Self) {
        let start = |glyph: &Glyph| usize::from(glyph.start);
        // Clusters are in the order of the text, or in the opposite order.
        let (before, after, at) = match self.is_backwards() {
            false => {
                // `at` becomes the start of its cluster, which may have several glyphs.
                let end = self.glyphs.partition_point(|glyph| start(glyph) <= at);
                let at = end
                    .checked_sub(1)
                    .map_or(0, |last| start(&self.glyphs[last]));
                let cut = self.glyphs.partition_point(|glyph| start(glyph) < at);
                let (before, after) = self.glyphs.split_at(cut);
                (before, after, at)
            }
            true => {
                let from = self.glyphs.partition_point(|glyph| start(glyph) > at);
                let at = self.glyphs.get(from).map_or(0, start);
                let cut = self.glyphs.partition_point(|glyph| start(glyph) >= at);
                let (after, before) = self.glyphs.split_at(cut);
                (before, after, at)
            }
        };
        let (head, tail) = self.text.split_at(at);
        (self.part(before, head, 0), self.part(after, tail, at))
    }

    /// Some glyphs of the word with their text, which begins at byte `start`.
    fn part(&self, glyphs: &[Glyph], text: &str, start: usize) -> Self {
        let glyphs: Box<[Glyph]> = glyphs
            .iter()
            .map(|glyph| Glyph {
                start: (usize::from(glyph.start) - start) as u16,
                ..*glyph
            })
            .collect();
        Self {
            advance: glyphs.iter().map(|glyph| glyph.advance).sum(),
            glyphs,
            text: text.into(),
            opaque: self.opaque,
        }
    }

    /// Clusters of the word in logical order, each as a word.
    pub fn clusters(&self) -> Vec<Self> {
        let mut all: Vec<&[Glyph]> = (self.glyphs)
            .chunk_by(|one, other| one.start == other.start)
            .collect();
        if self.is_backwards() {
            all.reverse();
        }
        let starts = all.iter().map(|glyphs| usize::from(glyphs[0].start));
        let ends = starts.clone().skip(1).chain([self.text.len()]);
        let words = all
            .iter()
            .zip(starts.zip(ends))
            .map(|(glyphs, (start, end))| {
                let text = self.text.get(start..end).unwrap_or_default();
                self.part(glyphs, text, start)
            });
        words.collect()
    }

    /// Returns whether its first cluster is the rightmost one.
    pub fn is_backwards(&self) -> bool {
        match (self.glyphs.first(), self.glyphs.last()) {
            (Some(first), Some(last)) => first.start > last.start,
            _ => false,
        }
    }

    /// The word with letter spacing, in units of the font. Marks stay on their letters.
    pub fn spaced(&self, room: i32) -> Self {
        let starts = self.glyphs.iter().map(|glyph| glyph.start);
        let next = starts.skip(1).map(Some).chain([None]);
        let glyphs: Box<[Glyph]> = self
            .glyphs
            .iter()
            .zip(next)
            .map(|(glyph, next)| {
                // Glyphs of one cluster, such as a letter and its mark, stay together.
                let room = if next == Some(glyph.start) { 0 } else { room };
                Glyph {
                    advance: glyph.advance + room,
                    ..*glyph
                }
            })
            .collect();
        Self {
            advance: glyphs.iter().map(|glyph| glyph.advance).sum(),
            glyphs,
            text: self.text.clone(),
            opaque: self.opaque,
        }
    }

    /// Number of bytes of the word's text that fit into `room` units of the font. Counts whole clusters, and at least
    /// one.
    pub fn fitting(&self, room: f32) -> usize {
        let same = |one: &Glyph, other: &Glyph| one.start == other.start;
        match self.is_backwards() {
            false => clusters_fitting(self.glyphs.chunk_by(same), room),
            true => clusters_fitting(self.glyphs.chunk_by(same).rev(), room),
        }
        .unwrap_or(self.text.len())
    }
}

/// Byte offset of the first cluster that does not fit into `room`. The first cluster always fits. `None` if all
/// clusters fit.
fn clusters_fitting<'g>(clusters: impl Iterator<Item = &'g [Glyph]>, room: f32) -> Option<usize> {
    let mut used = 0.0;
    for (index, cluster) in clusters.enumerate() {
        used += cluster
            .iter()
            .map(|glyph| glyph.advance as f32)
            .sum::<f32>();
        if used > room && index > 0 {
            return cluster.first().map(|glyph| usize::from(glyph.start));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word with one glyph for each letter, each ten units wide.
    fn word(text: &str, backwards: bool) -> Word {
        let glyph = |start: usize| Glyph {
            number: start as u16,
            start: start as u16,
            own: 10,
            advance: 10,
            dx: 0,
            dy: 0,
        };
        let mut glyphs: Vec<Glyph> = (0..text.len()).map(glyph).collect();
        if backwards {
            glyphs.reverse();
        }
        Word {
            advance: 10 * text.len() as i32,
            glyphs: glyphs.into(),
            text: text.into(),
            opaque: false,
        }
    }

    #[test]
    fn words_split_equally_in_both_directions() {
        for backwards in [false, true] {
            let word = word("abcdef", backwards);
            assert_eq!(word.fitting(0.0), 1);
            assert_eq!(word.fitting(35.0), 3);
            assert_eq!(word.fitting(600.0), 6);
            let (head, tail) = word.split(2);
            assert_eq!((&*head.text, head.advance), ("ab", 20));
            assert_eq!((&*tail.text, tail.advance), ("cdef", 40));
            let starts = |word: &Word| {
                let mut all: Vec<u16> = word.glyphs.iter().map(|glyph| glyph.start).collect();
                all.sort_unstable();
                all
            };
            assert_eq!(starts(&head), [0, 1]);
            assert_eq!(starts(&tail), [0, 1, 2, 3]);
        }
    }
}
