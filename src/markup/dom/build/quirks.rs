//! The mode of a page that its document type selects (HTML, 13.2.6.4.1), and its effect on names.

use super::{Data, Dom, Quirks};
use crate::syntax::tokens::Doctype;

/// Converts all classes and identifiers to lower case, because quirks mode compares them without regard to case.
pub(super) fn fold_case(dom: &mut Dom) {
    let Dom { nodes, names, .. } = dom;
    for node in nodes {
        if let Data::Element(element) | Data::Drawing(element, ..) = &mut node.data {
            for name in element.classes.iter_mut().chain(&mut element.id) {
                let lower = names.name(*name).to_ascii_lowercase();
                *name = names.number(&lower);
            }
        }
    }
}

/// The mode that a document type selects (HTML, 13.2.6.4.1), by its name and its public and system identifiers.
pub(super) fn quirks(doctype: &Doctype) -> Quirks {
    /// Beginnings of public identifiers that select quirks mode.
    const FULL: [&str; 12] = [
        "-//ietf//dtd html",
        "-//w3c//dtd html 3",
        "-//w3c//dtd html experimental",
        "-//w3c//dtd w3 html",
        "-//w3o//dtd w3 html",
        "-//w3c//dtd html 4.0 frameset//",
        "-//w3c//dtd html 4.0 transitional//",
        "-//netscape",
        "-//microsoft",
        "-//webtechs",
        "-//softquad",
        "html",
    ];
    let public = doctype.public.as_deref().unwrap_or_default();
    let public = public.to_ascii_lowercase();
    let begins = |start: &str| public.starts_with(start);
    // With a system identifier, these select limited quirks mode, and without one, quirks mode.
    let loose = begins("-//w3c//dtd html 4.01 frameset//")
        || begins("-//w3c//dtd html 4.01 transitional//");
    if doctype.force_quirks
        || !doctype.name.eq_ignore_ascii_case("html")
        || FULL.iter().any(|start| begins(start))
        || loose && doctype.system.is_none()
    {
        return Quirks::Full;
    }
    if loose
        || begins("-//w3c//dtd xhtml 1.0 frameset//")
        || begins("-//w3c//dtd xhtml 1.0 transitional//")
    {
        return Quirks::Limited;
    }
    Quirks::None
}
