//! Turns pieces of inline content into measured atoms: white space processing, case, spacing (CSS
//! Text 3, 2, 4 and 7). Breaks no lines.

use super::{
    engine::Engine,
    filling::keep_words,
    fonts,
    runs::{Info, Prepared, What},
    tree::{BoxId, Inlines, Piece, is_space, keeps_lines, keeps_spaces, wraps},
    upright::{is_stacked, stack},
};
use crate::{error::Result, job::Gate};
use convertd_layout::{
    atoms::{Atom, AtomKind, Atoms},
    hyphenation::Hyphenator,
    item::Pen,
    spans::{RunKind, Spans},
    text_format::TextFormat,
    word::Word,
};
use convertd_markup::css::style::{Hyphens, LEFT, RIGHT, Style, TextTransform, UnicodeBidi};
use convertd_tree::Hyphenation;
use std::rc::Rc;

/// Limit on the boxes whose results are cached. The faces cache shaped words even after these results are dropped.
const MAX_PREPARED: usize = 2_000;

/// Inline content during its conversion to runs for the text shaper: the input with its styles, the runs with their
/// origins, and the state of white space processing.
struct Gathered<'i> {
    inlines: &'i Inlines,
    /// Computed style of each span, or its style on the first line.
    styles: Vec<Rc<Style>>,
    looks: Vec<Rc<TextFormat>>,
    spans: Spans,
    /// Kind and span of each run, by its number.
    infos: Vec<Info>,
    /// Whether a collapsible space would be dropped, because it follows another space or is at the start of a line (CSS
    /// Text 3, 4.1.1).
    at_space: bool,
    /// Character before the next text: `text-transform: capitalize` changes the first letters of words, which elements
    /// do not end.
    before: char,
    /// Innermost open span.
    current: usize,
}

impl Gathered<'_> {
    /// Adds a piece.
    fn piece(&mut self, piece: &Piece) {
        match piece {
            Piece::Text(text, span) => self.text(text, *span),
            Piece::Open(span) => {
                self.current = *span;
                self.edge(What::Open(*span), *span);
                self.controls(controls(&self.styles[*span]).0, *span);
            }
            Piece::Close(span) => {
                self.controls(controls(&self.styles[*span]).1, *span);
                self.current = self.inlines.spans[*span].parent.unwrap_or(0);
                self.edge(What::Close(*span), *span);
            }
            Piece::Atomic(id, span) => {
                self.at_space = false;
                self.before = ' ';
                self.object(What::Atomic(*id), *span);
            }
            Piece::Float(id) => self.object(What::Float(*id), self.current),
            Piece::Absolute(id) => self.object(What::Absolute(*id), self.current),
            Piece::Break(span) => {
                // Collapsible spaces at the beginning of the next line are dropped.
                self.at_space = true;
                self.before = ' ';
                self.object(What::Break, *span);
            }
            Piece::Anchor(name) => self.object(What::Anchor(name.clone()), self.current),
        }
    }

    /// Adds text: divides it at preserved line breaks, and collapses its white space.
    fn text(&mut self, text: &str, span: usize) {
        let style = self.styles[span].clone();
        for (nth, line) in split(text, keeps_lines(&style)).enumerate() {
            if nth > 0 {
                self.object(What::Break, span);
                self.at_space = true;
                self.before = ' ';
            }
            let line = collapsed(line, &style, &mut self.at_space);
            let before = line.chars().next_back().unwrap_or(self.before);
            let line = transformed(&line, &style, self.before);
            self.before = before;
            let own = &self.inlines.spans[span];
            self.spans.hyphenated = style.text.hyphens != Hyphens::None;
            self.spans
                .push(&line, &self.looks[span], own.node, own.link);
            self.record(What::Text, span);
        }
        self.current = span;
    }

    /// Adds invisible control characters for bidirectional text.
    fn controls(&mut self, controls: &str, span: usize) {
        let own = &self.inlines.spans[span];
        self.spans
            .push(controls, &self.looks[span], own.node, own.link);
        self.record(What::Text, span);
    }

    /// Adds soft hyphens where `hyphens: auto` asks for them (CSS Text 3, 5.4).
    ///
    /// Errors: the job of `gate` has ended.
    fn hyphenate(&mut self, hyphenator: &mut Hyphenator, gate: &dyn Gate) -> Result<()> {
        let Self {
            spans,
            styles,
            infos,
            ..
        } = self;
        if styles
            .iter()
            .all(|style| style.text.hyphens != Hyphens::Auto)
        {
            return Ok(());
        }
        let limits = |run: usize| {
            let text = &styles[infos[run].span].text;
            let [word, before, after] = text.hyphen_limits;
            let limits = Hyphenation {
                word,
                before,
                after,
                ..Hyphenation::default()
            };
            (text.hyphens == Hyphens::Auto).then_some(limits)
        };
        spans.hyphenate(&limits, None, hyphenator, gate)
    }

    /// Adds the start or end edge of an inline box, if at least one of its edges has a width.
    fn edge(&mut self, what: What, span: usize) {
        if has_edges(&self.inlines.spans[span].style) {
            self.object(what, span);
        }
    }

    /// Adds a run without text: a box, break, float or anchor.
    fn object(&mut self, what: What, span: usize) {
        let own = &self.inlines.spans[span];
        // The shaper supports breaks and pictures, which stand for atomic inlines; every other object is passed to it
        // as an anchor without width.
        let kind = match what {
            What::Break => RunKind::Break,
            What::Atomic(_) => RunKind::Picture {
                number: 0,
                width: 0.0,
                height: 0.0,
                over: Vec::new(),
            },
            _ => RunKind::Anchor("".into()),
        };
        self.spans
            .object(&self.looks[span], own.node, own.link, kind);
        self.record(what, span);
    }

    /// Records kind and span for the runs just added.
    fn record(&mut self, what: What, span: usize) {
        // Adding text may make several runs, which all get the same record.
        let info = Info { span, what };
        self.infos.resize(self.spans.runs.len(), info);
    }
}

impl Engine<'_, '_> {
    /// Measures the inline content of a box. If `first`, the styles are those of the first line. Results are cached.
    ///
    /// Errors: the job has ended.
    pub(crate) fn prepared(
        &mut self,
        id: BoxId,
        inlines: &Inlines,
        first: bool,
    ) -> Result<Rc<Prepared>> {
        if let Some(known) = self.prepared.get(&(id, first)) {
            return Ok(known.clone());
        }
        // On the first line, spans may have other styles.
        let styles: Vec<Rc<Style>> = (0..inlines.spans.len())
            .map(|span| inlines.style(span, first).clone())
            .collect();
        let mut gathered = Gathered {
            inlines,
            looks: styles.iter().map(|style| self.look(style)).collect(),
            styles,
            spans: Spans::default(),
            infos: Vec::new(),
            at_space: true,
            before: ' ',
            current: 0,
        };
        // The block itself gets control characters only if it is an override, because the paragraph has its base
        // direction already.
        let block = gathered.styles.first();
        let (open, close) = match block.filter(|block| is_override(block)) {
            Some(block) => controls(block),
            None => ("", ""),
        };
        gathered.controls(open, 0);
        for piece in &inlines.pieces {
            gathered.piece(piece);
        }
        gathered.controls(close, 0);
        gathered.hyphenate(&mut self.layout.hyphenator, self.layout.job.gate)?;
        let Gathered {
            styles,
            looks,
            spans,
            infos,
            ..
        } = gathered;
        let is_plain = |style: &Rc<Style>| style.unicode_bidi == UnicodeBidi::Plaintext;
        let direction = match styles.first().is_some_and(is_plain) {
            true => None,
            false => looks.first().and_then(|look| look.direction),
        };
        // Shaping ends here; what follows adjusts the measured atoms.
        let mut atoms = Atoms::of(&spans, direction, &mut self.layout.faces);
        for atom in &mut atoms.atoms {
            let style = &styles[infos[atom.run].span];
            space_out(atom, style);
            if is_stacked(style) {
                stack(atom);
            }
            // Without wrapping, only forced breaks end a line.
            if !wraps(style) && !matches!(atom.kind, AtomKind::Break) {
                atom.may_end = false;
            }
        }
        self.kern_spaces(&mut atoms.atoms);
        keep_words(&mut atoms.atoms, |atom| &styles[infos[atom.run].span]);
        let has_tabs = atoms
            .atoms
            .iter()
            .any(|atom| matches!(atom.kind, AtomKind::Tab));
        let tab = match styles.first().filter(|_| has_tabs) {
            Some(style) => fonts::tab(style, &mut self.layout.faces),
            None => 1.0,
        };
        let prepared = Rc::new(Prepared {
            tab,
            atoms: atoms.atoms,
            backwards: atoms.backwards,
            infos,
            styles,
        });
        if self.prepared.len() >= MAX_PREPARED {
            self.prepared.clear();
        }
        self.prepared.insert((id, first), prepared.clone());
        Ok(prepared)
    }
}

/// Returns whether the order of letters follows the direction alone.
fn is_override(style: &Style) -> bool {
    matches!(
        style.unicode_bidi,
        UnicodeBidi::BidiOverride | UnicodeBidi::IsolateOverride
    )
}

/// Control characters at the start and at the end of an inline box (CSS Writing Modes 4, 2.4.2).
fn controls(style: &Style) -> (&'static str, &'static str) {
    match (style.unicode_bidi, style.is_rtl()) {
        (UnicodeBidi::Normal, _) => ("", ""),
        (UnicodeBidi::Embed, false) => ("\u{202a}", "\u{202c}"),
        (UnicodeBidi::Embed, true) => ("\u{202b}", "\u{202c}"),
        (UnicodeBidi::Isolate, false) => ("\u{2066}", "\u{2069}"),
        (UnicodeBidi::Isolate, true) => ("\u{2067}", "\u{2069}"),
        (UnicodeBidi::BidiOverride, false) => ("\u{202d}", "\u{202c}"),
        (UnicodeBidi::BidiOverride, true) => ("\u{202e}", "\u{202c}"),
        (UnicodeBidi::IsolateOverride, false) => ("\u{2068}\u{202d}", "\u{202c}\u{2069}"),
        (UnicodeBidi::IsolateOverride, true) => ("\u{2068}\u{202e}", "\u{202c}\u{2069}"),
        (UnicodeBidi::Plaintext, _) => ("\u{2068}", "\u{2069}"),
    }
}

/// Applies `letter-spacing` and `word-spacing` to the advances of an atom's glyphs.
pub(super) fn space_out(atom: &mut Atom, style: &Style) {
    let text = &style.text;
    let is_space = matches!(atom.kind, AtomKind::Space { .. });
    // Spacing in the design units of the font.
    let extra = |pen: &Pen| {
        let word = if is_space { text.word_spacing } else { 0.0 };
        let per_px = pen.units / pen.size.max(0.01);
        ((text.letter_spacing + word) * per_px).clamp(-1e6, 1e6) as i32
    };
    let (AtomKind::Word { word, pen } | AtomKind::Space { word, pen }) = &mut atom.kind else {
        return;
    };
    let by = extra(pen);
    if by == 0 {
        return;
    }
    // The glyphs of a cached word are shared, so a spaced word is a copy.
    let glyphs: Box<[_]> = word
        .glyphs
        .iter()
        .map(|glyph| convertd_layout::word::Glyph {
            advance: glyph.advance + by,
            ..*glyph
        })
        .collect();
    let advance = word.advance + by * glyphs.len() as i32;
    atom.width = advance as f32 * pen.size / pen.units;
    *word = Rc::new(Word {
        glyphs,
        text: word.text.clone(),
        advance,
        opaque: word.opaque,
    });
}

/// Splits text at its line breaks if these are preserved (`lines`), and otherwise returns it whole.
pub(crate) fn split(text: &str, lines: bool) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let own = rest?;
        let end = if lines { own.find('\n') } else { None };
        match end {
            Some(end) => {
                rest = Some(&own[end + 1..]);
                Some(own[..end].trim_end_matches('\r'))
            }
            None => {
                rest = None;
                Some(own)
            }
        }
    })
}

/// Collapses white space as the style asks (CSS Text 3, 4.1.1). `at_space` is the state after the text before.
pub(crate) fn collapsed(text: &str, style: &Style, at_space: &mut bool) -> String {
    // Preserved spaces do not collapse, and a collapsible space after this text is kept.
    if keeps_spaces(style) {
        if !text.is_empty() {
            *at_space = false;
        }
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_space(c) {
            if !*at_space {
                out.push(' ');
            }
            *at_space = true;
        } else {
            out.push(c);
            *at_space = false;
        }
    }
    out
}

/// Applies `text-transform` (CSS Text 3, 2.1) except `uppercase`, which the shaper does. `before` is the character before
/// the text.
fn transformed(text: &str, style: &Style, mut before: char) -> String {
    match style.text.transform {
        TextTransform::None | TextTransform::Uppercase => text.to_owned(),
        TextTransform::Lowercase => text.to_lowercase(),
        TextTransform::Capitalize => {
            // A letter is the first one of a word if no letter, digit or apostrophe precedes it.
            let mut out = String::with_capacity(text.len());
            for c in text.chars() {
                if before.is_alphanumeric() || before == '\'' {
                    out.push(c);
                } else {
                    out.extend(c.to_uppercase());
                }
                before = c;
            }
            out
        }
    }
}

/// Returns whether an inline box has margin, border or padding at its start or end.
pub(super) fn has_edges(style: &Style) -> bool {
    let some = |side: usize| {
        style.padding[side].of(100.0) != 0.0
            || style.border[side].width() != 0.0
            || matches!(&style.margin[side], convertd_markup::css::style::Size::Length(length) if length.of(100.0) != 0.0)
    };
    some(LEFT) || some(RIGHT)
}
