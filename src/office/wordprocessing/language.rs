//! Languages by their BCP 47 tags, and by the numbers of Windows (MS-LCID). Names neither languages nor scripts.

use super::script::Script;

/// The most common languages with their numbers. If a language has several regions, the first of them stands for a tag
/// without a region.
static LANGUAGES: [(i32, &str); 78] = [
    (1025, "ar-SA"),
    (1026, "bg-BG"),
    (1027, "ca-ES"),
    (2052, "zh-CN"),
    (1028, "zh-TW"),
    (3076, "zh-HK"),
    (4100, "zh-SG"),
    (1029, "cs-CZ"),
    (1030, "da-DK"),
    (1031, "de-DE"),
    (2055, "de-CH"),
    (3079, "de-AT"),
    (4103, "de-LU"),
    (1032, "el-GR"),
    (1033, "en-US"),
    (2057, "en-GB"),
    (3081, "en-AU"),
    (4105, "en-CA"),
    (5129, "en-NZ"),
    (6153, "en-IE"),
    (7177, "en-ZA"),
    (16393, "en-IN"),
    (3082, "es-ES"),
    (1034, "es-ES"),
    (2058, "es-MX"),
    (11274, "es-AR"),
    (1035, "fi-FI"),
    (1036, "fr-FR"),
    (2060, "fr-BE"),
    (3084, "fr-CA"),
    (4108, "fr-CH"),
    (1037, "he-IL"),
    (1038, "hu-HU"),
    (1039, "is-IS"),
    (1040, "it-IT"),
    (2064, "it-CH"),
    (1041, "ja-JP"),
    (1042, "ko-KR"),
    (1043, "nl-NL"),
    (2067, "nl-BE"),
    (1044, "nb-NO"),
    (2068, "nn-NO"),
    (1045, "pl-PL"),
    (1046, "pt-BR"),
    (2070, "pt-PT"),
    (1048, "ro-RO"),
    (1049, "ru-RU"),
    (1050, "hr-HR"),
    (1051, "sk-SK"),
    (1052, "sq-AL"),
    (1053, "sv-SE"),
    (2077, "sv-FI"),
    (1054, "th-TH"),
    (1055, "tr-TR"),
    (1056, "ur-PK"),
    (1057, "id-ID"),
    (1058, "uk-UA"),
    (1059, "be-BY"),
    (1060, "sl-SI"),
    (1061, "et-EE"),
    (1062, "lv-LV"),
    (1063, "lt-LT"),
    (1065, "fa-IR"),
    (1066, "vi-VN"),
    (1067, "hy-AM"),
    (1069, "eu-ES"),
    (1071, "mk-MK"),
    (1078, "af-ZA"),
    (1079, "ka-GE"),
    (1081, "hi-IN"),
    (1086, "ms-MY"),
    (1104, "mn-MN"),
    (1106, "cy-GB"),
    (1110, "gl-ES"),
    (1142, "la-VA"),
    (2108, "ga-IE"),
    (9242, "sr-Latn-RS"),
    (10266, "sr-Cyrl-RS"),
];

/// Returns the BCP 47 tag for a Windows language identifier. Only the most common languages are known.
pub fn language(number: i32) -> Option<&'static str> {
    let mut all = LANGUAGES.iter();
    all.find(|(own, _)| *own == number).map(|(_, tag)| *tag)
}

/// Returns the Windows language identifier for a BCP 47 tag. The number of a region that is not known is that of the
/// language in its usual region, with the same script if possible.
pub fn language_number(tag: &str) -> Option<i32> {
    let (number, _) = nearest(&Subtags::of(tag))?;
    Some(*number)
}

/// Returns a tag as word processors write it: with a hyphen between its subtags, each in its usual case, and with a
/// region instead of a script alone (`zh-TW` for `zh_hant`).
pub fn usual_tag(tag: &str) -> String {
    let own = Subtags::of(tag);
    if let (Some(script), None) = (&own.script, &own.region)
        && let Some((_, known)) = nearest(&own)
        && Subtags::of(known).script_or_usual() == Some(&**script)
    {
        return (*known).to_owned();
    }
    let parts = [Some(own.language), own.script, own.region];
    let parts = parts.into_iter().flatten().chain(own.rest);
    let parts: Vec<String> = parts.collect();
    parts.join("-")
}

/// Returns the language and the region of a tag, as OpenDocument states them. The region is `none` if it is not known.
pub fn language_and_country(tag: &str) -> (String, String) {
    let own = Subtags::of(&usual_tag(tag));
    let region = own.region.unwrap_or_else(|| "none".to_owned());
    (own.language, region)
}

/// Returns the scripts among which word processors count those of a language. Of the complex ones, only those from right
/// to left are known.
pub fn script_of_language(tag: &str) -> Script {
    match &*Subtags::of(tag).language {
        "zh" | "ja" | "ko" => Script::EastAsian,
        "ar" | "he" | "fa" | "ur" | "yi" | "ps" | "sd" | "ug" | "dv" | "ckb" => Script::Complex,
        _ => Script::Latin,
    }
}

/// Entry of the table that is nearest to a tag. `None` if the language is not known.
fn nearest(wanted: &Subtags) -> Option<&'static (i32, &'static str)> {
    let same = LANGUAGES
        .iter()
        .filter(|(_, tag)| tag.split('-').next() == Some(&wanted.language))
        .map(|entry| (entry, Subtags::of(entry.1)));
    // The first of several with the best match, since a later one has to be better.
    let mut best = None;
    for (entry, own) in same {
        let script = wanted.script_or_usual();
        let has_script = script.is_none() || own.script_or_usual() == script;
        let value = (has_script, own.region == wanted.region);
        if best.is_none_or(|(_, other)| value > other) {
            best = Some((entry, value));
        }
    }
    best.map(|(entry, _)| entry)
}

/// The parts of a BCP 47 tag that matter here (RFC 5646, 2.2), each in its usual case.
struct Subtags {
    language: String,
    script: Option<String>,
    region: Option<String>,
    /// Variants and extensions, as they are written.
    rest: Vec<String>,
}

impl Subtags {
    /// Parses a tag, whose parts may also have underscores between them.
    fn of(tag: &str) -> Self {
        let mut parts = tag.trim().split(['-', '_']);
        let language = parts.next().unwrap_or_default().to_ascii_lowercase();
        let (language, mut script, mut region) = match &*language {
            // Former codes, and languages that are written like others.
            "no" => ("nb", None, None),
            "iw" => ("he", None, None),
            "in" => ("id", None, None),
            "ji" => ("yi", None, None),
            "cmn" => ("zh", None, None),
            "yue" => ("zh", Some("Hant"), Some("HK")),
            own => (own, None, None),
        };
        let (mut own_script, mut own_region) = (None, None);
        let mut rest: Vec<String> = Vec::new();
        for part in parts {
            let is_word = part.bytes().all(|c| c.is_ascii_alphabetic());
            let is_number = part.bytes().all(|c| c.is_ascii_digit());
            match part.len() {
                // Nothing follows an extension or a variant that is not a part of it.
                _ if !rest.is_empty() => rest.push(part.to_owned()),
                4 if is_word && own_script.is_none() => {
                    let (first, rest) = part.split_at(1);
                    own_script = Some(first.to_ascii_uppercase() + &rest.to_ascii_lowercase());
                }
                2 if is_word && own_region.is_none() => {
                    own_region = Some(part.to_ascii_uppercase())
                }
                3 if is_number && own_region.is_none() => own_region = Some(part.to_owned()),
                0 => {}
                _ => rest.push(part.to_owned()),
            }
        }
        if own_script.is_some() || own_region.is_some() {
            (script, region) = (None, None);
        }
        Self {
            language: language.to_owned(),
            script: own_script.or(script.map(str::to_owned)),
            region: own_region.or(region.map(str::to_owned)),
            rest,
        }
    }

    /// The script, or the usual script of the region.
    fn script_or_usual(&self) -> Option<&str> {
        let usual = match (&*self.language, self.region.as_deref()) {
            ("zh", Some("TW" | "HK" | "MO")) => Some("Hant"),
            ("zh", Some(_)) => Some("Hans"),
            _ => None,
        };
        self.script.as_deref().or(usual)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_their_numbers() {
        #[track_caller]
        fn check(tag: &str, number: Option<i32>) {
            assert_eq!(language_number(tag), number, "{tag}");
        }
        check("de", Some(1031));
        check("de-AT", Some(3079));
        check("de-LI", Some(1031));
        check("EN-gb", Some(2057));
        check("zh", Some(2052));
        check("no", Some(1044));
        check("NO", Some(1044));
        check("JA", Some(1041));
        check("de_AT", Some(3079));
        check("zh-Hant", Some(1028));
        check("zh_hant_HK", Some(3076));
        check("zh-HK", Some(3076));
        check("zh-MO", Some(1028));
        check("zh-Hans", Some(2052));
        check("zh-Hans-HK", Some(2052));
        check("yue", Some(3076));
        check("cmn-Hant", Some(1028));
        check("sr-Cyrl", Some(10266));
        check("sr-Latn-ME", Some(9242));
        check("iw", Some(1037));
        check("de-x-TW", Some(1031));
        check("tlh", None);
        check("", None);
        assert_eq!(language(1034), Some("es-ES"));
        assert_eq!(language(0), None);
    }

    #[test]
    fn tags_have_their_usual_form() {
        #[track_caller]
        fn check(tag: &str, usual: &str, [language, country]: [&str; 2]) {
            assert_eq!(usual_tag(tag), usual, "{tag}");
            let expected = (language.to_owned(), country.to_owned());
            assert_eq!(language_and_country(tag), expected, "{tag}");
        }
        check("JA", "ja", ["ja", "none"]);
        check("de_at", "de-AT", ["de", "AT"]);
        check("zh-hant", "zh-TW", ["zh", "TW"]);
        check("zh-Hant-MO", "zh-Hant-MO", ["zh", "MO"]);
        check("zh", "zh", ["zh", "none"]);
        check("az-Cyrl", "az-Cyrl", ["az", "none"]);
        check("de-DE-1996-x-a", "de-DE-1996-x-a", ["de", "DE"]);
        check("es-419", "es-419", ["es", "419"]);
        for (tag, script) in [
            ("JA", Script::EastAsian),
            ("he_IL", Script::Complex),
            ("jav", Script::Latin),
        ] {
            assert_eq!(script_of_language(tag), script, "{tag}");
        }
    }
}
