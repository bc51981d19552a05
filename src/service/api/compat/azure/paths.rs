//! Paths of Azure's Document Intelligence, below `/documentintelligence/documentModels/`. Handles no request.

use crate::id::ConversionId;

/// The only supported model.
pub(super) const MODEL: &str = "prebuilt-read";

/// Returns whether a path starts an analysis with the supported model.
pub(super) fn is_analyze(path: &str) -> bool {
    matches!(model_and_action(path), Some((MODEL, "analyze")))
}

/// Returns whether a path starts an analysis with any other model.
pub(super) fn is_unknown_model(path: &str) -> bool {
    matches!(model_and_action(path), Some((model, "analyze")) if model != MODEL)
}

fn model_and_action(path: &str) -> Option<(&str, &str)> {
    // Some clients percent-encode the colon.
    ["%3A", "%3a", ":"]
        .iter()
        .find_map(|colon| path.split_once(colon))
        .filter(|(model, _)| !model.contains('/'))
}

/// The analysis whose state and result have this path.
pub(super) fn result(path: &str) -> Option<ConversionId> {
    let rest = path.strip_prefix(MODEL)?;
    rest.strip_prefix("/analyzeResults/")?.parse().ok()
}

/// The analysis whose searchable PDF has this path.
pub(super) fn pdf(path: &str) -> Option<ConversionId> {
    result(path.strip_suffix("/pdf")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_the_read_model() {
        const ID: &str = "58a2a33e-2e3a-42d6-96a2-e901043d1aca";
        let id: ConversionId = ID.parse().unwrap();
        assert!(is_analyze("prebuilt-read:analyze"));
        assert!(is_analyze("prebuilt-read%3Aanalyze"));
        assert!(!is_analyze("prebuilt-read:analyzeBatch"));
        assert!(!is_analyze("prebuilt-layout:analyze"));
        assert!(is_unknown_model("prebuilt-layout:analyze"));
        assert!(!is_unknown_model("prebuilt-read:analyze"));
        assert!(!is_unknown_model("a/b:analyze"));
        let results = "prebuilt-read/analyzeResults";
        assert_eq!(result(&format!("{results}/{ID}")), Some(id));
        assert_eq!(pdf(&format!("{results}/{ID}/pdf")), Some(id));
        assert_eq!(pdf(&format!("{results}/{ID}")), None);
        assert_eq!(result(&format!("{results}/{ID}/pdf")), None);
        assert_eq!(result(&format!("{results}/1")), None);
        assert_eq!(pdf(&format!("{results}/{ID}/figures/1")), None);
    }
}
