//! Character properties (MS-DOC 2.6.1): applies property modifiers (sprms) to a run. Resolves no styles.

use super::{colours, fonts::Fonts, sprm::Sprm};
use convertd_office::wordprocessing::{
    Raised, RunProperties, emphasis_of_code, indexed, language, underline_of_code,
};
use convertd_tree::{Length, Underline};

/// Properties of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    pub(super) look: RunProperties,
    /// Number of the character style.
    pub(super) style: Option<u16>,
    /// Number of the font. In Word 6, it determines the code page.
    pub(super) font: Option<u16>,
    /// Whether the characters stand for pictures, notes or other objects.
    pub(super) is_special: bool,
    /// Offset of the picture in the data stream.
    pub(super) picture: Option<u32>,
    /// Whether `picture` is the offset of the data of a form field instead.
    pub(super) is_data: bool,
    /// Whether the picture shows an embedded object.
    pub(super) is_object: bool,
    /// Character of a symbol font: number of the font, and character.
    pub(super) symbol: Option<(u16, u16)>,
    /// Whether a tracked change deleted the text.
    pub(super) deleted: bool,
    /// Whether a tracked change inserted the text.
    pub(super) inserted: bool,
}

/// Style number that means "no style".
const NO_STYLE: u16 = 0x0fff;

impl Run {
    /// Applies a property modifier. Some toggle the value of the style, which `base` holds (MS-DOC 2.6.1,
    /// ToggleOperand).
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
            // Tracked changes: sprmCFRMarkDel and sprmCFRMarkIns.
            0x0800 => self.deleted = sprm.is_on(),
            0x0801 => self.inserted = sprm.is_on(),
            // Kinds of special characters: sprmCFData, sprmCFOle2, sprmCFObj and sprmCFSpec.
            0x0806 => self.is_data = sprm.is_on(),
            0x080a | 0x0856 => self.is_object |= sprm.is_on(),
            0x0855 => self.is_special = sprm.is_on(),
            // sprmCPicLocation: the offset of a picture in the data stream.
            0x6a03 => {
                self.picture = Some(value.u32(0));
                self.is_special = true;
            }
            // sprmCSymbol: a character of a symbol font.
            0x6a09 => {
                // In Word 6, the operand is a font and one byte.
                self.symbol = Some(match sprm.is_old {
                    true => (word, value.u8(2).into()),
                    false => (word, value.u16(2)),
                });
                self.is_special = true;
            }
            // sprmCIstd, the character style; and sprmCPlain, which resets all formatting.
            0x4a30 => self.style = (word != NO_STYLE).then_some(word),
            0x2a33 => *look = RunProperties::default(),
            // Toggles, from sprmCFBold to sprmCFVanish. Single and double strikethrough (sprmCFDStrike) are one
            // property here.
            0x0835 => look.bold = toggle(base.bold),
            0x0836 => look.italic = toggle(base.italic),
            0x0837 | 0x2a53 => look.strike = toggle(base.strike),
            0x083a => look.small_caps = toggle(base.small_caps),
            0x0838 => look.outlined = toggle(base.outlined),
            0x083b => look.capitals = toggle(base.capitals),
            0x083c => look.hidden = toggle(base.hidden),
            // sprmCKul: the kind of underline. 0 and 5 draw no line.
            0x2a3e => {
                let kind = value.u8(0);
                let colour = look.underline_look.and_then(|line| line.colour);
                look.underlined((!matches!(kind, 0 | 5)).then(|| Underline {
                    colour,
                    ..underline_of_code(kind)
                }));
            }
            // sprmCCvUl: the colour of the underline.
            0x6877 => {
                look.underline_look.get_or_insert_default().colour = colours::rgb(value);
            }
            // sprmCKcd: the emphasis mark.
            0x2a34 => look.emphasis = Some(emphasis_of_code(value.u8(0))),
            // Lines around the text: sprmCBrc80 and sprmCBrc.
            0x6865 => look.border = colours::border_97(value),
            0xca72 => look.border = colours::border_2000(value),
            // Colours: sprmCIco, sprmCCv, sprmCHighlight, sprmCShd80 and sprmCShd.
            0x2a42 => look.colour = Some(indexed(value.u8(0))),
            0x6870 => look.colour = Some(colours::rgb(value)),
            0x2a0c => match value.u8(0) {
                0 => look.highlight = Some(false),
                pen => look.highlighted(indexed(pen)),
            },
            0x4866 => look.shaded(colours::old_shading(word)),
            0xca71 => look.shaded(colours::shading(value)),
            // sprmCHps: the font size in half points.
            0x4a43 => {
                look.size = (1..4000)
                    .contains(&word)
                    .then(|| Length::points(f64::from(word) / 2.0));
            }
            // sprmCIss: superscript or subscript.
            0x2a48 => {
                look.raised = Some(match value.u8(0) {
                    1 => Raised::Above,
                    2 => Raised::Below,
                    _ => Raised::Not,
                });
            }
            // Fonts: sprmCRgFtc0, sprmCRgFtc1 and sprmCFtcBi.
            0x4a4f => {
                self.font = Some(word);
                look.latin = fonts.font(word).or(look.latin.take());
            }
            0x4a50 => look.east_asian = fonts.font(word).or(look.east_asian.take()),
            0x4a5e => look.complex = fonts.font(word).or(look.complex.take()),
            // The direction sprmCFBiDi, and the languages sprmCRgLid0_80 and sprmCRgLid0.
            0x085a => look.right_to_left = Some(sprm.is_on()),
            0x486d | 0x4873 => {
                look.language = language(word.into()).map(Into::into);
            }
            _ => {}
        }
    }
}
