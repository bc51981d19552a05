//! Parses the paths of Azure's Document Intelligence. Handles no request.

use crate::{http::Method, id::ConversionId};

/// The only supported model.
pub(super) const MODEL: &str = "prebuilt-read";

/// A request, by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::api) enum Route {
    /// `documentModels/prebuilt-read:analyze`: starts an analysis.
    Analyze,
    /// `…/analyzeResults/ID`: state and result of an analysis.
    Result(ConversionId),
    /// `…/analyzeResults/ID/pdf`: the document as a searchable PDF.
    Pdf(ConversionId),
    /// `:analyze` for any other model.
    UnknownModel,
    /// Any other path below `/documentintelligence/`, and malformed identifiers.
    Nothing,
}

impl Route {
    pub(in crate::api::compat) fn parse(path: &str) -> Option<Self> {
        let path = path.strip_prefix("/documentintelligence/")?;
        let Some(rest) = path.strip_prefix("documentModels/") else {
            return Some(Self::Nothing);
        };
        // Some clients percent-encode the colon.
        let rest = rest.replacen("%3A", ":", 1).replacen("%3a", ":", 1);
        let end = rest.find([':', '/']).unwrap_or(rest.len());
        let (model, action) = rest.split_at(end);
        let Some(id) = action.strip_prefix("/analyzeResults/") else {
            return Some(match action {
                ":analyze" if model == MODEL => Self::Analyze,
                ":analyze" => Self::UnknownModel,
                _ => Self::Nothing,
            });
        };
        let (id, form) = id
            .split_once('/')
            .map_or((id, None), |(id, form)| (id, Some(form)));
        let id = id.parse::<ConversionId>();
        Some(match (model, id, form) {
            (MODEL, Ok(id), None) => Self::Result(id),
            (MODEL, Ok(id), Some("pdf")) => Self::Pdf(id),
            _ => Self::Nothing,
        })
    }

    pub(super) fn allows(self, method: Method) -> bool {
        match self {
            Self::Analyze | Self::UnknownModel => method == Method::Post,
            Self::Result(_) => {
                matches!(method, Method::Get | Method::Head | Method::Delete)
            }
            Self::Pdf(_) => matches!(method, Method::Get | Method::Head),
            Self::Nothing => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_the_read_model() {
        const ID: &str = "58a2a33e-2e3a-42d6-96a2-e901043d1aca";
        let id: ConversionId = ID.parse().unwrap();
        #[track_caller]
        fn check(path: &str, route: Option<Route>) {
            assert_eq!(Route::parse(path), route, "{path}");
        }
        let models = "/documentintelligence/documentModels";
        check(
            &format!("{models}/prebuilt-read:analyze"),
            Some(Route::Analyze),
        );
        check(
            &format!("{models}/prebuilt-read%3Aanalyze"),
            Some(Route::Analyze),
        );
        check(
            &format!("{models}/prebuilt-layout:analyze"),
            Some(Route::UnknownModel),
        );
        let results = format!("{models}/prebuilt-read/analyzeResults");
        check(&format!("{results}/{ID}"), Some(Route::Result(id)));
        check(&format!("{results}/{ID}/pdf"), Some(Route::Pdf(id)));
        check(&format!("{results}/{ID}/figures/1"), Some(Route::Nothing));
        check(&format!("{results}/1"), Some(Route::Nothing));
        check("/documentintelligence/info", Some(Route::Nothing));
        check("/api/v1/health", None);
    }
}
