//! Prepares the working picture: the page in the form that is best for finding and reading lines. Finds no lines.
//!
//! Letters should be 15 to 44 pixels high without ascenders: the networks scale lines to a height of 36 or 48 pixels,
//! and dots, commas and the gaps between letters survive a threshold only above that size. Smaller letters are
//! enlarged, and larger ones reduced, which saves time. Light is evened out, isolated pixels are removed, and the page
//! is rotated until its lines are level.

use super::{bits::Bits, components::Components, light, light::Light, marks, salt, skew};
use crate::{
    page::Page,
    raster::{Grey, Map, halved, resampled},
};
use convertd_core::{error::Result, job::Job};

/// Largest number of pixels of a working picture. Larger pages are reduced first.
const MAX_PIXELS: usize = 64 << 20;
/// Largest number of pixels of an enlarged page. A page that would have more is not enlarged.
const MAX_ENLARGED: usize = 40 << 20;
/// The x-height in pixels below which a page is enlarged.
const LEAST_X_HEIGHT: i32 = 15;
/// The x-height in pixels above which a page is reduced.
const MAX_X_HEIGHT: i32 = 44;
/// The x-height in pixels below which a page is enlarged three times instead of twice.
const TINY_X_HEIGHT: i32 = 8;

/// Pixels of the page. They are copied only if something has to be changed.
pub(super) enum Shown<'a, 'p> {
    Page(Page<'p>),
    Own(Grey<'a>),
}

impl<'a> Shown<'a, '_> {
    pub(super) fn page(&self) -> Page<'_> {
        match self {
            Self::Page(page) => *page,
            Self::Own(grey) => grey.page(),
        }
    }

    /// The pixels, copied if necessary, to be changed.
    fn own(&mut self, job: &Job<'a>) -> Result<&mut Grey<'a>> {
        if let Self::Page(page) = self {
            let mut grey = Grey::filled(job, page.width, page.height, 0)?;
            grey.samples.copy_from_slice(page.grey);
            *self = Self::Own(grey);
        }
        match self {
            Self::Own(grey) => Ok(grey),
            Self::Page(_) => unreachable!("it was made its own above"),
        }
    }
}

/// The working picture.
pub(super) struct Sheet<'a, 'p> {
    pub(super) shown: Shown<'a, 'p>,
    /// The map from the page to the working picture.
    pub(super) map: Map,
    /// The pixels with ink.
    pub(super) bits: Bits<'a>,
    /// Median height of the letters in pixels. 0 if nothing on the page could be a letter.
    pub(super) x_height: i32,
}

/// Makes the working picture of a page.
pub(super) fn prepare<'a, 'p>(job: &Job<'a>, page: &Page<'p>) -> Result<Sheet<'a, 'p>> {
    let mut shown = Shown::Page(*page);
    let mut steps = 0;
    while shown.page().grey.len() > MAX_PIXELS {
        shown = Shown::Own(halved(job, &shown.page())?);
        steps += 1;
    }
    if salt::is_salted(job, &shown.page())? {
        let mut clean = Grey::filled(job, shown.page().width, shown.page().height, 0)?;
        clean.samples.copy_from_slice(shown.page().grey);
        salt::remove(job, &shown.page(), &mut clean.samples)?;
        shown = Shown::Own(clean);
    }
    let mut noisy = false;
    let (bits, x_height, ground) = loop {
        let ground = even_out(job, &mut shown)?;
        let mut bits = ink(job, &shown.page(), noisy)?;
        let mut components = Components::find(job, &bits)?;
        if !noisy
            && components
                .as_ref()
                .is_none_or(|found| marks::is_noisy(&found.list))
        {
            noisy = true;
            drop((components, bits));
            bits = ink(job, &shown.page(), noisy)?;
            components = Components::find(job, &bits)?;
        }
        let x_height = match components {
            Some(components) => marks::x_height(&components.list),
            // So many runs are noise. Letters may become visible in a smaller picture.
            None => i32::MAX,
        };
        let small = shown.page().width.min(shown.page().height) < 2 * LEAST_X_HEIGHT as usize;
        if x_height <= MAX_X_HEIGHT || small {
            break (bits, x_height, ground);
        }
        drop(bits);
        shown = Shown::Own(halved(job, &shown.page())?);
        steps += 1;
    };
    let degrees = skew::measure(job, &bits, x_height)?;
    let scale = match x_height {
        0 | LEAST_X_HEIGHT.. => 1.0,
        ..TINY_X_HEIGHT => 3.0,
        _ => 2.0,
    };
    let size = (shown.page().width, shown.page().height);
    let enlarged = (size.0 * size.1) as f64 * scale * scale;
    let scale = if enlarged > MAX_ENLARGED as f64 {
        1.0
    } else {
        scale
    };
    let map = Map::whole(size.0, size.1, scale, degrees);
    let whole = map.after_halving(page.width, page.height, steps);
    if scale == 1.0 && degrees == 0.0 {
        return Ok(Sheet {
            shown,
            map: whole,
            bits,
            x_height,
        });
    }
    drop(bits);
    let grey = resampled(job, &shown.page(), &map, ground)?;
    let shown = Shown::Own(grey);
    let bits = ink(job, &shown.page(), noisy)?;
    Ok(Sheet {
        shown,
        map: whole,
        bits,
        x_height: (f64::from(x_height) * scale) as i32,
    })
}

/// Makes the letters dark and evens out the light. Returns the value of the ground.
fn even_out<'a>(job: &Job<'a>, shown: &mut Shown<'a, '_>) -> Result<u8> {
    if shown.page().grey.is_empty() {
        return Ok(255);
    }
    let light = Light::measure(job, &shown.page())?;
    if light.inverted {
        for value in &mut shown.own(job)?.samples {
            *value = 255 - *value;
        }
    }
    if light.uneven() {
        let grey = shown.own(job)?;
        light.even_out(job, &mut grey.samples, grey.width)?;
        return Ok(255);
    }
    Ok(light.median_ground())
}

/// Finds the ink of a page with even light. On a noisy page, it is looked for in a blurred copy.
fn ink<'a>(job: &Job<'a>, page: &Page<'_>, noisy: bool) -> Result<Bits<'a>> {
    if noisy && page.width >= 3 && page.height >= 3 {
        let blurred = blurred(job, page)?;
        return Bits::below(job, &blurred.page(), light::threshold(&blurred.samples));
    }
    Bits::below(job, page, light::threshold(page.grey))
}

/// The page with each pixel mixed with its neighbours, by weights of 1, 2 and 1 in both directions. The first and the
/// last pixel of a row are mixed only with those above and below.
fn blurred<'a>(job: &Job<'a>, page: &Page<'_>) -> Result<Grey<'a>> {
    let mut out = Grey::filled(job, page.width, page.height, 255)?;
    let width = page.width;
    let mut sums = vec![0_u16; width];
    for y in 0..page.height {
        if y % 64 == 0 {
            job.check()?;
        }
        let row = |y: usize| &page.grey[y * width..][..width];
        let (above, here) = (row(y.saturating_sub(1)), row(y));
        let below = row((y + 1).min(page.height - 1));
        for (sum, ((a, b), c)) in sums.iter_mut().zip(above.iter().zip(here).zip(below)) {
            *sum = u16::from(*a) + 2 * u16::from(*b) + u16::from(*c);
        }
        let to = &mut out.samples[y * width..][..width];
        for (to, three) in to[1..].iter_mut().zip(sums.windows(3)) {
            *to = ((three[0] + 2 * three[1] + three[2] + 8) / 16) as u8;
        }
        to[0] = (sums[0] / 4) as u8;
        to[width - 1] = (sums[width - 1] / 4) as u8;
    }
    Ok(out)
}
