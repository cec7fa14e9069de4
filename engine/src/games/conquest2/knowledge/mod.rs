//! What each seat has seen of Senators, and worlds that agree with it.
//!
//! Starting hands, takings from the display, Senators shown, spent, assassinated or given by Rome are public.
//! Only a bribed Senator is seen by two players alone: thief and victim. So the hidden part of a position is
//! the values of the bribes that an observer had no part in, and the posterior over them is exact: a bribe and
//! an assassination draw uniformly from a hand, and a hand that was shown holds at least what was shown.
//! (Weighting by how players choose is an agent's business, not the rules'.)
//!
//! Hands are accounted for twice: `base` is what a hand would be without any bribe, from public facts alone,
//! and the bribes move cards over it.

mod hands;
mod posterior;
