//! Files of formats that this program does not write, made by hand for the tests with only the necessary parts.

use image::{Rgba, RgbaImage};

/// A PSD whose flattened picture has transparency, and is compressed by PackBits without any runs.
pub(crate) fn psd(picture: &RgbaImage) -> Vec<u8> {
    let (width, height) = picture.dimensions();
    let mut file = b"8BPS\0\x01\0\0\0\0\0\0\0\x04".to_vec();
    file.extend(height.to_be_bytes());
    file.extend(width.to_be_bytes());
    file.extend([0, 8, 0, 3]);
    // No palette and no resources; a layer section that contains only the number of layers, -1, whose sign states that
    // the fourth channel is transparency; and the compression.
    file.extend([0; 8]);
    file.extend([0, 0, 0, 6, 0, 0, 0, 2, 0xff, 0xff, 0, 1]);
    let packed: Vec<Vec<u8>> = (0..4)
        .flat_map(|channel| (0..height).map(move |y| (channel, y)))
        .map(|(channel, y)| {
            let row: Vec<u8> = (0..width)
                .map(|x| {
                    let pixel = picture.get_pixel(x, y).0;
                    if pixel[3] == 0 && channel < 3 {
                        255
                    } else {
                        pixel[channel]
                    }
                })
                .collect();
            row.chunks(128)
                .flat_map(|part| [&[part.len() as u8 - 1], part].concat())
                .collect()
        })
        .collect();
    for row in &packed {
        file.extend((row.len() as u16).to_be_bytes());
    }
    file.extend(packed.concat());
    file
}

/// A PCX with three planes of eight bits, blended with white.
pub(crate) fn pcx(picture: &RgbaImage) -> Vec<u8> {
    let (width, height) = picture.dimensions();
    let mut file = vec![10, 5, 1, 8, 0, 0, 0, 0];
    file.extend((width as u16 - 1).to_le_bytes());
    file.extend((height as u16 - 1).to_le_bytes());
    file.resize(65, 0);
    file.push(3);
    let bytes = width.next_multiple_of(2);
    file.extend((bytes as u16).to_le_bytes());
    file.resize(128, 0);
    for y in 0..height {
        for channel in 0..3 {
            for x in 0..bytes {
                let Rgba(pixel) = *picture.get_pixel(x.min(width - 1), y);
                let sample = if pixel[3] == 0 { 255 } else { pixel[channel] };
                if sample >= 0xc0 {
                    file.push(0xc1);
                }
                file.push(sample);
            }
        }
    }
    file
}
