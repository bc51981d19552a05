//! Opens a surface ("DDS file layout" in the documentation of Direct3D): reads the header, and chooses the reader of
//! the pixels. Only the first surface of a file is read.

use super::{indexed, known, masks};
use crate::source::{Source, failed};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use dds::{
    DataLayout, Format, TextureArrayKind,
    header::{Header, ParseOptions, RawHeader},
};

/// Opens a DDS file: uncompressed, with a palette, or in a block format. Only the first picture of arrays, cube maps
/// and volumes is read.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    mut input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    Header::read_magic(&mut input).map_err(|err| failed(job, err))?;
    let mut raw = RawHeader::read(&mut input).map_err(|err| failed(job, err))?;
    // Some writers do not state the dimension of the texture. It then counts as a texture of two dimensions.
    if let Some(extension) = &mut raw.dx10
        && extension.resource_dimension == 0
    {
        const TEXTURE_2D: u32 = 3;
        extension.resource_dimension = TEXTURE_2D;
    }
    if indexed::is_indexed(&raw) {
        return indexed::open(job, input, &raw);
    }
    let options = ParseOptions::new_permissive(Some(job.input_len));
    let header = Header::from_raw(&raw, &options);
    let left_out = header.as_ref().ok().and_then(left_out);
    let pixels = masks::Pixels::of(&raw);
    let format = header.as_ref().ok();
    let format = format.and_then(|header| Format::from_header(header).ok());
    match (pixels, header) {
        (Some(pixels), _) if !pixels.is_like(format) || pixels.is_padded(&raw) => {
            masks::open(job, input, &raw, pixels, left_out)
        }
        (_, header) => {
            let header = header.map_err(|err| failed(job, err))?;
            known::open(job, input, &header, left_out)
        }
    }
}

/// Note on a file with more than one picture. Mipmaps are the same picture in smaller sizes, so nothing is lost without
/// them.
fn left_out(header: &Header) -> Option<String> {
    match DataLayout::from_header(header).ok()? {
        DataLayout::Texture(_) => None,
        DataLayout::TextureArray(array) => match array.kind() {
            TextureArrayKind::Textures if array.len() < 2 => None,
            TextureArrayKind::Textures => Some(format!(
                "The file holds an array of {} pictures; only the first was kept.",
                array.len()
            )),
            TextureArrayKind::CubeMaps | TextureArrayKind::PartialCubeMap(_) => {
                Some("The file holds the faces of a cube map; only the first was kept.".to_owned())
            }
        },
        DataLayout::Volume(volume) => match volume.main().depth() {
            0 | 1 => None,
            slices => Some(format!(
                "The file holds a volume of {slices} slices; only the first was kept."
            )),
        },
    }
}
