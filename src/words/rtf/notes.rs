//! Number formats of notes. Reads and writes nothing.

/// Names of number formats in words such as `\ftnnar`, with their numbers in Word's binary format.
pub(super) const FORMATS: [(&str, u8); 21] = [
    ("ar", 0),
    ("ruc", 1),
    ("rlc", 2),
    ("auc", 3),
    ("alc", 4),
    ("chi", 9),
    ("dbnum", 10),
    ("dbnumd", 11),
    ("dbar", 14),
    ("dbnumt", 16),
    ("dbnumk", 17),
    ("cnum", 18),
    ("ganada", 24),
    ("chosung", 25),
    ("gbnum", 26),
    ("gbnumd", 27),
    ("gbnuml", 28),
    ("gbnumk", 29),
    ("zodiac", 30),
    ("zodiacd", 31),
    ("zodiacl", 32),
];
