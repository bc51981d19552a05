//! The properties of characters (MS-DOC 2.6.1): what modifications say of a run. Looks up no styles.

use super::{colours, fonts::Fonts, sprm::Sprm};
use convertd_office::wordprocessing::{Raised, RunProperties, indexed, language};
use convertd_tree::Length;

/// Properties of a run beside its look.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    pub(super) look: RunProperties,
    /// The number of its character style.
    pub(super) style: Option<u16>,
    /// The number of its font, for the code page of Word 6.
    pub(super) font: Option<u16>,
    /// Whether its characters represent pictures, notes and the like.
    pub(super) is_special: bool,
    /// The place of its picture in the stream of data.
    pub(super) picture: Option<u32>,
    /// Whether there is no picture at that place, but the data of a field.
    pub(super) is_data: bool,
    /// Whether its picture is that of an embedded object.
    pub(super) is_object: bool,
    /// A character of a symbol font, by the number of the font.
    pub(super) symbol: Option<(u16, u16)>,
    /// Whether a tracked change deleted it, and whether one inserted it.
    pub(super) deleted: bool,
    pub(super) inserted: bool,
}

/// The number of no style.
const NO_STYLE: u16 = 0x0fff;

impl Run {
    /// Applies a modification. `base` is the style's formatting, which some modifications toggle.
    pub(super) fn apply(&mut self, sprm: Sprm<'_>, base: &RunProperties, fonts: &Fonts) {
        let value = sprm.value;
        let word = value.u16(0);
        let look = &mut self.look;
        let toggle = |of_style: Option<bool>| match value.u8(0) {
            0x80 => of_style,
            0x81 => Some(of_style != Some(true)),
            on => Some(on & 1 == 1),
        };
        match sprm.code {
            0x0800 => self.deleted = sprm.is_on(),
            0x0801 => self.inserted = sprm.is_on(),
            0x0806 => self.is_data = sprm.is_on(),
            0x080a | 0x0856 => self.is_object |= sprm.is_on(),
            0x0855 => self.is_special = sprm.is_on(),
            0x6a03 => {
                self.picture = Some(value.u32(0));
                self.is_special = true;
            }
            0x6a09 => {
                // Word 6 has a font and a byte.
                self.symbol = Some(match sprm.is_old {
                    true => (word, value.u8(2).into()),
                    false => (word, value.u16(2)),
                });
                self.is_special = true;
            }
            0x4a30 => self.style = (word != NO_STYLE).then_some(word),
            0x2a33 => *look = RunProperties::default(),
            0x0835 => look.bold = toggle(base.bold),
            0x0836 => look.italic = toggle(base.italic),
            0x0837 | 0x2a53 => look.strike = toggle(base.strike),
            0x083a => look.small_caps = toggle(base.small_caps),
            0x0838 => look.outlined = toggle(base.outlined),
            0x083b => look.capitals = toggle(base.capitals),
            0x083c => look.hidden = toggle(base.hidden),
            0x2a3e => look.underline = Some(!matches!(value.u8(0), 0 | 5)),
            0x2a42 => look.colour = Some(indexed(value.u8(0))),
            0x6870 => look.colour = Some(colours::rgb(value)),
            0x2a0c => match value.u8(0) {
                0 => look.highlight = Some(false),
                pen => look.highlighted(indexed(pen)),
            },
            0x4866 => look.shaded(colours::old_shading(word)),
            0xca71 => look.shaded(colours::shading(value)),
            0x4a43 => {
                look.size = (1..4000)
                    .contains(&word)
                    .then(|| Length::points(f64::from(word) / 2.0));
            }
            0x2a48 => {
                look.raised = Some(match value.u8(0) {
                    1 => Raised::Above,
                    2 => Raised::Below,
                    _ => Raised::Not,
                });
            }
            0x4a4f => {
                self.font = Some(word);
                look.latin = fonts.font(word).or(look.latin.take());
            }
            0x4a50 => look.east_asian = fonts.font(word).or(look.east_asian.take()),
            0x4a5e => look.complex = fonts.font(word).or(look.complex.take()),
            0x085a => look.right_to_left = Some(sprm.is_on()),
            0x486d | 0x4873 => {
                look.language = language(word.into()).map(Into::into);
            }
            _ => {}
        }
    }
}
