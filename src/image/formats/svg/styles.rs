//! A hook that resolves the styles of a drawing by the cascade of HTML pages. The cascade belongs to a package above
//! this one, which registers its function here. Reads no style sheet.

use std::sync::OnceLock;

/// A drawing after its styles have been resolved to plain attributes.
pub struct Resolved {
    /// The text of the drawing.
    pub text: String,
    /// Losses, in whole sentences.
    pub notes: Vec<String>,
}

/// Resolves the styles in the text of a drawing. `None` if there is nothing to resolve.
pub type Resolver = fn(&str) -> Option<Resolved>;

/// Memory per byte of a drawing while its styles are resolved, in bytes.
pub(super) const MEMORY: u64 = 60;

static RESOLVER: OnceLock<Resolver> = OnceLock::new();

/// Registers the resolver for all drawings. Only the first call has an effect.
pub fn resolve_with(resolver: Resolver) {
    let _ = RESOLVER.set(resolver);
}

/// Resolves the styles of a drawing, if a resolver is registered. Without one, usvg's own cascade of CSS 2.1 is used.
pub(super) fn resolved(text: &str) -> Option<Resolved> {
    RESOLVER.get().and_then(|resolver| resolver(text))
}
