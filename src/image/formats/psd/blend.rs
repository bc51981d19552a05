//! Blends a pixel of a layer with the pixel below it (PDF 1.7, sections 11.3.5 and 11.3.6, which describe the modes of
//! Photoshop). Only modes that treat each colour separately are supported.

/// Blend function of the colour below and the layer's colour, both from 0 to 1.
pub(crate) type Blend = fn(f32, f32) -> f32;

/// Blend function of a mode by its four-letter key; the layer's colour is the second argument. `None` for modes that
/// are treated as normal.
pub(crate) fn mode(key: [u8; 4]) -> Option<Blend> {
    Some(match &key {
        b"norm" | b"pass" => |_, above| above,
        b"mul " => |below, above| below * above,
        b"scrn" => |below, above| below + above - below * above,
        b"over" => |below, above| hard(above, below),
        b"hLit" => hard,
        b"dark" => f32::min,
        b"lite" => f32::max,
        b"lddg" => |below, above| (below + above).min(1.0),
        b"lbrn" => |below, above| (below + above - 1.0).max(0.0),
        b"diff" => |below, above| (below - above).abs(),
        b"smud" => |below, above| below + above - 2.0 * below * above,
        _ => return None,
    })
}

/// The mode "hard light": multiplies with dark colours, screens with light ones.
fn hard(below: f32, above: f32) -> f32 {
    if above <= 0.5 {
        below * 2.0 * above
    } else {
        let above = 2.0 * above - 1.0;
        below + above - below * above
    }
}

/// Blends `above` over `below`. Both slices have the same length, and hold the colours of a pixel and then its alpha.
/// Colours are not multiplied by alpha. The samples of `above` are from 0 to 1.
pub(crate) fn pixel(below: &mut [u16], above: &[f32], blend: Blend) {
    let (Some((alpha, colours)), Some((&over, above))) =
        (below.split_last_mut(), above.split_last())
    else {
        return;
    };
    if over <= 0.0 {
        return;
    }
    let most = f32::from(u16::MAX);
    let under = f32::from(*alpha) / most;
    let whole = over + under - over * under;
    for (colour, &above) in colours.iter_mut().zip(above) {
        // PDF 1.7, section 11.3.6: where the layer below is transparent, the blend function has no effect.
        let below = f32::from(*colour) / most;
        let mixed = (1.0 - under) * above + under * blend(below, above);
        let share = over / whole;
        *colour = (((1.0 - share) * below + share * mixed) * most + 0.5) as u16;
    }
    *alpha = (whole * most + 0.5) as u16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(key: &[u8; 4], below: [u16; 2], above: [f32; 2], expected: [u16; 2]) {
        let mut found = below;
        pixel(&mut found, &above, mode(*key).unwrap());
        assert_eq!(found, expected);
    }

    #[test]
    fn layers_are_blended() {
        check(b"norm", [0, 65_535], [1.0, 0.5], [32_768, 65_535]);
        check(b"norm", [40_000, 0], [1.0, 0.5], [65_535, 32_768]);
        check(b"norm", [40_000, 65_535], [1.0, 0.0], [40_000, 65_535]);
        check(b"norm", [40_000, 100], [0.2, 1.0], [13_107, 65_535]);
        check(b"mul ", [32_768, 65_535], [0.5, 1.0], [16_384, 65_535]);
        // Over transparency, a layer keeps its own colour.
        check(b"mul ", [0, 0], [0.5, 1.0], [32_768, 65_535]);
        check(b"scrn", [32_768, 65_535], [0.5, 1.0], [49_152, 65_535]);
        assert!(mode(*b"hue ").is_none());
    }
}
