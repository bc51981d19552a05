//! Interprets the content of pages without storing it.
//!
//! hayro's own function stores the decoded content stream in the page, where it stays until the file is closed. In a
//! long file, these streams together take more memory than everything that is read from them. This module therefore
//! drops each stream after its page.

use hayro::{
    hayro_interpret::{
        Context, Device, InterpreterCache, InterpreterSettings, RenderContent, interpret,
        interpret_page,
    },
    hayro_syntax::{
        content::TypedIter,
        object::{Array, Stream},
        page::Page,
    },
    kurbo::{Affine, Rect},
};

/// Passes the content of an upright page to the device, and then its annotations. The unit is the point, and `y` points
/// downwards.
pub(crate) fn draw<'a>(
    page: &Page<'a>,
    cache: &InterpreterCache<'a>,
    device: &mut impl Device<'a>,
) {
    let context = |render_content| {
        let upright = Affine::new(page.initial_transform(true).as_coeffs());
        let settings = InterpreterSettings {
            render_content,
            ..InterpreterSettings::default()
        };
        Context::new(upright, area(page), cache, page.xref(), settings)
    };
    let content = decoded(page);
    let operations = TypedIter::new(&content);
    interpret(
        operations,
        page.resources(),
        &mut context(RenderContent::PAGE),
        device,
    );
    interpret_page(page, &mut context(RenderContent::ANNOTATIONS), device);
}

/// The rectangle of an upright page, in points.
pub(crate) fn area(page: &Page<'_>) -> Rect {
    let (width, height) = page.render_dimensions();
    Rect::new(0.0, 0.0, width.into(), height.into())
}

/// The content stream of a page. If it consists of several streams, they are separated by spaces (ISO 32000-2, table
/// 31). Damaged or missing streams are left out.
fn decoded(page: &Page<'_>) -> Vec<u8> {
    const CONTENTS: &str = "Contents";
    if let Some(stream) = page.raw().get::<Stream<'_>>(CONTENTS) {
        return stream.decoded_data().unwrap_or_default().into_owned();
    }
    let Some(streams) = page.raw().get::<Array<'_>>(CONTENTS) else {
        return Vec::new();
    };
    let mut content = Vec::new();
    // `Array::iter` ends at the first item that is not a stream, so the references are resolved here.
    for reference in streams.raw_iter().filter_map(|item| item.as_obj_ref()) {
        let stream = page.xref().get::<Stream<'_>>(reference.into());
        if let Some(Ok(data)) = stream.map(|stream| stream.decoded_data()) {
            content.extend_from_slice(&data);
            content.push(b' ');
        }
    }
    content
}
