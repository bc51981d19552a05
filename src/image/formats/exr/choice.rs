//! Chooses the picture in an OpenEXR file: a part, and some of its channels. Reads no pixels.
//!
//! A file contains one or more parts, each with any number of channels, which are identified by their names (OpenEXR,
//! "Standard Channel Names"): R, G, B and A are a picture, Y is luminance, RY and BY are chroma. The prefix "layer."
//! makes them belong to a layer.

use exr::meta::header::Header;

/// Meaning of the selected channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColourModel {
    Grey,
    Rgb,
    /// Luminance and two channels of chroma.
    Luma,
}

/// The selected picture.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// Index of the part.
    pub(crate) part: usize,
    pub(crate) kind: ColourModel,
    /// Indices of its channels in the part: colours, then alpha.
    pub(crate) channels: Vec<usize>,
    pub(crate) has_alpha: bool,
    /// Note on the channels that are left out, as a sentence.
    pub(crate) note: Option<String>,
}

/// Sets of channel names that form a picture, the best one first.
const SETS: [(ColourModel, &[&str]); 3] = [
    (ColourModel::Rgb, &["R", "G", "B"]),
    (ColourModel::Luma, &["Y", "RY", "BY"]),
    (ColourModel::Grey, &["Y"]),
];

/// Largest number of names in a note.
const MAX_NAMES: usize = 6;

impl Choice {
    /// Selects the best set of channels ([`SETS`]) outside of any layer; otherwise the best set in a layer; otherwise
    /// the first channel. If several parts or layers have this set, selects the first one. `None` if all parts are deep
    /// or have no channels.
    pub(crate) fn of(headers: &[Header]) -> Option<Self> {
        let flat = || {
            headers
                .iter()
                .enumerate()
                .filter(|(_, header)| !header.deep)
        };
        let unnamed = SETS
            .iter()
            .find_map(|set| flat().find_map(|(part, header)| Self::with(part, header, "", set)));
        let layered = || {
            SETS.iter().find_map(|set| {
                flat().find_map(|(part, header)| {
                    let names = header
                        .channels
                        .list
                        .iter()
                        .map(|channel| channel.name.to_string());
                    let layers = names.filter_map(|name| Some(name.rsplit_once('.')?.0.to_owned()));
                    layers
                        .into_iter()
                        .find_map(|layer| Self::with(part, header, &format!("{layer}."), set))
                })
            })
        };
        let any = || {
            let (part, _) = flat().find(|(_, header)| !header.channels.list.is_empty())?;
            Some(Self {
                part,
                kind: ColourModel::Grey,
                channels: vec![0],
                has_alpha: false,
                note: None,
            })
        };
        let mut choice = unnamed.or_else(layered).or_else(any)?;
        choice.note = choice.left_out(headers);
        Some(choice)
    }

    /// The picture of a layer, if the part has all channels of the set. `layer` is the prefix of their names.
    fn with(
        part: usize,
        header: &Header,
        layer: &str,
        set: &(ColourModel, &[&str]),
    ) -> Option<Self> {
        let find = |name: &str| {
            let name = format!("{layer}{name}");
            let mut channels = header.channels.list.iter();
            channels.position(|channel| channel.name.bytes() == name.as_bytes())
        };
        let (kind, names) = set;
        let mut channels: Vec<_> = names.iter().map(|name| find(name)).collect::<Option<_>>()?;
        let alpha = find("A");
        channels.extend(alpha);
        Some(Self {
            part,
            kind: *kind,
            channels,
            has_alpha: alpha.is_some(),
            note: None,
        })
    }

    /// Returns the note on the channels and parts that are left out. `None` if nothing is left out.
    fn left_out(&self, headers: &[Header]) -> Option<String> {
        let list = &headers[self.part].channels.list;
        let others = list.iter().enumerate();
        let others = others.filter(|(at, _)| !self.channels.contains(at));
        let names = others.map(|(_, channel)| channel.name.to_string());
        let mut lost: Vec<String> = names.take(MAX_NAMES).collect();
        let more = (list.len() - self.channels.len()).saturating_sub(MAX_NAMES);
        if more > 0 {
            lost.push(format!("{more} more"));
        }
        let mut left_out = Vec::new();
        if !lost.is_empty() {
            left_out.push(format!("other channels ({})", lost.join(", ")));
        }
        match headers.len() - 1 {
            0 => {}
            1 => left_out.push("another part".into()),
            parts => left_out.push(format!("{parts} other parts")),
        }
        let chosen = self.channels.iter();
        let chosen: Vec<String> = chosen.map(|at| list[*at].name.to_string()).collect();
        (!left_out.is_empty()).then(|| {
            format!(
                "Only the channels {} of part {} of the exr file were kept; left out: {}.",
                chosen.join(", "),
                self.part + 1,
                left_out.join(" and ")
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use exr::meta::attribute::{ChannelDescription, ChannelList, SampleType, Text};

    fn header(names: &[&str]) -> Header {
        let channels = names
            .iter()
            .map(|name| ChannelDescription::named(Text::from(*name), SampleType::F16));
        Header::new(
            Text::from("part"),
            (4, 4),
            ChannelList::new(channels.collect()).list,
        )
    }

    #[test]
    fn a_picture_takes_precedence_over_layers_and_single_channels() {
        #[track_caller]
        fn check(parts: &[&[&str]], part: usize, kind: ColourModel, channels: &[&str], says: &str) {
            let headers: Vec<Header> = parts.iter().map(|names| header(names)).collect();
            let found = Choice::of(&headers).unwrap();
            let list = &headers[found.part].channels.list;
            let names: Vec<_> = found
                .channels
                .iter()
                .map(|at| list[*at].name.to_string())
                .collect();
            assert_eq!(
                (found.part, found.kind, &names[..]),
                (
                    part,
                    kind,
                    &channels
                        .iter()
                        .map(|name| (*name).to_owned())
                        .collect::<Vec<_>>()[..]
                )
            );
            assert_eq!(
                found
                    .note
                    .unwrap_or_default()
                    .split_once("left out: ")
                    .map_or("", |(_, rest)| rest),
                says
            );
        }
        let rgb = &["B", "G", "R"][..];
        check(&[rgb], 0, ColourModel::Rgb, &["R", "G", "B"], "");
        check(
            &[&["A", "B", "G", "R", "Z"]],
            0,
            ColourModel::Rgb,
            &["R", "G", "B", "A"],
            "other channels (Z).",
        );
        check(
            &[&["Z"], rgb],
            1,
            ColourModel::Rgb,
            &["R", "G", "B"],
            "another part.",
        );
        check(
            &[&["BY", "RY", "Y"]],
            0,
            ColourModel::Luma,
            &["Y", "RY", "BY"],
            "",
        );
        check(&[&["A", "Y"]], 0, ColourModel::Grey, &["Y", "A"], "");
        let layers = &["a.Z", "b.A", "b.B", "b.G", "b.R"][..];
        check(
            &[layers],
            0,
            ColourModel::Rgb,
            &["b.R", "b.G", "b.B", "b.A"],
            "other channels (a.Z).",
        );
        check(
            &[&["N", "Z"], &["N"], &["N"]],
            0,
            ColourModel::Grey,
            &["N"],
            "other channels (Z) and 2 other parts.",
        );
    }
}
