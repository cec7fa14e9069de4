//! A naive model of fallen leaders (8): lists of pieces, captives and provinces, changed clause by clause.
//!
//! In positions of random games, the leaders of a player fall to a captor or to nobody. Rules and model must come to an
//! equal board, purses and captives.

use crate::games::classic::Classic;
use crate::games::classic::model::battle::{After, Fall};
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::place::{N_PLACES, N_PROVINCES, Place};
use crate::games::classic::model::state::State;
use crate::games::shared::units::Unit;
use crate::player::Player;
use crate::rng::{Purpose, Randomness, Stream, stream};
use crate::rules::{Configure, Rules};
use crate::walk::Walk;

/// The number of galleys among the kinds in the order of units; land units come first.
const GALLEY: usize = 3;
const GENERAL: usize = 4;
const CAESAR: usize = 5;

/// The parts of a position in clause 8.
#[derive(Clone, PartialEq, Eq, Debug)]
struct SuccessionState {
    /// Owner, place and kind, in order.
    pieces: Vec<(usize, usize, usize)>,
    /// Captor and owner, in order.
    captives: Vec<(usize, usize)>,
    owners: Vec<Option<usize>>,
    talents: Vec<i64>,
    out: Vec<bool>,
}

impl SuccessionState {
    fn of(game: &Classic, s: &State) -> Self {
        let players = || Player::all(game.n_players);
        let (mut pieces, mut captives) = (Vec::new(), Vec::new());
        for q in players() {
            for place in Place::first(N_PLACES) {
                let mut add = |kind: usize, n: u8| {
                    pieces.extend((0..n).map(|_| (q.idx(), place.idx(), kind)));
                };
                for unit in Unit::LAND_MILITARY {
                    add(unit.idx(), s.troops(q, place).count(unit));
                }
                add(GALLEY, s.galleys(q, place));
                add(GENERAL, s.troops(q, place).generals());
                add(CAESAR, u8::from(s.caesar[q] == Some(place)));
            }
            for owner in players() {
                let n = s.captives(q, owner);
                captives.extend((0..n).map(|_| (q.idx(), owner.idx())));
            }
        }
        Self {
            pieces,
            captives,
            owners: (0..N_PROVINCES)
                .map(|p| s.owner(Place::new(p as u8)).map(Player::idx))
                .collect(),
            talents: players().map(|q| s.talents(q).into()).collect(),
            out: players().map(|q| s.out.contains(q)).collect(),
        }
    }

    fn take(&mut self, piece: (usize, usize, usize)) -> bool {
        let at = self.pieces.iter().position(|&p| p == piece);
        at.map(|at| self.pieces.remove(at)).is_some()
    }

    fn sorted(mut self) -> Self {
        self.pieces.sort_unstable();
        self.captives.sort_unstable();
        self
    }

    /// Returns the places where a general can be crowned (8.3).
    fn successors(&self, owner: usize) -> Vec<usize> {
        let own = self.pieces.iter().filter(|(q, _, kind)| *q == owner && *kind == GENERAL);
        let mut places: Vec<usize> = own.map(|(_, place, _)| *place).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    fn pay(&mut self, from: usize, to: usize, most: i64) {
        let paid = self.talents[from].min(most);
        self.talents[from] -= paid;
        self.talents[to] += paid;
    }

    /// Eliminates a player (8.4, 8.5).
    fn eliminate(&mut self, game: &Classic, player: usize, heir: Option<usize>) {
        self.out[player] = true;
        if let Some(heir) = heir {
            self.pay(player, heir, i64::MAX);
        }
        self.talents[player] = 0;
        let mut own: Vec<_> = self.pieces.iter().copied().filter(|p| p.0 == player).collect();
        own.sort_unstable();
        self.pieces.retain(|p| p.0 != player);
        for (_, place, kind) in own {
            let is_zone = place >= N_PROVINCES;
            let is_left = if is_zone { kind == GALLEY } else { kind <= GALLEY };
            let is_his = is_zone || self.owners[place] == Some(player);
            let Some(heir) = heir.filter(|_| is_left && is_his) else { continue };
            let pool = game.pool_of(if kind == GALLEY { Unit::Galley } else { LAND[kind] });
            let used = self.pieces.iter().filter(|p| p.0 == heir && p.2 == kind).count();
            if used < usize::from(pool) {
                self.pieces.push((heir, place, kind));
            }
        }
        self.owners.iter_mut().filter(|o| **o == Some(player)).for_each(|o| *o = heir);
        let (held, rest) = std::mem::take(&mut self.captives)
            .into_iter()
            .partition::<Vec<_>, _>(|(captor, _)| *captor == player);
        self.captives = rest;
        self.captives.retain(|(_, owner)| *owner != player);
        for (_, owner) in held.into_iter().filter(|(_, owner)| *owner != player) {
            match heir.filter(|&heir| heir != owner) {
                Some(heir) => self.captives.push((heir, owner)),
                None => {
                    let home = game.home_of(Player::new(owner)).idx();
                    if self.owners[home] == Some(owner) {
                        self.pieces.push((owner, home, GENERAL));
                    }
                }
            }
        }
    }
}

const LAND: [Unit; 3] = Unit::LAND_MILITARY;

/// Lets leaders fall in a position, by rules and model. Returns whether their owner is out, or `None` where no leader
/// can fall.
fn fall_once(game: &Classic, before: &State, rng: &mut Stream) -> Option<bool> {
    let mut s = *before;
    let alive: Vec<Player> = s.alive(game.n_players).iter().collect();
    let some = |rng: &mut Stream, n: usize| rng.below(n as u32) as usize;
    let owner = alive[some(rng, alive.len())];
    let others: Vec<Player> = alive.iter().copied().filter(|&q| q != owner).collect();
    let caesar = s.caesar[owner]?;
    if owner == s.turn || others.is_empty() {
        return None;
    }
    let captor = (rng.below(4) > 0).then(|| others[some(rng, others.len())]);
    // Captives are rare in random games.
    for _ in 0..rng.below(4) {
        let (one, two) = (alive[some(rng, alive.len())], alive[some(rng, alive.len())]);
        if one != two {
            s.captives[one].add(two, 1);
        }
    }
    // Half of the players have no successor.
    if rng.below(2) == 0 {
        for place in Place::first(N_PLACES).filter(|&place| place != caesar) {
            let generals = s.troops(owner, place).generals();
            s.add_troops(owner, place, Unit::General, -(generals as i8));
        }
    }
    let mut table = SuccessionState::of(game, &s);
    let fallen = Classic::topple(&mut s, owner, caesar);
    let generals = usize::from(fallen.generals);
    game.begin_fall(&mut s, Fall { owner, captor, fallen, after: After::Attack });

    let (q, captor) = (owner.idx(), captor.map(Player::idx));
    for _ in 0..generals {
        assert!(table.take((q, caesar.idx(), GENERAL)));
    }
    if let Some(captor) = captor.filter(|_| generals > 0) {
        assert_eq!((s.phase, s.actor.idx()), (Phase::Keep, captor));
        let kept = some(rng, generals + 1);
        game.keep(&mut s, kept as u8);
        table.captives.extend((0..kept).map(|_| (captor, q)));
    }
    assert!(table.take((q, caesar.idx(), CAESAR)));
    let places = table.successors(q);
    let is_out = places.is_empty() || !game.board.v.caesar_replaced;
    if is_out {
        table.eliminate(game, q, captor);
    } else {
        let options: Vec<usize> = s.leaders[owner].iter().map(Place::idx).collect();
        assert_eq!((s.phase, s.actor, options), (Phase::Crown, owner, places.clone()));
        let place = places[some(rng, places.len())];
        game.crown(&mut s, Place::new(place as u8));
        assert!(table.take((q, place, GENERAL)));
        table.pieces.push((q, place, CAESAR));
        if let Some(captor) = captor {
            table.pay(q, captor, game.board.v.caesar_payment);
        }
    }
    assert_eq!(SuccessionState::of(game, &s).sorted(), table.sorted());
    Some(is_out)
}

/// Lets leaders fall all over random games; returns the numbers of crownings and of eliminations.
fn falls(game: &Classic, seed: u64, n_games: u64) -> [u32; 2] {
    let mut counts = [0; 2];
    for index in 0..n_games {
        let mut walk = Walk::new(game, seed, index);
        let mut rng = stream(seed, index, Purpose::Analysis);
        loop {
            let s = *walk.state();
            let is_ready = matches!(s.phase, Phase::Move | Phase::Attack | Phase::Market);
            let is_now = is_ready && rng.below(4) == 0;
            if let Some(is_out) = is_now.then(|| fall_once(game, &s, &mut rng)).flatten() {
                counts[usize::from(is_out)] += 1;
            }
            if walk.next().is_none() {
                break;
            }
        }
    }
    counts
}

#[test]
fn leaders_fall_as_a_list_of_pieces_says() {
    for n_players in 2..=6 {
        let [crowned, out] = falls(&Classic::new(n_players), 11, 6);
        assert!(crowned > 40 && out > 40, "{n_players} players: {crowned} crowned, {out} out");
    }
}

#[test]
fn leaders_fall_so_under_other_numbers_too() {
    for setting in ["options.variant=base", "pools.infantry=9", "variant.friz.caesar_payment=45"] {
        let mut rules = Rules::of::<Classic>();
        rules.set(setting).expect("a setting");
        let game = Classic::configure(4, &rules).expect("good rules");
        let [crowned, out] = falls(&game, 12, 6);
        assert!(crowned + out > 100, "{setting}: {crowned} crowned, {out} out");
    }
}
