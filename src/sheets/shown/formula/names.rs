//! Names of functions that differ between Excel and OpenFormula. Reads no formulas.
//!
//! Excel stores functions added after 2007 with a prefix and does not know them without it (MS-XLSX 2.3.3).
//! OpenFormula defines some of these functions itself (OpenDocument 1.3, part 4, 6); the others carry the prefix of
//! their vendor, by an agreement between programs. Where OpenFormula has another function of the same name, Excel's
//! function gets the prefix `LEGACY.`. The lists were compared with the output of LibreOffice 7.4.

use std::borrow::Cow;

/// Prefix of functions added after Excel 2007.
const LATER: &str = "_xlfn.";
/// Second prefix, for `FILTER` and `SORT`.
const SECOND: &str = "_xlws.";

/// Prefix of Excel's own functions in OpenFormula.
const MAKER: &str = "COM.MICROSOFT.";
/// Prefix of older Excel functions in OpenFormula.
const OLDER: &str = "LEGACY.";

/// Functions added after Excel 2007 that OpenFormula defines, too. Sorted, for binary search.
const SHARED: &[&str] = &[
    "ACOT",
    "ACOTH",
    "ARABIC",
    "BASE",
    "BITAND",
    "BITLSHIFT",
    "BITOR",
    "BITRSHIFT",
    "BITXOR",
    "COMBINA",
    "COT",
    "COTH",
    "CSC",
    "CSCH",
    "DAYS",
    "DECIMAL",
    "GAMMA",
    "GAUSS",
    "IFNA",
    "IMCOSH",
    "IMCOT",
    "IMCSC",
    "IMCSCH",
    "IMSEC",
    "IMSECH",
    "IMSINH",
    "IMTAN",
    "ISFORMULA",
    "ISOWEEKNUM",
    "MUNIT",
    "NUMBERVALUE",
    "PDURATION",
    "PERMUTATIONA",
    "PHI",
    "RRI",
    "SEC",
    "SECH",
    "SHEET",
    "SHEETS",
    "UNICHAR",
    "UNICODE",
    "XOR",
];

/// Functions added after Excel 2007 that OpenFormula does not define. Sorted, for binary search.
const UNDEFINED: &[&str] = &[
    "AGGREGATE",
    "ANCHORARRAY",
    "ARRAYTOTEXT",
    "BETA.DIST",
    "BETA.INV",
    "BINOM.DIST",
    "BINOM.DIST.RANGE",
    "BINOM.INV",
    "BYCOL",
    "BYROW",
    "CEILING.MATH",
    "CEILING.PRECISE",
    "CHISQ.DIST",
    "CHISQ.DIST.RT",
    "CHISQ.INV",
    "CHISQ.INV.RT",
    "CHISQ.TEST",
    "CHOOSECOLS",
    "CHOOSEROWS",
    "CONCAT",
    "CONFIDENCE.NORM",
    "CONFIDENCE.T",
    "COVARIANCE.P",
    "COVARIANCE.S",
    "DROP",
    "ECMA.CEILING",
    "ERF.PRECISE",
    "ERFC.PRECISE",
    "EXPAND",
    "EXPON.DIST",
    "F.DIST.RT",
    "F.INV.RT",
    "F.TEST",
    "FIELDVALUE",
    "FILTER",
    "FILTERXML",
    "FLOOR.MATH",
    "FLOOR.PRECISE",
    "FORECAST.ETS",
    "FORECAST.ETS.CONFINT",
    "FORECAST.ETS.SEASONALITY",
    "FORECAST.ETS.STAT",
    "FORECAST.LINEAR",
    "GAMMA.DIST",
    "GAMMA.INV",
    "GAMMALN.PRECISE",
    "HSTACK",
    "HYPGEOM.DIST",
    "IFS",
    "IMAGE",
    "ISOMITTED",
    "LAMBDA",
    "LET",
    "LOGNORM.DIST",
    "LOGNORM.INV",
    "MAKEARRAY",
    "MAP",
    "MAXIFS",
    "MINIFS",
    "MODE.MULT",
    "MODE.SNGL",
    "NEGBINOM.DIST",
    "NORM.DIST",
    "NORM.INV",
    "NORM.S.DIST",
    "NORM.S.INV",
    "PERCENTILE.EXC",
    "PERCENTILE.INC",
    "PERCENTRANK.EXC",
    "PERCENTRANK.INC",
    "POISSON.DIST",
    "QUARTILE.EXC",
    "QUARTILE.INC",
    "QUERYSTRING",
    "RANDARRAY",
    "RANK.AVG",
    "RANK.EQ",
    "REDUCE",
    "SCAN",
    "SEQUENCE",
    "SINGLE",
    "SORT",
    "SORTBY",
    "STDEV.P",
    "STDEV.S",
    "SWITCH",
    "T.DIST",
    "T.DIST.2T",
    "T.DIST.RT",
    "T.INV",
    "T.INV.2T",
    "T.TEST",
    "TAKE",
    "TEXTAFTER",
    "TEXTBEFORE",
    "TEXTJOIN",
    "TEXTSPLIT",
    "TOCOL",
    "TOROW",
    "UNIQUE",
    "VALUETOTEXT",
    "VAR.P",
    "VAR.S",
    "VSTACK",
    "WEBSERVICE",
    "WEIBULL.DIST",
    "WRAPCOLS",
    "WRAPROWS",
    "XLOOKUP",
    "XMATCH",
    "Z.TEST",
];

/// Functions without a prefix in Excel that have the vendor prefix in OpenFormula.
const PREFIXED: [&str; 4] = ["CEILING", "FLOOR", "NETWORKDAYS.INTL", "WORKDAY.INTL"];

/// Functions without a prefix in Excel that have the prefix `LEGACY.` in OpenFormula.
const LEGACY: [&str; 7] = [
    "CHIDIST",
    "CHIINV",
    "FDIST",
    "FINV",
    "NORMSDIST",
    "NORMSINV",
    "TDIST",
];

/// Functions added after Excel 2007 with another name in OpenFormula: name in Excel, name in OpenFormula.
const RENAMED: [(&str, &str); 4] = [
    ("F.DIST", "FDIST"),
    ("F.INV", "FINV"),
    ("FORMULATEXT", "FORMULA"),
    ("SKEW.P", "SKEWP"),
];

/// Translates the name of a function from Excel to OpenFormula.
pub(super) fn to_open(name: &str) -> Cow<'_, str> {
    let plain = name.strip_prefix(LATER).unwrap_or(name);
    let plain = plain.strip_prefix(SECOND).unwrap_or(plain);
    let upper = plain.to_ascii_uppercase();
    let renamed = RENAMED.iter().find(|(excel, _)| *excel == upper);
    match renamed {
        Some((_, open)) => Cow::Borrowed(open),
        None if LEGACY.contains(&&*upper) => format!("{OLDER}{plain}").into(),
        None if PREFIXED.contains(&&*upper) || UNDEFINED.binary_search(&&*upper).is_ok() => {
            format!("{MAKER}{plain}").into()
        }
        None => Cow::Borrowed(plain),
    }
}

/// Translates the name of a function from OpenFormula to Excel.
pub(super) fn to_excel(name: &str) -> Cow<'_, str> {
    if let Some(plain) = name.strip_prefix(OLDER) {
        return Cow::Borrowed(plain);
    }
    let plain = name.strip_prefix(MAKER).unwrap_or(name);
    let upper = plain.to_ascii_uppercase();
    let renamed = RENAMED.iter().find(|(_, open)| *open == upper);
    match (renamed, &*upper) {
        (Some((excel, _)), _) => format!("{LATER}{excel}").into(),
        // OpenFormula's CEILING and FLOOR take a third argument, as CEILING.MATH and FLOOR.MATH do in Excel.
        (None, "CEILING" | "FLOOR") if plain == name => format!("{LATER}{upper}.MATH").into(),
        (None, "FILTER" | "SORT") => format!("{LATER}{SECOND}{plain}").into(),
        (None, name)
            if [SHARED, UNDEFINED]
                .iter()
                .any(|names| names.binary_search(&name).is_ok()) =>
        {
            format!("{LATER}{plain}").into()
        }
        (None, _) => Cow::Borrowed(plain),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(SHARED.is_sorted() && UNDEFINED.is_sorted());
    }

    #[test]
    fn functions_have_the_names_of_both_sides() {
        for (excel, open) in [
            ("SUM", "SUM"),
            ("_xlfn.IFNA", "IFNA"),
            ("_xlfn.STDEV.S", "COM.MICROSOFT.STDEV.S"),
            ("_xlfn._xlws.FILTER", "COM.MICROSOFT.FILTER"),
            ("_xlfn.F.DIST", "FDIST"),
            ("FDIST", "LEGACY.FDIST"),
            ("CEILING", "COM.MICROSOFT.CEILING"),
            ("_xlfn.NEW.ONE", "NEW.ONE"),
        ] {
            assert_eq!(to_open(excel), open);
            // The prefix of unknown functions is not restored.
            let back = if open == "NEW.ONE" { open } else { excel };
            assert_eq!(to_excel(open), back);
        }
        assert_eq!(to_excel("FLOOR"), "_xlfn.FLOOR.MATH");
    }
}
