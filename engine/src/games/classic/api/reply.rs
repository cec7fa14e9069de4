//! What somebody does who does not think: the rest of a turn that is tried out, for those who weigh what an action leads to.

use crate::games::classic::Classic;
use crate::games::classic::model::action::{Action, Verb};
use crate::games::classic::model::detail::{Detail, Kind};
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::state::State;

impl Classic {
    /// An option of the decision that is due, chosen without a thought: nothing more is begun, the legion is the one
    /// that hits most, nobody retreats, infantry is lost first, all captives are kept and no offer is taken. A group that is begun has one leader if that is enough, a
    /// general before the caesar, and all troops that can go with him if `is_bold`, else one.
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
