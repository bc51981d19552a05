//! Plans a conversion from the header alone: size, pixel type, colour profile, and the memory for all of it. Planning
//! is a pure function that opens nothing.
//!
//! A plan is made in three steps, because the source may change its header between them. [Size](Terms::size) comes
//! first: a drawing is then rendered at the new size, and a JPEG decoded at a fraction of its own size.
//! [Indices](Terms::indices) come second: a picture with a palette may then pass as 8-bit grey. [The rest](Terms::plan)
//! follows from the header as it is after these changes.

use super::{
    limits,
    options::Wishes,
    pixels::{Channels, Depth, Layout, ahead, colour, orient, resize::Resize},
    source::Header,
    target::{Palettes, Streams, Target},
};
use convertd_core::{error::Result, job::Quality};
use image::metadata::Orientation;

/// The inputs of a plan besides the header: the wishes of the client, the capabilities of the target, and the spare
/// threads of the machine.
#[derive(Clone, Copy)]
pub(crate) struct Terms<'a> {
    /// Options that the client gave.
    pub(crate) wishes: &'a Wishes,
    /// The writer of the target format.
    pub(crate) target: &'a Target,
    /// The name of the target format.
    pub(crate) name: &'static str,
    pub(crate) quality: Quality,
    /// See [`Job::spare_threads`](convertd_core::job::Job::spare_threads).
    pub(crate) spare_threads: usize,
}

/// The size of the result, in the coordinates of the file. Pictures are turned upright as the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Size {
    pub(crate) resize: Option<Resize>,
    /// The sides that the upright picture would have by the options alone, if they were too large for the format and
    /// were reduced.
    pub(crate) too_large: Option<(u32, u32)>,
}

/// Treatment of the colour profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// No profile is used: it is missing or unusable, or the colours already are sRGB.
    None,
    /// The profile is embedded in the result.
    Carried,
    /// The colours are converted from the profile to sRGB.
    Applied,
}

/// Everything that is done to a picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    /// The layout that the source delivers.
    pub(crate) from: Layout,
    pub(crate) profile: Profile,
    /// The change of size, if any, and the sample type in which it is computed.
    pub(crate) resize: Option<(Resize, Depth)>,
    pub(crate) orientation: Orientation,
    /// The layout that the target receives.
    pub(crate) to: Layout,
    /// Whether the pixels come from a lossless source and are not resized.
    pub(crate) lossless: bool,
    /// Whether decoding and encoding run on two threads.
    pub(crate) runs_ahead: bool,
    /// Whether the second stage of decoding runs on the encoding thread, because that thread has less to do.
    pub(crate) splits: bool,
    /// Peak memory of the whole conversion, in bytes.
    pub(crate) memory: u64,
}

impl Terms<'_> {
    /// The first step: the size of the result.
    ///
    /// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if the result would have too many pixels.
    pub(crate) fn size(&self, full: Layout, orientation: Orientation) -> Result<Size> {
        let swaps = orient::swaps_sides(orientation);
        let upright = if swaps { full.swapped() } else { full };
        let requested = Resize::of(self.wishes.bounds, upright.width, upright.height);
        let sides = requested.map_or((upright.width, upright.height), |to| (to.width, to.height));
        let smaller = self
            .target
            .scales_to
            .and_then(|side| Resize::within(side, sides.0, sides.1));
        let resize = match (requested, smaller) {
            (Some(requested), Some(smaller)) => Some(requested.then(smaller)),
            (requested, smaller) => requested.or(smaller),
        };
        // Only the final size is checked: a drawing may state any size, because it is drawn at the final one.
        let last = resize.map_or((upright.width, upright.height), |to| (to.width, to.height));
        limits::check_size(last.0, last.1)?;
        Ok(Size {
            resize: resize.map(|to| if swaps { to.swapped() } else { to }),
            too_large: smaller.map(|_| sides),
        })
    }

    /// The second step: whether palette indices can be kept, because nothing changes the colours. If so, returns
    /// whether the palette may have colours that are not opaque.
    pub(crate) fn indices(&self, header: &Header, is_resized: bool) -> Option<bool> {
        let profile_stays = header.icc.is_none() || self.keeps_profiles();
        if is_resized || !profile_stays {
            return None;
        }
        match self.target.palettes {
            Palettes::None => None,
            Palettes::Opaque => Some(false),
            Palettes::Any => Some(true),
        }
    }

    /// The last step: everything else. `is_indexed` states whether the source now delivers palette indices; `metadata`
    /// is the number of bytes of metadata stored beside the picture.
    ///
    /// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if the target cannot hold a picture of that
    /// size.
    pub(crate) fn plan(
        &self,
        header: &Header,
        resize: Option<Resize>,
        is_indexed: bool,
        metadata: u64,
    ) -> Result<Plan> {
        let from = header.layout;
        // At high quality, the picture is resized in linear light, which takes longer.
        let resize = resize.map(|to| {
            let depth = self.quality.pick(from.depth, from.depth, Depth::Float);
            (to, depth)
        });
        let resized = match resize {
            Some((to, depth)) => from.with(from.channels, depth).sized(to.width, to.height),
            None => from,
        };
        let upright = orient::upright(resized, header.orientation);
        let (channels, depth) = if is_indexed {
            (from.channels, from.depth)
        } else {
            (self.target.accepts)(from.channels, from.depth)
        };
        let to = upright.with(channels, depth);
        limits::check_target(to, self.name, self.target.max_side)?;
        let coloured = if is_indexed { Channels::Rgb } else { channels };
        let streams = (self.target.streams)(self.quality);
        let overlaps = streams != Streams::No || resize.is_some();
        let runs_ahead = self.spare_threads > 0 && overlaps && ahead::pays(from);
        let quality = match self.wishes.lossless {
            true => Quality::Number(100),
            false => self.quality,
        };
        let lossless = header.lossless && resize.is_none();
        let profile = match self.profile(header, coloured) {
            // Indices are not grey samples, though their layout is the same, so a grey profile does not apply to them.
            Profile::Applied if is_indexed => Profile::None,
            profile => profile,
        };
        let is_idle = resize.map_or(streams == Streams::Quickly, |(to, depth)| {
            to.is_light(from) && depth == from.depth
        });

        // A picture that has to be rotated or mirrored is held in memory as a whole, even if its source streams.
        let turning = match header.orientation {
            Orientation::NoTransforms => 0,
            orientation if orient::needs_copy(orientation) => 2 * upright.bytes(),
            _ => upright.bytes(),
        };
        let resizing = resize.map_or(0, |(to, depth)| to.memory(from.with(from.channels, depth)));
        let running = if runs_ahead { ahead::memory(from) } else { 0 };
        let stage = 32 * u64::from(from.width) + 8 * upright.row_bytes() as u64;
        Ok(Plan {
            from,
            profile,
            resize,
            orientation: header.orientation,
            to,
            lossless,
            runs_ahead,
            splits: runs_ahead && is_idle && profile != Profile::Applied,
            memory: limits::BASE
                + header.memory
                + resizing
                + turning
                + stage
                + running
                + 4 * metadata
                + (self.target.memory)(to, quality, lossless || self.wishes.lossless)
                + to.row_bytes() as u64,
        })
    }

    fn keeps_profiles(&self) -> bool {
        self.target.carries_icc && !self.wishes.strip_profile
    }

    /// Decides about the profile. It is embedded if the target and the client allow it, the samples are not floats, and
    /// the profile fits the `channels` of the result. Otherwise, the colours are converted if the profile fits the
    /// source and is not sRGB.
    fn profile(&self, header: &Header, channels: Channels) -> Profile {
        let from = header.layout;
        match &header.icc {
            Some(icc)
                if self.keeps_profiles()
                    && from.depth != Depth::Float
                    && colour::fits(icc, channels) =>
            {
                Profile::Carried
            }
            Some(icc) if colour::fits(icc, from.channels) && !colour::is_srgb(icc) => {
                Profile::Applied
            }
            _ => Profile::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use convertd_core::{error::Error, job::Options};
    use moxcms::ColorProfile;

    fn target() -> Target {
        Target {
            accepts: |channels, _| (channels.without_alpha(), Depth::Eight),
            max_side: 1000,
            carries_icc: true,
            memory: |_, _, _| 0,
            ..Target::of(|_, _, _, _, _| Ok(()))
        }
    }

    fn header() -> Header {
        Header {
            layout: Layout {
                width: 400,
                height: 300,
                channels: Channels::Rgba,
                depth: Depth::Sixteen,
            },
            orientation: Orientation::NoTransforms,
            icc: None,
            memory: 0,
            animated: false,
            lossless: true,
        }
    }

    /// The first and the last step, for a picture that is not made of indices.
    fn planned(
        header: &Header,
        fields: &[(&str, &str)],
        target: &Target,
        quality: Quality,
    ) -> Result<(Size, Plan)> {
        let mut options = Options::default();
        for (name, value) in fields {
            options.insert(*name, *value);
        }
        let terms = Terms {
            wishes: &Wishes::of(&options),
            target,
            name: "test",
            quality,
            spare_threads: 0,
        };
        let size = terms.size(header.layout, header.orientation)?;
        let plan = terms.plan(header, size.resize, false, 0)?;
        Ok((size, plan))
    }

    #[test]
    fn the_size_follows_options_orientation_and_format() {
        #[track_caller]
        fn check(
            fields: &[(&str, &str)],
            orientation: Orientation,
            scales_to: Option<u32>,
            expected: (u32, u32),
            too_large: Option<(u32, u32)>,
        ) {
            let target = Target {
                scales_to,
                ..target()
            };
            let header = Header {
                orientation,
                ..header()
            };
            let (size, plan) = planned(&header, fields, &target, Quality::Medium).unwrap();
            assert_eq!((plan.to.width, plan.to.height), expected);
            assert_eq!(size.too_large, too_large);
        }
        let (upright, turned) = (Orientation::NoTransforms, Orientation::Rotate90);
        check(&[], upright, None, (400, 300), None);
        check(&[], turned, None, (300, 400), None);
        check(&[("width", "40")], upright, None, (40, 30), None);
        check(&[("width", "30")], turned, None, (30, 40), None);
        let (width, height) = (("width", "90"), ("height", "120"));
        check(&[width, height], upright, None, (90, 68), None);
        let cover = ("fit", "cover");
        check(&[width, height, cover], turned, None, (90, 120), None);
        let icon = Some(256);
        check(&[], upright, icon, (256, 192), Some((400, 300)));
        check(&[], turned, icon, (192, 256), Some((300, 400)));
        check(&[("width", "200")], upright, icon, (200, 150), None);
        let wider = &[("width", "512"), ("height", "512"), cover];
        check(wider, upright, icon, (256, 256), Some((512, 512)));
    }

    #[test]
    fn sizes_have_limits() {
        #[track_caller]
        fn check(fields: &[(&str, &str)], says: &str) {
            let err: Error = planned(&header(), fields, &target(), Quality::Low).unwrap_err();
            assert!(err.message().contains(says), "{err}");
        }
        check(&[("width", "2000")], "test holds at most 1000");
        check(&[("width", "100000")], "the limit is 268435456 pixels");
    }

    #[test]
    fn high_quality_resizes_in_linear_light() {
        #[track_caller]
        fn check(quality: Quality, expected: Depth) {
            let (_, plan) = planned(&header(), &[("width", "9")], &target(), quality).unwrap();
            assert_eq!(plan.resize.map(|(_, depth)| depth), Some(expected));
            assert_eq!(plan.to.depth, Depth::Eight);
            assert_eq!(plan.to.channels, Channels::Rgb);
            assert!(!plan.lossless);
        }
        check(Quality::Low, Depth::Sixteen);
        check(Quality::Medium, Depth::Sixteen);
        check(Quality::High, Depth::Float);
    }

    #[test]
    fn profiles_are_embedded_or_applied() {
        #[track_caller]
        fn check(icc: ColorProfile, fields: &[(&str, &str)], target: &Target, expected: Profile) {
            let header = Header {
                icc: Some(icc.encode().unwrap()),
                ..header()
            };
            let (_, plan) = planned(&header, fields, target, Quality::Medium).unwrap();
            assert_eq!(plan.profile, expected);
        }
        let (srgb, wide) = (ColorProfile::new_srgb, ColorProfile::new_display_p3);
        let strip = &[("strip", "true")];
        check(wide(), &[], &target(), Profile::Carried);
        check(srgb(), &[], &target(), Profile::Carried);
        check(wide(), strip, &target(), Profile::Applied);
        check(srgb(), strip, &target(), Profile::None);
        let without = Target {
            carries_icc: false,
            ..target()
        };
        check(wide(), &[], &without, Profile::Applied);
        check(srgb(), &[], &without, Profile::None);
        // An RGB profile does not fit a grey result.
        let grey = Target {
            accepts: |_, _| (Channels::Grey, Depth::Eight),
            ..target()
        };
        check(wide(), &[], &grey, Profile::Applied);
    }

    #[test]
    fn the_less_busy_thread_runs_the_second_stage() {
        #[track_caller]
        fn check(
            streams: Streams,
            fields: &[(&str, &str)],
            quality: Quality,
            expected: (bool, bool),
        ) {
            let target = Target {
                streams: match streams {
                    Streams::No => |_| Streams::No,
                    Streams::Slowly => |_| Streams::Slowly,
                    Streams::Quickly => |_| Streams::Quickly,
                },
                max_side: limits::MAX_SIDE,
                ..target()
            };
            let mut options = Options::default();
            for (name, value) in fields {
                options.insert(*name, *value);
            }
            let terms = Terms {
                wishes: &Wishes::of(&options),
                target: &target,
                name: "test",
                quality,
                spare_threads: 1,
            };
            let header = Header {
                layout: header().layout.sized(4000, 3000),
                ..header()
            };
            let size = terms.size(header.layout, header.orientation).unwrap();
            let plan = terms.plan(&header, size.resize, false, 0).unwrap();
            assert_eq!((plan.runs_ahead, plan.splits), expected);
        }
        let (tiny, half) = (&[("width", "320")], &[("width", "2000")]);
        check(Streams::Quickly, &[], Quality::Low, (true, true));
        check(Streams::Slowly, &[], Quality::Low, (true, false));
        check(Streams::No, &[], Quality::Low, (false, false));
        // A resize works row by row, so it can run while rows are decoded, whatever the target does.
        check(Streams::No, tiny, Quality::Low, (true, true));
        check(Streams::Quickly, half, Quality::Low, (true, false));
        // A resize in linear light leaves the encoding thread no time for the second stage of decoding.
        check(Streams::Quickly, tiny, Quality::High, (true, false));
    }

    #[test]
    fn indices_are_kept_if_colours_do_not_change() {
        #[track_caller]
        fn check(
            palettes: Palettes,
            fields: &[(&str, &str)],
            tagged: bool,
            expected: Option<bool>,
        ) {
            let target = Target {
                palettes,
                ..target()
            };
            let mut options = Options::default();
            for (name, value) in fields {
                options.insert(*name, *value);
            }
            let terms = Terms {
                wishes: &Wishes::of(&options),
                target: &target,
                name: "test",
                quality: Quality::Medium,
                spare_threads: 0,
            };
            let header = Header {
                icc: tagged.then(Vec::new),
                ..header()
            };
            let size = terms.size(header.layout, header.orientation).unwrap();
            assert_eq!(terms.indices(&header, size.resize.is_some()), expected);
        }
        let strip = &[("strip", "true")];
        check(Palettes::Any, &[], false, Some(true));
        check(Palettes::Opaque, &[], false, Some(false));
        check(Palettes::None, &[], false, None);
        check(Palettes::Any, &[("width", "9")], false, None);
        check(Palettes::Any, &[], true, Some(true));
        check(Palettes::Any, strip, true, None);
        check(Palettes::Any, strip, false, Some(true));
    }

    #[test]
    fn memory_is_the_peak_of_all_stages() {
        let bytes = |orientation, fields: &[(&str, &str)]| {
            let header = Header {
                orientation,
                ..header()
            };
            let (_, plan) = planned(&header, fields, &target(), Quality::Medium).unwrap();
            plan.memory
        };
        let whole = header().layout.bytes();
        let plain = bytes(Orientation::NoTransforms, &[]);
        assert!(plain < limits::BASE + whole / 8);
        assert!(bytes(Orientation::Rotate180, &[]) >= plain + whole);
        assert!(
            bytes(Orientation::Rotate90, &[]) >= bytes(Orientation::Rotate180, &[]) + whole / 2
        );
        assert!(bytes(Orientation::NoTransforms, &[("width", "200")]) > plain);
    }
}
