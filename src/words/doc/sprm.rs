//! Property modifiers (sprms, MS-DOC 2.2.5): lists of opcodes with values. Determines the length of each value, so that
//! unknown opcodes can be skipped. Interprets no values.
//!
//! The three highest bits of an opcode determine the size of its value. Word 6 has opcodes of one byte, whose sizes are
//! not encoded. They are translated here to the opcodes of Word 97, so that other files need not know them.

use super::pieces::Modifier;
use crate::containers::fields::Fields;

/// A property modifier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sprm<'a> {
    /// Opcode, in the numbers of Word 97.
    pub(super) code: u16,
    /// Value, without the length before it.
    pub(super) value: Fields<'a>,
    /// Whether the modifier comes from Word 6, where some values have another encoding.
    pub(super) is_old: bool,
}

impl Sprm<'_> {
    /// Value as a boolean.
    pub(super) fn is_on(self) -> bool {
        self.value.u8(0) != 0
    }
}

/// Iterator over a list of property modifiers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sprms<'a> {
    /// Part of the list that is not read yet.
    rest: Fields<'a>,
    /// Whether the list comes from Word 6.
    is_old: bool,
}

impl<'a> Sprms<'a> {
    /// Creates an iterator over a list.
    pub(super) fn new(list: &'a [u8], is_old: bool) -> Self {
        Self {
            rest: Fields(list),
            is_old,
        }
    }
}

impl<'a> Iterator for Sprms<'a> {
    type Item = Sprm<'a>;

    fn next(&mut self) -> Option<Sprm<'a>> {
        let (code, skipped, len) = match self.is_old {
            true => old(self.rest)?,
            false => new(self.rest),
        };
        // A value that extends beyond the end of the list is dropped, and ends the iteration.
        if self.rest.len() < skipped + len || self.rest.len() < 2 && !self.is_old {
            return None;
        }
        let value = self.rest.part(skipped, len);
        self.rest = self.rest.from(skipped + len);
        Some(Sprm {
            code,
            value,
            is_old: self.is_old,
        })
    }
}

/// Opcode that defines the cells of a row (sprmTDefTable). Its length field has two bytes.
const DEFINE_TABLE: u16 = 0xd608;
/// Opcode of the same definition with shorter cells (sprmTDefTable10).
const DEFINE_TABLE_10: u16 = 0xd606;

/// Opcode that changes tab stops (sprmPChgTabs). Its value may be longer than its length field of one byte can state.
const CHANGE_TABS: u16 = 0xc615;

/// Returns the first opcode of a list, the number of bytes before its value, and the length of the value (MS-DOC
/// 2.2.5.1).
fn new(list: Fields<'_>) -> (u16, usize, usize) {
    let code = list.u16(0);
    let (skipped, len) = match code >> 13 {
        // Values of one byte, two, four and three bytes.
        0 | 1 => (2, 1),
        2 | 4 | 5 => (2, 2),
        3 => (2, 4),
        7 => (2, 3),
        // The stated length is one byte too large (MS-DOC 2.9.323).
        _ if matches!(code, DEFINE_TABLE | DEFINE_TABLE_10) => {
            (4, usize::from(list.u16(2)).saturating_sub(1))
        }
        // The length 255 means that it follows from the numbers of deleted and added tab stops.
        _ if code == CHANGE_TABS && list.u8(2) == 255 => {
            let deleted = usize::from(list.u8(3));
            let added = usize::from(list.u8(4 + deleted * 4));
            (3, 2 + deleted * 4 + added * 3)
        }
        _ => (3, list.u8(2).into()),
    };
    (code, skipped, len)
}

/// Returns the same three values as [`new`] for a list of Word 6. `None` at its end, and at an opcode of unknown size.
fn old(list: Fields<'_>) -> Option<(u16, usize, usize)> {
    let code = list.u8(0);
    // The list may end with a padding byte.
    if list.len() == 0 || code == 0 {
        return None;
    }
    let (_, size, new) = OLD.iter().find(|(old, ..)| *old == code)?;
    Some(match *size {
        Size::Bytes(len) => (*new, 1, len.into()),
        Size::Counted => (*new, 2, list.u8(1).into()),
        Size::CountedTwice => (*new, 3, usize::from(list.u16(1)).saturating_sub(1)),
        Size::Tabs if list.u8(1) == 255 => {
            let deleted = usize::from(list.u8(2));
            let added = usize::from(list.u8(3 + deleted * 4));
            (*new, 2, 2 + deleted * 4 + added * 3)
        }
        Size::Tabs => (*new, 2, list.u8(1).into()),
    })
}

/// Passes on the property modifiers that a fast save made to a whole piece.
pub(super) fn each_modification<'a>(
    modifier: Modifier<'a>,
    is_old: bool,
    take: &mut dyn FnMut(Sprm<'_>),
) {
    match modifier {
        Modifier::None => {}
        Modifier::Many(list) => Sprms::new(list, is_old).for_each(take),
        // Opcodes of one byte are the same as in Word 6. An opcode whose value does not have one byte is skipped.
        Modifier::One(code, value) => {
            let known = OLD.iter().find(|(old, ..)| *old == code);
            if let Some((_, Size::Bytes(1), new)) = known {
                take(Sprm {
                    code: *new,
                    value: Fields(&[value]),
                    is_old,
                });
            }
        }
    }
}

/// Size of a value in Word 6.
#[derive(Clone, Copy)]
enum Size {
    /// Fixed size.
    Bytes(u8),
    /// The size is in a byte before the value.
    Counted,
    /// The size is in two bytes before the value, and is one byte too large.
    CountedTwice,
    /// Changes of tab stops, as in [`CHANGE_TABS`].
    Tabs,
}

/// Opcode of modifiers that have no effect here.
const IGNORED: u16 = 0;

/// Opcode of the level of a number in Word 6. Later versions have no opcode for it, so this opcode exists only in this
/// program.
pub(super) const OLD_LEVEL: u16 = 0x25ff;

/// Opcodes of Word 6, with the size of the value and the corresponding opcode of Word 97.
static OLD: &[(u8, Size, u16)] = {
    use Size::{Bytes, Counted, CountedTwice, Tabs};
    &[
        // Paragraphs.
        (2, Bytes(2), 0x4600),
        (3, Counted, IGNORED),
        (4, Bytes(1), IGNORED),
        (5, Bytes(1), 0x2403),
        (6, Bytes(1), IGNORED),
        (7, Bytes(1), 0x2405),
        (8, Bytes(1), 0x2406),
        (9, Bytes(1), 0x2407),
        (10, Bytes(1), IGNORED),
        (11, Bytes(1), IGNORED),
        (12, Counted, 0xc63e),
        (13, Bytes(1), OLD_LEVEL),
        (14, Bytes(1), IGNORED),
        (15, Counted, 0xc60d),
        (16, Bytes(2), 0x840e),
        (17, Bytes(2), 0x840f),
        (18, Bytes(2), IGNORED),
        (19, Bytes(2), 0x8411),
        (20, Bytes(4), 0x6412),
        (21, Bytes(2), 0xa413),
        (22, Bytes(2), 0xa414),
        (23, Tabs, 0xc615),
        (24, Bytes(1), 0x2416),
        (25, Bytes(1), 0x2417),
        (26, Bytes(2), IGNORED),
        (27, Bytes(2), IGNORED),
        (28, Bytes(2), IGNORED),
        (29, Bytes(1), IGNORED),
        (30, Bytes(2), IGNORED),
        (31, Bytes(2), IGNORED),
        (32, Bytes(2), IGNORED),
        (33, Bytes(2), IGNORED),
        (34, Bytes(2), IGNORED),
        (35, Bytes(2), IGNORED),
        (36, Bytes(2), IGNORED),
        (37, Bytes(1), IGNORED),
        (38, Bytes(2), 0x6424),
        (39, Bytes(2), 0x6425),
        (40, Bytes(2), 0x6426),
        (41, Bytes(2), 0x6427),
        (42, Bytes(2), IGNORED),
        (43, Bytes(2), IGNORED),
        (44, Bytes(1), 0x242a),
        (45, Bytes(2), IGNORED),
        (46, Bytes(2), 0x442c),
        (47, Bytes(2), 0x442d),
        (48, Bytes(2), IGNORED),
        (49, Bytes(2), IGNORED),
        (50, Bytes(1), IGNORED),
        (51, Bytes(1), 0x2431),
        (52, Counted, IGNORED),
        // Characters.
        (65, Bytes(1), 0x0800),
        (66, Bytes(1), 0x0801),
        (67, Bytes(1), IGNORED),
        (68, Counted, 0x6a03),
        (69, Bytes(2), IGNORED),
        (70, Bytes(4), IGNORED),
        (71, Bytes(1), 0x0806),
        (72, Bytes(2), IGNORED),
        (73, Bytes(3), IGNORED),
        (74, Counted, 0x6a09),
        (75, Bytes(1), 0x080a),
        (80, Bytes(2), 0x4a30),
        (81, Counted, IGNORED),
        (82, Counted, IGNORED),
        (83, Bytes(0), 0x2a33),
        (85, Bytes(1), 0x0835),
        (86, Bytes(1), 0x0836),
        (87, Bytes(1), 0x0837),
        (88, Bytes(1), IGNORED),
        (89, Bytes(1), IGNORED),
        (90, Bytes(1), 0x083a),
        (91, Bytes(1), 0x083b),
        (92, Bytes(1), 0x083c),
        (93, Bytes(2), 0x4a4f),
        (94, Bytes(1), 0x2a3e),
        (95, Bytes(3), IGNORED),
        (96, Bytes(2), 0x8840),
        (97, Bytes(2), 0x4873),
        (98, Bytes(1), 0x2a42),
        (99, Bytes(2), 0x4a43),
        (100, Bytes(1), IGNORED),
        (101, Bytes(2), IGNORED),
        (102, Bytes(1), IGNORED),
        (103, Counted, IGNORED),
        (104, Bytes(1), 0x2a48),
        (105, Counted, IGNORED),
        (106, Counted, IGNORED),
        (107, Bytes(2), 0x484b),
        (108, Counted, IGNORED),
        (109, Bytes(2), IGNORED),
        (110, Bytes(2), IGNORED),
        (117, Bytes(1), 0x0855),
        (118, Bytes(1), 0x0856),
        (119, Bytes(1), IGNORED),
        (120, Bytes(12), IGNORED),
        (121, Bytes(2), IGNORED),
        (122, Bytes(2), IGNORED),
        (123, Bytes(2), IGNORED),
        (124, Bytes(2), IGNORED),
        (131, Bytes(1), IGNORED),
        (132, Bytes(1), IGNORED),
        // Sections.
        (136, Bytes(3), 0xf203),
        (137, Bytes(3), 0xf204),
        (138, Bytes(1), 0x3005),
        (139, Bytes(1), IGNORED),
        (140, Bytes(2), IGNORED),
        (141, Bytes(2), IGNORED),
        (142, Bytes(1), 0x3009),
        (143, Bytes(1), 0x300a),
        (144, Bytes(2), 0x500b),
        (145, Bytes(2), 0x900c),
        (146, Bytes(1), IGNORED),
        (147, Bytes(1), 0x300e),
        (148, Bytes(2), IGNORED),
        (149, Bytes(2), IGNORED),
        (150, Bytes(1), 0x3011),
        (151, Bytes(1), IGNORED),
        (152, Bytes(1), IGNORED),
        (153, Bytes(1), IGNORED),
        (154, Bytes(2), IGNORED),
        (155, Bytes(2), IGNORED),
        (156, Bytes(2), 0xb017),
        (157, Bytes(2), 0xb018),
        (158, Bytes(1), IGNORED),
        (159, Bytes(1), IGNORED),
        (160, Bytes(2), IGNORED),
        (161, Bytes(2), 0x501c),
        (162, Bytes(1), 0x301d),
        (163, Bytes(1), IGNORED),
        (164, Bytes(2), 0xb01f),
        (165, Bytes(2), 0xb020),
        (166, Bytes(2), 0xb021),
        (167, Bytes(2), 0xb022),
        (168, Bytes(2), 0x9023),
        (169, Bytes(2), 0x9024),
        (170, Bytes(2), IGNORED),
        (171, Bytes(2), IGNORED),
        // Tables.
        (182, Bytes(2), 0x5400),
        (183, Bytes(2), 0x9601),
        (184, Bytes(2), 0x9602),
        (185, Bytes(1), IGNORED),
        (186, Bytes(1), 0x3404),
        (187, Bytes(12), 0xd605),
        (188, CountedTwice, IGNORED),
        (189, Bytes(2), 0x9407),
        (190, CountedTwice, DEFINE_TABLE),
        (191, Counted, 0xd609),
        (192, Bytes(4), IGNORED),
        (193, Bytes(5), IGNORED),
        (194, Bytes(4), IGNORED),
        (195, Bytes(2), IGNORED),
        (196, Bytes(4), IGNORED),
        (197, Bytes(2), IGNORED),
        (198, Bytes(2), IGNORED),
        (199, Bytes(5), IGNORED),
        (200, Bytes(4), IGNORED),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(list: &[u8], is_old: bool, expected: &[(u16, &[u8])]) {
        let found = Sprms::new(list, is_old).map(|sprm| (sprm.code, sprm.value.0));
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn opcodes_give_the_value_sizes() {
        check(
            b"\x35\x08\x01\x43\x4a\x18\x00\x70\x68\x01\x02\x03\x00\x03\xf2\x00\x10\x20\xff\xc6\x02ab\x36\x08\x00",
            false,
            &[
                (0x0835, b"\x01"),
                (0x4a43, b"\x18\x00"),
                (0x6870, b"\x01\x02\x03\x00"),
                (0xf203, b"\x00\x10\x20"),
                (0xc6ff, b"ab"),
                (0x0836, b"\x00"),
            ],
        );
        check(
            b"\x08\xd6\x04\x00abc\x35\x08\x01",
            false,
            &[(0xd608, b"abc"), (0x0835, b"\x01")],
        );
        check(
            b"\x15\xc6\xff\x00\x01\x10\x20\x00",
            false,
            &[(0xc615, b"\x00\x01\x10\x20\x00")],
        );
    }

    #[test]
    fn invalid_lengths_end_the_list() {
        check(b"\x35\x08\x01\x0d\xc6\xf0ab", false, &[(0x0835, b"\x01")]);
        check(b"\x35", false, &[]);
        check(b"\x55\x01\x17\xff\x09", true, &[(0x0835, b"\x01")]);
    }

    #[test]
    fn opcodes_of_word_6_are_translated() {
        check(
            b"\x55\x01\x63\x18\x00\x44\x04\x01\x02\x03\x04\x00",
            true,
            &[
                (0x0835, b"\x01"),
                (0x4a43, b"\x18\x00"),
                (0x6a03, b"\x01\x02\x03\x04"),
            ],
        );
        check(b"\x55\x01\xfe\x01", true, &[(0x0835, b"\x01")]);
    }

    #[test]
    fn piece_modifiers_add_properties() {
        let mut found = Vec::new();
        each_modification(Modifier::One(0x55, 1), false, &mut |sprm| {
            found.push((sprm.code, sprm.value.u8(0)));
        });
        assert_eq!(found, [(0x0835, 1)]);
    }
}
