//! Losses that can occur with every target.

use convertd_tree::losses::Loss;

pub(super) static MOVES: Loss = Loss {
    one: "The animation of a slide was left out.",
    many: "The animations of {} slides were left out.",
};

pub(super) static COMMENTS: Loss = Loss {
    one: "The comments on a slide were left out.",
    many: "The comments on {} slides were left out.",
};

pub(super) static HIDDEN: Loss = Loss {
    one: "A hidden slide was left out; `hidden=keep` keeps it.",
    many: "{} hidden slides were left out; `hidden=keep` keeps them.",
};
