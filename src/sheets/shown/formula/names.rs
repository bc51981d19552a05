//! The names of functions in the two syntaxes, where they differ. Reads no formula.
//!
//! Excel stores the functions that it has had since 2010 behind a prefix, without which it does not know them (MS-XLSX 2.3.3).
//! OpenFormula has some of them under their own names (OpenDocument 1.3, part 4, 6), and the others, by an agreement of the programs,
//! with the name of their maker. It calls those of Excel with which a function of its own shares its name older ones. What is said here of
//! names was compared with what LibreOffice 7.4 writes.

use std::borrow::Cow;

/// Prefixes of the names of later functions in Excel, and of those whose names older functions have.
const LATER: &str = "_xlfn.";
const SECOND: &str = "_xlws.";

/// Prefix of Excel's own functions in OpenFormula.
const MAKER: &str = "COM.MICROSOFT.";
const OLDER: &str = "LEGACY.";

/// Later functions that are in OpenFormula, too.
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

/// Later functions that are not.
const OWN: &[&str] = &[
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

/// Functions of Excel 2007 that have the name of their maker in OpenFormula.
const MADE: [&str; 4] = ["CEILING", "FLOOR", "NETWORKDAYS.INTL", "WORKDAY.INTL"];

/// Functions of Excel 2007 that OpenFormula calls older ones.
const LEGACY: [&str; 7] = [
    "CHIDIST",
    "CHIINV",
    "FDIST",
    "FINV",
    "NORMSDIST",
    "NORMSINV",
    "TDIST",
];

/// Later functions with another name in OpenFormula.
const RENAMED: [(&str, &str); 4] = [
    ("F.DIST", "FDIST"),
    ("F.INV", "FINV"),
    ("FORMULATEXT", "FORMULA"),
    ("SKEW.P", "SKEWP"),
];

/// The name of a function of Excel in OpenFormula.
pub(super) fn to_open(name: &str) -> Cow<'_, str> {
    let plain = name.strip_prefix(LATER).unwrap_or(name);
    let plain = plain.strip_prefix(SECOND).unwrap_or(plain);
    let upper = plain.to_ascii_uppercase();
    let renamed = RENAMED.iter().find(|(excel, _)| *excel == upper);
    match renamed {
        Some((_, open)) => Cow::Borrowed(open),
        None if LEGACY.contains(&&*upper) => format!("{OLDER}{plain}").into(),
        None if MADE.contains(&&*upper) || OWN.binary_search(&&*upper).is_ok() => {
            format!("{MAKER}{plain}").into()
        }
        None => Cow::Borrowed(plain),
    }
}

/// The name of a function of OpenFormula in Excel.
pub(super) fn to_excel(name: &str) -> Cow<'_, str> {
    if let Some(plain) = name.strip_prefix(OLDER) {
        return Cow::Borrowed(plain);
    }
    let plain = name.strip_prefix(MAKER).unwrap_or(name);
    let upper = plain.to_ascii_uppercase();
    let renamed = RENAMED.iter().find(|(_, open)| *open == upper);
    match (renamed, &*upper) {
        (Some((excel, _)), _) => format!("{LATER}{excel}").into(),
        // Those of OpenFormula know a third argument, with which Excel has them under other names.
        (None, "CEILING" | "FLOOR") if plain == name => format!("{LATER}{upper}.MATH").into(),
        (None, "FILTER" | "SORT") => format!("{LATER}{SECOND}{plain}").into(),
        (None, name)
            if [SHARED, OWN]
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
        assert!(SHARED.is_sorted() && OWN.is_sorted());
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
            // What is not known has no prefix that could be given back.
            let back = if open == "NEW.ONE" { open } else { excel };
            assert_eq!(to_excel(open), back);
        }
        assert_eq!(to_excel("FLOOR"), "_xlfn.FLOOR.MATH");
    }
}
