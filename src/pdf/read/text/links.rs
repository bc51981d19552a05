//! Links of a page with areas and URIs (ISO 32000-2, 12.5.6.5 and 12.6.4.8). Never follows them.

use super::strings;
use hayro::{
    hayro_syntax::{
        object::{Array, Dict, Name, Rect as PdfRect, String as PdfString},
        page::Page,
    },
    kurbo::{Affine, Point, Rect},
};

/// Limit on the annotations of a page that are read.
const MAX: usize = 10_000;

/// Limit on the length of a URI, in bytes.
const LONGEST: usize = 2_000;

/// Links of a page.
#[derive(Debug, Default)]
pub(crate) struct Links {
    /// Areas on the upright page, in points.
    areas: Vec<Rect>,
    /// URIs, in the order of the areas.
    pub(crate) targets: Vec<String>,
}

impl Links {
    /// Reads the links of a page that have a URI.
    pub(crate) fn of(page: &Page<'_>) -> Self {
        let mut links = Self::default();
        let upright = Affine::new(page.initial_transform(true).as_coeffs());
        let Some(annotations) = page.raw().get::<Array<'_>>("Annots") else {
            return links;
        };
        for annotation in annotations.iter::<Dict<'_>>().take(MAX) {
            // Only links to URIs are read: links within the file have no target in a document.
            let kind = annotation.get::<Name<'_>>("Subtype");
            let action = annotation.get::<Dict<'_>>("A");
            if kind.is_some_and(|kind| &*kind == b"Link")
                && let Some(address) = action.and_then(|it| it.get::<PdfString<'_>>("URI"))
                && let Some(area) = annotation.get::<PdfRect>("Rect")
                && address.len() <= LONGEST
            {
                let area = Rect::new(area.x0, area.y0, area.x1, area.y1);
                links.areas.push(upright.transform_rect_bbox(area));
                links
                    .targets
                    .push(strings::decode(&address).trim().to_owned());
            }
        }
        links
    }

    /// Index of the link at a point of the upright page.
    pub(crate) fn at(&self, place: Point) -> Option<u16> {
        let at = self.areas.iter().position(|area| area.contains(place))?;
        u16::try_from(at).ok()
    }
}
