//! The styles of a drawing, resolved by a cascade that is not known here: that of pages, which stands above this package and says so once.
//! Reads no style sheet.

use std::sync::OnceLock;

/// A drawing whose elements have plain attributes alone.
pub struct Resolved {
    /// The text of the drawing.
    pub text: String,
    /// Losses, in whole sentences.
    pub notes: Vec<String>,
}

/// Resolves the styles in the text of a drawing. `None` if there is nothing to resolve.
pub type Resolver = fn(&str) -> Option<Resolved>;

/// Bytes that a byte of a drawing takes while its styles are resolved.
pub(super) const MEMORY: u64 = 60;

static RESOLVER: OnceLock<Resolver> = OnceLock::new();

/// Takes a resolver for all drawings from now on. The first one stays.
pub fn resolve_with(resolver: Resolver) {
    let _ = RESOLVER.set(resolver);
}

/// Resolves the styles of a drawing, if anybody can. Without that, usvg's own cascade of CSS 2.1 does what it can.
pub(super) fn resolved(text: &str) -> Option<Resolved> {
    RESOLVER.get().and_then(|resolver| resolver(text))
}
