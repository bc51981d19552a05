//! Texts beyond the usual ones: lyrics, loudness, identifiers, sort names, and any other field of a file. They are
//! stored under the names of Vorbis comments; the table states their names in ID3 and MP4. Reads and writes no format.

/// A text with a field of its own in ID3 or MP4.
pub(crate) struct Field {
    /// The name in Vorbis comments.
    pub(crate) name: &'static str,
    /// The frame of ID3v2.3 and 2.4, and the frame of ID3v2.2. Empty if the text is stored under its name (`TXXX`).
    pub(crate) id3: (&'static str, &'static str),
    /// The box of MP4; `None` if the text is stored under its name (`----`).
    pub(crate) mp4: Option<&'static [u8; 4]>,
}

const fn field(
    name: &'static str,
    id3: (&'static str, &'static str),
    mp4: Option<&'static [u8; 4]>,
) -> Field {
    Field { name, id3, mp4 }
}

/// Unsynchronised lyrics (ID3v2.4, section 4.8).
pub(crate) const LYRICS: &str = "LYRICS";
/// Beats per minute, which MP4 holds as a number.
pub(crate) const BEATS: &str = "BPM";
/// Whether an album has several artists, which MP4 holds as a number.
pub(crate) const COMPILATION: &str = "COMPILATION";

/// A group of tracks.
pub(crate) const GROUPING: &str = "GROUPING";
/// The work that tracks belong to.
pub(crate) const WORK: &str = "WORK";
/// A musician with an instrument, besides the artist.
pub(crate) const PERFORMER: &str = "PERFORMER";

/// The texts that have fields of their own in ID3 or MP4.
pub(crate) static FIELDS: [Field; 31] = [
    field(LYRICS, ("USLT", "ULT"), Some(b"\xa9lyr")),
    field(BEATS, ("TBPM", "TBP"), Some(b"tmpo")),
    field(COMPILATION, ("TCMP", "TCP"), Some(b"cpil")),
    field("ISRC", ("TSRC", "TRC"), None),
    field("COPYRIGHT", ("TCOP", "TCR"), Some(b"cprt")),
    field("ORGANIZATION", ("TPUB", "TPB"), None),
    field("LANGUAGE", ("TLAN", "TLA"), None),
    field("CONDUCTOR", ("TPE3", "TP3"), None),
    field("REMIXER", ("TPE4", "TP4"), None),
    field("LYRICIST", ("TEXT", "TXT"), None),
    field(GROUPING, ("TIT1", "TT1"), Some(b"\xa9grp")),
    field("SUBTITLE", ("TIT3", "TT3"), None),
    field("TITLESORT", ("TSOT", "TST"), Some(b"sonm")),
    field("ARTISTSORT", ("TSOP", "TSP"), Some(b"soar")),
    field("ALBUMSORT", ("TSOA", "TSA"), Some(b"soal")),
    field("ALBUMARTISTSORT", ("TSO2", "TS2"), Some(b"soaa")),
    field("COMPOSERSORT", ("TSOC", "TSC"), Some(b"soco")),
    field("MEDIA", ("TMED", "TMT"), None),
    field("ENCODED-BY", ("TENC", "TEN"), None),
    field("ORIGINALDATE", ("TDOR", "TOR"), None),
    field("MOOD", ("TMOO", ""), None),
    field("INITIALKEY", ("TKEY", "TKE"), None),
    field(WORK, ("", ""), Some(b"\xa9wrk")),
    field("MOVEMENTNAME", ("MVNM", ""), Some(b"\xa9mvn")),
    field("MOVEMENT", ("MVIN", ""), None),
    field("DISCSUBTITLE", ("TSST", ""), None),
    field("RELEASEDATE", ("TDRL", ""), None),
    field("ORIGINALARTIST", ("TOPE", "TOA"), None),
    field("ORIGINALALBUM", ("TOAL", "TOT"), None),
    field("ORIGINALLYRICIST", ("TOLY", "TOL"), None),
    field("OWNER", ("TOWN", ""), None),
];

/// Other names of the same texts, in capitals: those of APE, Matroska, Core Audio and QuickTime.
const ALIASES: [(&str, &str); 18] = [
    ("UNSYNCEDLYRICS", LYRICS),
    ("UNSYNCED LYRICS", LYRICS),
    ("TMPO", BEATS),
    ("TEMPO", BEATS),
    ("PUBLISHER", "ORGANIZATION"),
    ("LABEL", "ORGANIZATION"),
    ("MIXARTIST", "REMIXER"),
    ("REMIXED_BY", "REMIXER"),
    ("CONTENT_GROUP", GROUPING),
    ("CONTENTGROUP", GROUPING),
    ("INITIAL_KEY", "INITIALKEY"),
    ("KEY SIGNATURE", "INITIALKEY"),
    ("ENCODED_BY", "ENCODED-BY"),
    ("ENCODEDBY", "ENCODED-BY"),
    ("SORT_NAME", "TITLESORT"),
    ("SORT_ARTIST", "ARTISTSORT"),
    ("SORT_ALBUM", "ALBUMSORT"),
    ("SORT_ALBUM_ARTIST", "ALBUMARTISTSORT"),
];

/// Texts in which programs describe the file and not the sound: its encoding, its size.
const TECHNICAL: [&str; 24] = [
    "ENCODER",
    "ENCODER_OPTIONS",
    "ENCODER OPTIONS",
    "ENCODING",
    "ENCODERSETTINGS",
    "ENCODING APPLICATION",
    "SOURCE ENCODER",
    "APPROXIMATE DURATION IN SECONDS",
    "NOMINAL BIT RATE",
    "CHANNEL CONFIGURATION",
    "CHANNEL LAYOUT",
    "WAVEFORMATEXTENSIBLE_CHANNEL_MASK",
    "DURATION",
    "BPS",
    "NUMBER_OF_FRAMES",
    "NUMBER_OF_BYTES",
    "MAJOR_BRAND",
    "MINOR_VERSION",
    "COMPATIBLE_BRANDS",
    "ITUNSMPB",
    "ITUNNORM",
    "ITUNPGAP",
    "ID3V1 COMMENT",
    "CUESHEET",
];

/// Returns the name under which a text is stored; `None` if the text would be meaningless in another file.
pub(super) fn canonical(name: &str) -> Option<String> {
    let name = name.trim().to_ascii_uppercase();
    let is_technical = TECHNICAL.contains(&name.as_str())
        || name.starts_with('_')
        || name.starts_with("METADATA_BLOCK_PICTURE")
        || name.starts_with("COVERART")
        || name.starts_with("ITUNES_CDDB");
    if name.is_empty() || is_technical || !name.chars().all(|c| matches!(c, ' '..='~') && c != '=')
    {
        return None;
    }
    let known = ALIASES.iter().find(|(alias, _)| *alias == name);
    Some(known.map_or(name, |(_, name)| (*name).to_owned()))
}

/// Returns the name under which a person with this role in ID3 (`TIPL`, version 2.4, section 4.2.2) is stored, as in
/// Picard. `None` for other roles.
pub(super) fn of_role(role: &str) -> Option<&'static str> {
    const ROLES: [(&str, &str); 7] = [
        ("arranger", "ARRANGER"),
        ("engineer", "ENGINEER"),
        ("producer", "PRODUCER"),
        ("mix", "MIXER"),
        ("mixer", "MIXER"),
        ("dj-mix", "DJMIXER"),
        ("djmix", "DJMIXER"),
    ];
    let known = ROLES
        .iter()
        .find(|(known, _)| role.eq_ignore_ascii_case(known));
    known.map(|(_, name)| *name)
}

/// Returns the fields of a text in ID3 and MP4; `None` if the text has no field of its own.
pub(crate) fn of(name: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.name == name)
}

/// Names of the gains in Opus (RFC 7845, section 5.2.1), which are in 1/256 dB for a loudness of −23 LUFS, and the
/// corresponding names of ReplayGain, whose gains are in decibels for −18 LUFS.
const GAINS: [(&str, &str); 2] = [
    ("R128_TRACK_GAIN", "REPLAYGAIN_TRACK_GAIN"),
    ("R128_ALBUM_GAIN", "REPLAYGAIN_ALBUM_GAIN"),
];
/// Difference between the two reference loudnesses, in decibels.
const REFERENCE: f64 = 5.0;

/// Returns ReplayGain's name and value for a gain of Opus. `None` for other texts.
pub(super) fn to_replay_gain(name: &str, value: &str) -> Option<(&'static str, String)> {
    let (_, other) = GAINS.iter().find(|(opus, _)| *opus == name)?;
    let gain: f64 = value.trim().parse().ok()?;
    Some((other, format!("{:+.2} dB", gain / 256.0 + REFERENCE)))
}

/// Returns the name and value of Opus for a field of ReplayGain. The name is empty for a field that a stream of Opus
/// must not have. `None` for other texts.
pub(crate) fn to_opus(name: &str, value: &str) -> Option<(&'static str, String)> {
    if !name.starts_with("REPLAYGAIN_") {
        return None;
    }
    let made = || {
        let (opus, _) = GAINS.iter().find(|(_, other)| *other == name)?;
        let number = value.trim().split([' ', 'd']).next()?;
        let gain: f64 = number.parse().ok()?;
        let gain = ((gain - REFERENCE) * 256.0).round();
        let gain = gain.clamp(f64::from(i16::MIN), f64::from(i16::MAX));
        Some((*opus, gain.to_string()))
    };
    Some(made().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opus_gains_are_five_decibels_below_replay_gain() {
        let gain = to_opus("REPLAYGAIN_TRACK_GAIN", "-8.58 dB");
        assert_eq!(gain, Some(("R128_TRACK_GAIN", "-3476".to_owned())));
        let back = to_replay_gain("R128_TRACK_GAIN", "-3476");
        assert_eq!(back, Some(("REPLAYGAIN_TRACK_GAIN", "-8.58 dB".to_owned())));
        let peak = to_opus("REPLAYGAIN_TRACK_PEAK", "0.98");
        assert_eq!(peak, Some(("", String::new())));
        assert_eq!(to_opus("ISRC", "1"), None);
    }

    #[test]
    fn names_are_canonical_and_technical_texts_are_dropped() {
        #[track_caller]
        fn check(name: &str, expected: Option<&str>) {
            assert_eq!(canonical(name).as_deref(), expected);
        }
        check("unsyncedlyrics", Some("LYRICS"));
        check("Mood of mine", Some("MOOD OF MINE"));
        check("encoder", None);
        check("_STATISTICS_TAGS", None);
        check("a=b", None);
        check("", None);
    }
}
