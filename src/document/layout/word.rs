//! A word that has been shaped: its glyphs in one face, with their advances in units of the font, so that it serves at every size.

/// A glyph of a shaped word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glyph {
    /// The number of the pair of it and the text that it stands for, among those that [were used](crate::fonts::used).
    pub(crate) number: u16,
    /// Where its cluster begins in the word's text.
    pub(crate) start: u16,
    /// Its own width, in units of the font.
    pub(crate) own: u16,
    /// How far the next one is, in units of the font: its width, and what the pair of them wants.
    pub(crate) advance: i32,
    /// Where it is drawn, from where it would be, in units of the font.
    pub(crate) dx: i16,
    pub(crate) dy: i16,
}

/// Text without a line break in it, in one face.
#[derive(Debug)]
pub(crate) struct Word {
    /// From left to right, as they are drawn.
    pub(crate) glyphs: Box<[Glyph]>,
    /// What it says.
    pub(crate) text: Box<str>,
    /// The sum of all advances, in units of the font.
    pub(crate) advance: i32,
    /// Its glyphs do not tell its text, so a file has to.
    pub(crate) opaque: bool,
}

impl Word {
    /// The word in two, in front of the cluster that `at` (in its text) lies in or begins.
    pub(crate) fn split(&self, at: usize) -> (Self, Self) {
        let starts = self.glyphs.iter().map(|glyph| usize::from(glyph.start));
        let at = starts.filter(|start| *start <= at).max().unwrap_or(0);
        let part = |keep: &dyn Fn(usize) -> bool, text: &str, shift: usize| {
            let kept = self
                .glyphs
                .iter()
                .filter(|glyph| keep(usize::from(glyph.start)));
            let glyphs: Box<[Glyph]> = kept
                .map(|glyph| Glyph {
                    start: (usize::from(glyph.start) - shift) as u16,
                    ..*glyph
                })
                .collect();
            Self {
                advance: glyphs.iter().map(|glyph| glyph.advance).sum(),
                glyphs,
                text: text.into(),
                opaque: self.opaque,
            }
        };
        let (head, tail) = self.text.split_at(at);
        (
            part(&|start| start < at, head, 0),
            part(&|start| start >= at, tail, at),
        )
    }

    /// The same with so much more room behind each letter, in units of the font. Marks stay on their letters.
    pub(crate) fn spaced(&self, room: i32) -> Self {
        let starts = self.glyphs.iter().map(|glyph| glyph.start);
        let next = starts.skip(1).map(Some).chain([None]);
        let glyphs: Box<[Glyph]> = self
            .glyphs
            .iter()
            .zip(next)
            .map(|(glyph, next)| {
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

    /// How many bytes of its text fit into `room` units of the font, whole clusters only, at least one cluster.
    pub(crate) fn fitting(&self, room: f32) -> usize {
        let parts = self.glyphs.iter();
        let mut parts: Vec<(u16, i32)> = parts.map(|glyph| (glyph.start, glyph.advance)).collect();
        parts.sort_unstable();
        let mut used = 0.0;
        for (index, cluster) in parts.chunk_by(|one, other| one.0 == other.0).enumerate() {
            used += cluster.iter().map(|part| part.1 as f32).sum::<f32>();
            if used > room && index > 0 {
                return usize::from(cluster[0].0);
            }
        }
        self.text.len()
    }
}
