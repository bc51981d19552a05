//! Worksheet functions by their number (MS-XLS 2.5.198.17, MS-XLSB 2.5.97.10). Computes nothing.

use std::sync::LazyLock;

/// Names of the functions, in the order of their numbers from 0. `/n` after a name is a fixed number of arguments.
/// `-n` skips n numbers, which belong to macro functions or are unused.
const NAMES: &str = "\
    COUNT IF ISNA/1 ISERROR/1 SUM AVERAGE MIN MAX ROW COLUMN NA/0 NPV STDEV DOLLAR FIXED SIN/1 COS/1 TAN/1 ATAN/1 \
    PI/0 SQRT/1 EXP/1 LN/1 LOG10/1 ABS/1 INT/1 SIGN/1 ROUND/2 LOOKUP INDEX REPT/2 MID/3 LEN/1 VALUE/1 TRUE/0 FALSE/0 \
    AND OR NOT/1 MOD/2 DCOUNT/3 DSUM/3 DAVERAGE/3 DMIN/3 DMAX/3 DSTDEV/3 VAR DVAR/3 TEXT/2 LINEST TREND LOGEST \
    GROWTH -3 PV FV NPER PMT RATE MIRR/3 IRR RAND/0 MATCH DATE/3 TIME/3 DAY/1 MONTH/1 YEAR/1 WEEKDAY HOUR/1 MINUTE/1 \
    SECOND/1 NOW/0 AREAS/1 ROWS/1 COLUMNS/1 OFFSET -3 SEARCH TRANSPOSE/1 -2 TYPE/1 -10 ATAN2/2 ASIN/1 ACOS/1 CHOOSE \
    HLOOKUP VLOOKUP -2 ISREF/1 -3 LOG -1 CHAR/1 LOWER/1 UPPER/1 PROPER/1 LEFT RIGHT EXACT/2 TRIM/1 REPLACE/4 \
    SUBSTITUTE CODE/1 -2 FIND CELL ISERR/1 ISTEXT/1 ISNUMBER/1 ISBLANK/1 T/1 N/1 -8 DATEVALUE/1 TIMEVALUE/1 SLN/3 \
    SYD/4 DDB -3 INDIRECT -13 CLEAN/1 MDETERM/1 MINVERSE/1 MMULT/2 -1 IPMT PPMT COUNTA -13 PRODUCT FACT/1 -4 \
    DPRODUCT/3 ISNONTEXT/1 -2 STDEVP VARP DSTDEVP/3 DVARP/3 TRUNC ISLOGICAL/1 DCOUNTA/3 -4 USDOLLAR FINDB SEARCHB \
    REPLACEB/4 LEFTB RIGHTB MIDB/3 LENB/1 ROUNDUP/2 ROUNDDOWN/2 ASC/1 DBCS/1 RANK -2 ADDRESS DAYS360 TODAY/0 VDB -4 \
    MEDIAN SUMPRODUCT SINH/1 COSH/1 TANH/1 ASINH/1 ACOSH/1 ATANH/1 DGET/3 -8 INFO/1 -2 DB -4 FREQUENCY/2 -8 \
    ERROR.TYPE/1 -7 AVEDEV BETADIST GAMMALN/1 BETAINV BINOMDIST/4 CHIDIST/2 CHIINV/2 COMBIN/2 CONFIDENCE/3 \
    CRITBINOM/3 EVEN/1 EXPONDIST/3 FDIST/3 FINV/3 FISHER/1 FISHERINV/1 FLOOR/2 GAMMADIST/4 GAMMAINV/3 CEILING/2 \
    HYPGEOMDIST/4 LOGNORMDIST/3 LOGINV/3 NEGBINOMDIST/3 NORMDIST/4 NORMSDIST/1 NORMINV/3 NORMSINV/1 STANDARDIZE/3 \
    ODD/1 PERMUT/2 POISSON/3 TDIST/3 WEIBULL/4 SUMXMY2/2 SUMX2MY2/2 SUMX2PY2/2 CHITEST/2 CORREL/2 COVAR/2 FORECAST/3 \
    FTEST/2 INTERCEPT/2 PEARSON/2 RSQ/2 STEYX/2 SLOPE/2 TTEST/4 PROB DEVSQ GEOMEAN HARMEAN SUMSQ KURT SKEW ZTEST \
    LARGE/2 SMALL/2 QUARTILE/2 PERCENTILE/2 PERCENTRANK MODE TRIMMEAN/2 TINV/2 -3 CONCATENATE POWER/2 -4 RADIANS/1 \
    DEGREES/1 SUBTOTAL SUMIF COUNTIF/2 COUNTBLANK/1 -2 ISPMT/4 DATEDIF/3 DATESTRING/1 NUMBERSTRING/2 ROMAN -3 \
    GETPIVOTDATA HYPERLINK PHONETIC/1 AVERAGEA MAXA MINA STDEVPA VARPA STDEVA VARA BAHTTEXT/1 THAIDAYOFWEEK/1 \
    THAIDIGIT/1 THAIMONTHOFYEAR/1 THAINUMSOUND/1 THAINUMSTRING/1 THAISTRINGLENGTH/1 ISTHAIDIGIT/1 ROUNDBAHTDOWN/1 \
    ROUNDBAHTUP/1 THAIYEAR/1 RTD CUBEVALUE CUBEMEMBER/3 CUBEMEMBERPROPERTY/3 CUBERANKEDMEMBER/4 HEX2BIN/2 HEX2DEC/1 \
    HEX2OCT/2 DEC2BIN/2 DEC2HEX/2 DEC2OCT/2 OCT2BIN/2 OCT2HEX/2 OCT2DEC/1 BIN2DEC/1 BIN2OCT/2 BIN2HEX/2 IMSUB/2 \
    IMDIV/2 IMPOWER/2 IMABS/1 IMSQRT/1 IMLN/1 IMLOG2/1 IMLOG10/1 IMSIN/1 IMCOS/1 IMEXP/1 IMARGUMENT/1 IMCONJUGATE/1 \
    IMAGINARY/1 IMREAL/1 COMPLEX/3 IMSUM IMPRODUCT SERIESSUM/4 FACTDOUBLE/1 SQRTPI/1 QUOTIENT/2 DELTA/2 GESTEP/2 \
    ISEVEN/1 ISODD/1 MROUND/2 ERF/2 ERFC/1 BESSELJ/2 BESSELK/2 BESSELY/2 BESSELI/2 XIRR/3 XNPV/3 PRICEMAT/6 \
    YIELDMAT/6 INTRATE/5 RECEIVED/5 DISC/5 PRICEDISC/5 YIELDDISC/5 TBILLEQ/3 TBILLPRICE/3 TBILLYIELD/3 PRICE/7 \
    YIELD/7 DOLLARDE/2 DOLLARFR/2 NOMINAL/2 EFFECT/2 CUMPRINC/6 CUMIPMT/6 EDATE/2 EOMONTH/2 YEARFRAC/3 COUPDAYBS/4 \
    COUPDAYS/4 COUPDAYSNC/4 COUPNCD/4 COUPNUM/4 COUPPCD/4 DURATION/6 MDURATION/6 ODDLPRICE/8 ODDLYIELD/8 ODDFPRICE/8 \
    ODDFYIELD/8 RANDBETWEEN/2 WEEKNUM/2 AMORDEGRC/7 AMORLINC/7 CONVERT/3 ACCRINT/8 ACCRINTM/5 WORKDAY/3 \
    NETWORKDAYS/3 GCD MULTINOMIAL LCM FVSCHEDULE/2 CUBEKPIMEMBER/4 CUBESET/5 CUBESETCOUNT/1 IFERROR/2 COUNTIFS \
    SUMIFS AVERAGEIF/3 AVERAGEIFS";

/// Name of a function, and its number of arguments if that is fixed.
type Named = (&'static str, Option<u8>);

/// Functions by their number. `None` for numbers that are skipped.
static ALL: LazyLock<Vec<Option<Named>>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for word in NAMES.split_ascii_whitespace() {
        if let Some(gap) = word.strip_prefix('-') {
            all.resize(all.len() + gap.parse::<usize>().unwrap_or(0), None);
            continue;
        }
        let (name, count) = match word.split_once('/') {
            Some((name, count)) => (name, count.parse().ok()),
            None => (word, None),
        };
        all.push(Some((name, count)));
    }
    all
});

/// Returns the name of a function, and its number of arguments if that is fixed.
pub(super) fn function(number: u16) -> Option<Named> {
    ALL.get(usize::from(number)).copied().flatten()
}

/// Returns whether the table contains a function with this name.
pub(super) fn is_known(name: &str) -> bool {
    ALL.iter().flatten().any(|(known, _)| *known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_have_the_numbers_of_the_specification() {
        for (number, name, count) in [
            (0, "COUNT", None),
            (4, "SUM", None),
            (39, "MOD", Some(2)),
            (102, "VLOOKUP", None),
            (148, "INDIRECT", None),
            (252, "FREQUENCY", Some(2)),
            (345, "SUMIF", None),
            (379, "RTD", None),
            (480, "IFERROR", Some(2)),
            (484, "AVERAGEIFS", None),
        ] {
            assert_eq!(function(number), Some((name, count)), "{number}");
        }
        for number in [53, 255, 485, u16::MAX] {
            assert_eq!(function(number), None);
        }
    }
}
