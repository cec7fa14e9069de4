//! A plain policy for the rest of a turn that is tried out, for evaluations of an action.

use crate::games::classic::Classic;
use crate::games::classic::model::action::{Action, Verb};
use crate::games::classic::model::detail::{Detail, Kind};
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::state::State;

impl Classic {
    /// Returns an option of the decision that is due by fixed rules. It begins no further action, chooses the legion
    /// with most hits, never retreats, loses infantry first, keeps all captives, and accepts no offer. A group under
    /// way gets one leader if that is enough, a general before the caesar. It gets all troops that can go along if
    /// `is_bold`, and one otherwise.
    #[must_use]
    pub fn plain_reply(&self, s: &State, is_bold: bool) -> Action {
        let options = s.options;
        let (least, most) = (options.lo(), (options.lo() + options.n()).saturating_sub(1));
        let count = |number: u16| Action::with(Verb::Count, number.clamp(least, most) as u8);
        match s.phase {
            Phase::Move | Phase::Attack | Phase::Market => Action::plain(Verb::Done),
            Phase::Group => {
                let Detail::Group(group) = s.detail else { unreachable!("a group is mustered") };
                match group.kind() {
                    Kind::General | Kind::Caesar => count(u16::from(group.leaders() == 0)),
                    _ if is_bold => count(most),
                    _ => count(u16::from(group.troops() == 0)),
                }
            }
            Phase::SailCount => count(least),
            Phase::Retreat | Phase::Answer => self.option(s, options.n() - 1),
            Phase::Legion => count(self.legion_reply(s).into()),
            Phase::Losses | Phase::PursuitLosses | Phase::Keep | Phase::Buy => count(most),
            _ => self.option(s, 0),
        }
    }
}
