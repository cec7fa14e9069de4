//! Tests clause by clause: small positions in which a clause decides the outcome. Names begin with the clause.

mod actions;
mod auctions;
mod audits;
mod battles;
mod cards;
mod knowledge;
mod movement;
mod naval;
mod revolts;
mod rulings;
mod scoring;
mod senate;

use crate::games::conquest2::proof::position::Position;
