//! The services whose clients get drop-in answers, and their paths. Handles no request.

#[cfg(feature = "ocr")]
use super::azure::route as azure;
use super::{
    docling::route as docling, gotenberg::route as gotenberg, openwebui::route as openwebui,
    tika::route as tika,
};
use std::str::FromStr;

/// The enabled services.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compat(Vec<Service>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Service {
    #[cfg(feature = "ocr")]
    Azure,
    Docling,
    Gotenberg,
    OpenWebUi,
    Tika,
}

/// Parses a list such as `gotenberg,tika`.
impl FromStr for Compat {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let service = |name: &str| match name.trim() {
            #[cfg(feature = "ocr")]
            "azure" => Ok(Service::Azure),
            "docling" => Ok(Service::Docling),
            "gotenberg" => Ok(Service::Gotenberg),
            "openwebui" => Ok(Service::OpenWebUi),
            "tika" => Ok(Service::Tika),
            _ => Err(()),
        };
        text.split(',')
            .map(service)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

/// A path of another service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::api) enum Route {
    #[cfg(feature = "ocr")]
    Azure(azure::Route),
    Docling(docling::Route),
    Gotenberg(gotenberg::Route),
    OpenWebUi(openwebui::Route),
    Tika(tika::Route),
}

/// The labels of these services in metrics.
pub(in crate::api) const LABELS: [&str; 5] = ["azure", "docling", "gotenberg", "openwebui", "tika"];

impl Route {
    /// Label of the service in metrics.
    pub(in crate::api) fn label(self) -> &'static str {
        match self {
            #[cfg(feature = "ocr")]
            Self::Azure(_) => LABELS[0],
            Self::Docling(_) => LABELS[1],
            Self::Gotenberg(_) => LABELS[2],
            Self::OpenWebUi(_) => LABELS[3],
            Self::Tika(_) => LABELS[4],
        }
    }
}

impl Compat {
    /// Parses a path. If two services have the same path, the one that the operator named first gets it.
    pub(in crate::api) fn parse(&self, path: &str) -> Option<Route> {
        self.0.iter().find_map(|service| match service {
            #[cfg(feature = "ocr")]
            Service::Azure => azure::Route::parse(path).map(Route::Azure),
            Service::Docling => docling::Route::parse(path).map(Route::Docling),
            Service::Gotenberg => gotenberg::Route::parse(path).map(Route::Gotenberg),
            Service::OpenWebUi => openwebui::Route::parse(path).map(Route::OpenWebUi),
            Service::Tika => tika::Route::parse(path).map(Route::Tika),
        })
    }
}
