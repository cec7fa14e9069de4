//! The weights of the evaluation, each with a name that a TOML file can set.

use crate::heuristics::weights::weights;

weights! {
    of "imperium";
    /// What a rival's prospects count against the own ones, all rivals together.
    rival = 0.35,
    /// How uncertain the ranks in a province are that is scored after one more round, in pieces.
    doubt = 0.6,
    /// How much more uncertain they are for each further round.
    doubt_grows = 0.25,
    /// What a point is worth that is scored a round later, as a factor.
    patience = 0.93,
    /// What a piece on the board costs for each round until it comes home.
    lock = 0.15,
    /// What each card costs that cannot be played next round for want of a free piece.
    short = 0.8,
    /// An Ear of the Emperor that is still to be played.
    ear = 1.0,
    /// An Oracle that is still to be played.
    oracle = 1.0,
    /// Lead at the end of a game that makes it e times as likely to be won.
    swing = 2.0,
    /// How much larger such a lead has to be for each point that is missing to the end.
    swing_grows = 0.15,
    /// How much a player wavers between provinces: up to so much is added to what each seems to gain.
    waver = 0.8,
}
