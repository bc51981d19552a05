//! Decodes files of this writer, in each of its modes, by another decoder.

use super::*;
use crate::{
    pixels::{Channels, Depth, Frame},
    target::Extras,
    tests,
};
use convertd_core::job::{Ledger, Options, Task, Unlimited};
use std::io::Cursor;
use zune_jpeg::JpegDecoder;

fn layout(width: u32, height: u32, channels: Channels) -> Layout {
    Layout {
        width,
        height,
        channels,
        depth: Depth::Eight,
    }
}

/// A slope with `noise` of this many levels, which grows to the right.
fn slope(layout: Layout, noise: u32) -> Vec<u8> {
    let mut seed = 5u32;
    let row = layout.row_bytes();
    (0..layout.bytes() as usize)
        .map(|at| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (x, y) = (at % row, at / row);
            let level = (x * 120 / row + y * 100 / layout.height as usize) as u32;
            (level + (seed >> 16) % (1 + noise * x as u32 / row as u32)) as u8
        })
        .collect()
}

fn encoded(
    layout: Layout,
    pixels: &[u8],
    quality: u8,
    halves_colour: bool,
    holds: bool,
) -> Vec<u8> {
    let task = Task {
        from: "png".into(),
        to: "jpg".into(),
        quality: Quality::Number(quality),
        options: Options::default(),
        file_title: None,
    };
    let ledger = Ledger::new(&Unlimited);
    let job = tests::job(&task, 1, 0, &ledger).unwrap();
    let frame = Box::new(Frame::from_pixels(layout, pixels.to_vec()));
    let mut file = Cursor::new(Vec::new());
    let extras = Extras::default();
    code(&job, frame, extras, &mut file, halves_colour, holds).unwrap();
    file.into_inner()
}

fn decoded(file: &[u8]) -> Vec<u8> {
    JpegDecoder::new(Cursor::new(file)).decode().unwrap()
}

/// The number of scans, and of those that refine earlier ones.
fn scans(file: &[u8]) -> (usize, usize) {
    let starts = (0..file.len() - 1).filter(|&at| file[at..at + 2] == [0xff, 0xda]);
    // The header ends with the bits of successive approximation.
    let bits: Vec<u8> = starts
        .map(|at| file[at + 1 + usize::from(file[at + 3])])
        .collect();
    (bits.len(), bits.iter().filter(|&&bits| bits >= 16).count())
}

#[track_caller]
fn check(layout: Layout, pixels: &[u8], quality: u8, halves_colour: bool) -> [Vec<u8>; 2] {
    let files = [false, true].map(|holds| encoded(layout, pixels, quality, halves_colour, holds));
    let [one, several] = [0, 1].map(|at| decoded(&files[at]));
    assert!(one == several, "{layout:?}, {quality}");
    files
}

#[test]
fn sequential_and_progressive_files_have_the_same_pixels() {
    for (width, height) in [(1, 1), (17, 9), (64, 64), (131, 77), (250, 3)] {
        for channels in [Channels::Grey, Channels::Rgb] {
            for (quality, halves_colour) in [(1, true), (60, true), (82, true), (95, false)] {
                let layout = layout(width, height, channels);
                check(layout, &slope(layout, 90), quality, halves_colour);
            }
        }
    }
}

#[test]
fn several_scans_are_smaller() {
    let layout = layout(400, 300, Channels::Rgb);
    let mut refining = 0;
    for (noise, quality, halves_colour) in [
        (20, 92, false),
        (60, 92, false),
        (60, 99, false),
        (60, 82, true),
    ] {
        let [one, several] = check(layout, &slope(layout, noise), quality, halves_colour);
        assert!(several.len() * 100 < one.len() * 99, "{noise}, {quality}");
        assert_eq!(scans(&one), (1, 0));
        let (all, refine) = scans(&several);
        assert!(all >= 4);
        refining += refine;
    }
    assert!(refining > 0);
}

/// The picture has more blocks without symbols than one run can have.
#[test]
fn long_runs_end() {
    let layout = layout(1600, 1600, Channels::Grey);
    let mut pixels = vec![99; layout.bytes() as usize];
    let [one, several] = check(layout, &pixels, 92, false);
    assert!(several.len() < one.len());
    pixels[1600 * 1500 + 800] = 255;
    check(layout, &pixels, 92, false);
}

/// All steps are 1 at quality 100, and the sum of the steps of a table never falls as the quality falls.
#[test]
fn steps_grow_as_quality_falls() {
    for halves_colour in [true, false] {
        let best = tables::of(halves_colour, 100);
        assert_eq!(best.steps, [[1; 64]; 2]);
        let mut sums = (1..=100).map(|quality| {
            let tables = tables::of(halves_colour, quality);
            assert!(tables.steps.iter().flatten().all(|&step| step > 0));
            tables
                .steps
                .map(|steps| steps.map(u32::from).iter().sum::<u32>())
        });
        let mut before = sums.next().unwrap();
        for sum in sums {
            assert!(sum[0] <= before[0] && sum[1] <= before[1]);
            before = sum;
        }
    }
}
