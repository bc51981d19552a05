//! Writes tab stops of OpenDocument (OpenDocument 1.3, part 3, 17.7 and 17.8). Does not decide which paragraphs state
//! them.

use crate::containers::xml::Writer;
use convertd_tree::{Alignment, Length, TabStop};

/// Writes `style:tab-stops`, with positions as `length` formats them. Writes nothing if there are no stops.
pub fn open_tab_stops(xml: &mut Writer, stops: &[TabStop], length: impl Fn(Length) -> String) {
    if stops.is_empty() {
        return;
    }
    xml.start("style:tab-stops");
    for stop in stops {
        let kind = match stop.alignment {
            Alignment::Start => "left",
            Alignment::Centre => "center",
            Alignment::End => "right",
            Alignment::Justify => "char",
        };
        xml.start("style:tab-stop")
            .attribute("style:position", length(stop.at))
            .attribute("style:type", kind);
        // `Alignment::Justify` stands for a decimal tab stop, which aligns text at this character.
        if stop.alignment == Alignment::Justify {
            xml.attribute("style:char", ".");
        }
        // State the leader as the character that is repeated.
        if let Some(leader) = stop.leader {
            xml.attribute("style:leader-style", "dotted")
                .attribute("style:leader-text", leader.encode_utf8(&mut [0; 4]));
        }
        xml.end();
    }
    xml.end();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_stops_name_their_character() {
        #[track_caller]
        fn check(alignment: Alignment, leader: Option<char>, expected: &str) {
            let at = Length::points(36.0);
            let stop = TabStop {
                at,
                alignment,
                leader,
            };
            let mut xml = Writer::fragment();
            open_tab_stops(&mut xml, &[stop], |at| format!("{}pt", at.to_points()));
            let expected = format!(
                "<style:tab-stops><style:tab-stop style:position=\"36pt\" {expected}/></style:tab-stops>"
            );
            assert_eq!(xml.finish(), expected);
        }
        check(Alignment::End, None, "style:type=\"right\"");
        check(
            Alignment::Justify,
            None,
            "style:type=\"char\" style:char=\".\"",
        );
        check(
            Alignment::Start,
            Some('.'),
            "style:type=\"left\" style:leader-style=\"dotted\" style:leader-text=\".\"",
        );
    }
}
