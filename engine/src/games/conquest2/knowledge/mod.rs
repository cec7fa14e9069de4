//! Each seat's information about Senators, and worlds that agree with it.
//!
//! Starting hands, cards taken from the display, and Senators shown, spent, assassinated or given by Rome are public.
//! Only two players see a bribed Senator: thief and victim. So the hidden part of a position is the values of the
//! bribes in which an observer had no part. The posterior over them is exact: a bribe and an assassination draw
//! uniformly from a hand, and a hand holds at least the Senators that it showed. (Weighting by the players' style of
//! play belongs to an agent, not to the rules.)
//!
//! Hands are stored as two parts: `base` is the hand without any bribe, from public facts alone, and the bribes move
//! cards over it.

mod hands;
mod posterior;
