//! Languages by the numbers of Windows (MS-LCID). Translates only between these numbers and tags of BCP 47.

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

/// Returns the Windows language identifier for a BCP 47 tag. For an unknown region, it is the identifier of the
/// language in its usual region.
pub fn language_number(tag: &str) -> Option<i32> {
    let tag = match tag {
        "no" => "nb",
        tag => tag,
    };
    let exact = LANGUAGES
        .iter()
        .find(|(_, own)| own.eq_ignore_ascii_case(tag));
    let near = || {
        let mut all = LANGUAGES.iter();
        all.find(|(_, own)| main(own).eq_ignore_ascii_case(main(tag)))
    };
    exact.or_else(near).map(|(number, _)| *number)
}

/// The language of a tag, without script and region.
fn main(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or_default()
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
        check("tlh", None);
        check("", None);
        assert_eq!(language(1034), Some("es-ES"));
        assert_eq!(language(0), None);
    }
}
