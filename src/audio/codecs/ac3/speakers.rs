//! Speakers of a frame's channels (A/52, tables 5.8 and E2.5), as bits of a mask, in the order of the channels.

use crate::sound::channels::speaker::{
    BACK_CENTRE, BACK_LEFT, BACK_RIGHT, FRONT_CENTRE, FRONT_LEFT, FRONT_LEFT_OF_CENTRE,
    FRONT_RIGHT, FRONT_RIGHT_OF_CENTRE, LOW_FREQUENCY, SIDE_LEFT, SIDE_RIGHT,
};

/// Mask of a speaker that [`Channels`](crate::sound::channels::Channels) does not have.
const NONE: u32 = 0;

/// The speaker locations that a dependent frame can state (table E2.5), from the highest bit; some are pairs. The two
/// lowest bits, which stand for low-frequency speakers, are not in this list.
const LOCATIONS: [&[u32]; 14] = [
    &[FRONT_LEFT],
    &[FRONT_CENTRE],
    &[FRONT_RIGHT],
    &[SIDE_LEFT],
    &[SIDE_RIGHT],
    &[FRONT_LEFT_OF_CENTRE, FRONT_RIGHT_OF_CENTRE],
    &[BACK_LEFT, BACK_RIGHT],
    &[BACK_CENTRE],
    &[NONE],
    &[NONE; 2],
    &[NONE; 2],
    &[NONE; 2],
    &[NONE],
    &[NONE; 2],
];

/// The speakers of an audio coding mode. Mode 0 has two programs, which count as left and right.
pub(super) fn of(mode: u8, has_low: bool) -> Vec<u32> {
    let full: &[u32] = match mode {
        1 => &[FRONT_CENTRE],
        3 => &[FRONT_LEFT, FRONT_CENTRE, FRONT_RIGHT],
        4 => &[FRONT_LEFT, FRONT_RIGHT, BACK_CENTRE],
        5 => &[FRONT_LEFT, FRONT_CENTRE, FRONT_RIGHT, BACK_CENTRE],
        6 => &[FRONT_LEFT, FRONT_RIGHT, SIDE_LEFT, SIDE_RIGHT],
        7 => &[FRONT_LEFT, FRONT_CENTRE, FRONT_RIGHT, SIDE_LEFT, SIDE_RIGHT],
        _ => &[FRONT_LEFT, FRONT_RIGHT],
    };
    let low = has_low.then_some(LOW_FREQUENCY);
    full.iter().copied().chain(low).collect()
}

/// The speakers that a dependent frame states for its `full` full-bandwidth channels, and for its low-frequency channel
/// if `has_low`. Channels without a stated speaker get [`NONE`].
pub(super) fn placed(locations: u16, full: usize, has_low: bool) -> Vec<u32> {
    let named = LOCATIONS.iter().enumerate();
    let named = named.filter(|(at, _)| locations >> (15 - at) & 1 == 1);
    let named = named.flat_map(|(_, speakers)| speakers.iter().copied());
    let low = has_low.then_some(if locations & 1 == 1 {
        LOW_FREQUENCY
    } else {
        NONE
    });
    let missing = std::iter::repeat(NONE);
    named.chain(missing).take(full).chain(low).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependent_frame_names_its_speakers_from_the_highest_bit() {
        // Side and back pairs, as in 7.1.
        let found = placed(0b0001_1010_0000_0000, 4, false);
        assert_eq!(found, [SIDE_LEFT, SIDE_RIGHT, BACK_LEFT, BACK_RIGHT]);
        let found = placed(0b0000_0001_0000_0001, 1, true);
        assert_eq!(found, [BACK_CENTRE, LOW_FREQUENCY]);
        assert_eq!(placed(0, 1, true), [NONE, NONE]);
    }
}
