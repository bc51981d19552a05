//! Paragraph properties (MS-DOC 2.6.2): applies property modifiers (sprms) to a paragraph. Resolves no styles, and
//! reads no table rows.

use super::{
    colours,
    sprm::{OLD_LEVEL, Sprm},
};
use crate::containers::fields::Fields;
use convertd_office::wordprocessing::ParagraphProperties;
use convertd_tree::{Alignment, Border, DropCap, Length, LineHeight};

/// Max. number of tab stops that a modifier deletes, and that it adds. Word allows 64 in a paragraph.
const MAX_TABS: usize = 64;

/// Properties of a paragraph.
#[derive(Clone, Debug, Default)]
pub(super) struct Paragraph {
    /// Number of the style.
    pub(super) style: u16,
    pub(super) own: ParagraphProperties,
    /// Position in tables.
    pub(super) place: TablePosition,
    /// Drop cap: the paragraph is the large first letter of the next paragraph.
    pub(super) drop_cap: Option<DropCap>,
    /// Offset of further properties in the data stream (sprmPHugePapx).
    pub(super) elsewhere: Option<u32>,
    /// Number or bullet in the format of Word 6.
    pub(super) old_number: OldNumber,
}

/// Position of a paragraph in tables.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TablePosition {
    /// Whether the paragraph is in a table (sprmPFInTable).
    in_table: bool,
    /// Number of tables around the paragraph, if stated (sprmPItap).
    levels: Option<u32>,
    /// Whether the paragraph mark ends a row of the outermost table.
    pub(super) ends_row: bool,
    /// Whether the paragraph mark ends a row of a nested table.
    pub(super) ends_inner_row: bool,
    /// Whether the paragraph mark ends a cell of a nested table.
    pub(super) ends_inner_cell: bool,
}

impl TablePosition {
    /// Number of tables around the paragraph.
    pub(super) fn depth(self) -> usize {
        match (self.in_table, self.levels) {
            (_, Some(levels)) => levels.min(1000) as usize,
            (true, None) => 1,
            (false, None) => 0,
        }
    }
}

/// Number or bullet in the format of Word 6 (MS-DOC 2.9.5).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct OldNumber {
    /// Level: 10 for a numbered item, 11 for a bullet, and 1 to 9 for a heading.
    pub(super) level: u8,
    /// Number format.
    pub(super) format: u8,
    /// Start value.
    pub(super) start: u16,
}

impl Paragraph {
    /// Applies a property modifier.
    pub(super) fn apply(&mut self, sprm: Sprm<'_>) {
        let value = sprm.value;
        let (byte, word) = (value.u8(0), value.u16(0));
        let on = Some(sprm.is_on());
        let twips = Length::twips(value.i16(0).into());
        let length = Some(twips);
        let own = &mut self.own;
        match sprm.code {
            // sprmPIstd: the paragraph style.
            0x4600 => self.style = word,
            0x2403 | 0x2461 => {
                // The values 0 and 2 mean left and right in sprmPJc80, and start and end in sprmPJc.
                own.is_physical = sprm.code == 0x2403;
                own.alignment = Some(match byte {
                    1 => Alignment::Centre,
                    2 => Alignment::End,
                    0 => Alignment::Start,
                    _ => Alignment::Justify,
                });
            }
            // Breaks: sprmPFKeep, sprmPFKeepFollow and sprmPFPageBreakBefore.
            0x2405 => own.keep_together = on,
            0x2406 => own.keep_with_next = on,
            0x2407 => own.page_break_before = on,
            // sprmPFNoAutoHyph.
            0x242a => own.hyphenated = Some(!sprm.is_on()),
            // Lists: sprmPIlvl and sprmPIlfo.
            0x260a => own.list_level = (byte < 9).then_some(byte),
            0x460b => {
                // Above the range, 0x7ff means that the number of the paragraph is in the format of Word 6, and a
                // larger value names the list that the paragraph was removed from. Such a paragraph is in no list here.
                own.list = Some(match word {
                    1..=0x7fe => word.into(),
                    _ => 0,
                });
            }
            // Indents of the end, the start and the first line. sprmPNest is relative to the current indent.
            0x840e | 0x845d => own.indent_end = length,
            0x840f | 0x845e => own.indent_start = length,
            0x4610 | 0x465f => {
                let moved = own.indent_start.unwrap_or_default() + twips;
                own.indent_start = Some(moved.max(Length::ZERO));
            }
            0x8411 | 0x8460 => own.first_line = length,
            // Space above and below: sprmPDyaBefore and sprmPDyaAfter.
            0xa413 => own.space_before = length,
            0xa414 => own.space_after = length,
            // Automatic spacing imitates HTML: 14 points (MS-DOC 2.6.2).
            0x245b if sprm.is_on() => own.space_before = Some(Length::points(14.0)),
            0x245c if sprm.is_on() => own.space_after = Some(Length::points(14.0)),
            0x6412 => own.line_height = line_height(value),
            // Tab stops: sprmPChgTabsPapx and sprmPChgTabs.
            0xc60d => self.tabs(value, 2),
            0xc615 => self.tabs(value, 4),
            // Tables: sprmPFInTable, sprmPFTtp, sprmPFInnerTableCell, sprmPFInnerTtp, sprmPItap and sprmPDtap.
            0x2416 => self.place.in_table = sprm.is_on(),
            0x2417 => self.place.ends_row = sprm.is_on(),
            0x244b => self.place.ends_inner_cell = sprm.is_on(),
            0x244c => self.place.ends_inner_row = sprm.is_on(),
            0x6649 => self.place.levels = Some(value.u32(0)),
            0x664a => {
                let levels = self.place.depth() as i64 + i64::from(value.i32(0));
                self.place.levels = u32::try_from(levels).ok();
            }
            0x6645 | 0x6646 => self.elsewhere = Some(value.u32(0)),
            // Borders in the order top, left, bottom, right. 0x6424 is sprmPBrcTop80, and 0xc64e is sprmPBrcTop.
            0x6424..=0x6427 => {
                let border = match sprm.is_old {
                    true => colours::border_6(word),
                    false => colours::border_97(value),
                };
                self.border(sprm.code - 0x6424, border);
            }
            0xc64e..=0xc651 => self.border(sprm.code - 0xc64e, colours::border_2000(value)),
            // Background: sprmPShd80 and sprmPShd.
            0x442d => own.background = Some(colours::old_shading(word)),
            0xc64d => own.background = Some(colours::shading(value)),
            // sprmPDcs: a drop cap.
            0x442c => self.drop_cap = drop_cap(word),
            // Outline level, direction and spacing: sprmPOutLvl, sprmPFBiDi and sprmPFContextualSpacing.
            0x2640 => own.outline = Some(byte),
            0x2441 => own.right_to_left = on,
            0x246d => own.contextual_spacing = on,
            // sprmPAnld80: a number or bullet in the format of Word 6.
            0xc63e => {
                self.old_number.format = byte;
                self.old_number.start = value.u16(10);
            }
            OLD_LEVEL => self.old_number.level = byte,
            _ => {}
        }
    }

    /// Sets the border of a side: 0 is top, then start, bottom and end.
    fn border(&mut self, side: u16, border: Option<Option<Border>>) {
        let border = border.flatten();
        let borders = self.own.borders.get_or_insert_default();
        match side {
            0 => borders.top = border,
            1 => borders.start = border,
            2 => borders.bottom = border,
            _ => borders.end = border,
        }
    }

    /// Applies changes of tab stops (MS-DOC 2.9.185, 2.9.186): first the deleted stops, each in `deleted_size` bytes,
    /// and then the added stops with their kinds. A deletion stays in the list without an alignment, so that it also
    /// removes an inherited stop.
    fn tabs(&mut self, value: Fields<'_>, deleted_size: usize) {
        let deleted = usize::from(value.u8(0));
        let added = value.from(1 + deleted * deleted_size);
        let count = usize::from(added.u8(0));
        let at = |fields: Fields<'_>, at: usize| Length::twips(fields.i16(at * 2).into());
        let tabs = &mut self.own.tabs;
        for number in 0..deleted.min(MAX_TABS) {
            let position = at(value.from(1), number);
            tabs.retain(|(other, ..)| *other != position);
            tabs.push((position, None, None));
        }
        for number in 0..count.min(MAX_TABS) {
            let kind = added.u8(1 + count * 2 + number);
            let alignment = match kind & 7 {
                1 => Alignment::Centre,
                2 => Alignment::End,
                3 => Alignment::Justify,
                // A bar tab draws a vertical line, and is not a tab stop.
                4 => continue,
                _ => Alignment::Start,
            };
            let leader = match kind >> 3 & 7 {
                1 | 5 => Some('.'),
                2 => Some('-'),
                3 | 4 => Some('_'),
                _ => None,
            };
            let position = at(added.from(1), number);
            tabs.retain(|(other, ..)| *other != position);
            tabs.push((position, Some(alignment), leader));
        }
        tabs.truncate(4 * MAX_TABS);
    }
}

/// Decodes a line height (LSPD, MS-DOC 2.9.140): in 240ths of a line, or in twips. A negative height in twips is exact,
/// and a positive one is a minimum.
fn line_height(value: Fields<'_>) -> Option<LineHeight> {
    let height = i64::from(value.i16(0));
    match (height, value.u16(2)) {
        (0, _) => None,
        (_, 1) => {
            let percent = (height.abs() * 100 / 240).clamp(1, 10_000);
            Some(LineHeight::Percent(percent as u16))
        }
        (..0, _) => Some(LineHeight::Exactly(Length::twips(-height))),
        _ => Some(LineHeight::AtLeast(Length::twips(height))),
    }
}

/// Decodes a drop cap (DCS, MS-DOC 2.9.41): its kind in three bits, and its height in lines in five.
fn drop_cap(word: u16) -> Option<DropCap> {
    let kind = word & 7;
    (kind != 0).then(|| DropCap {
        lines: (word >> 3 & 31).clamp(1, 10) as u8,
        letters: 1,
        in_margin: kind == 2,
        distance: Length::ZERO,
    })
}
