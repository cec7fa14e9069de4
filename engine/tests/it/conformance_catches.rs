//! Tests of the conformance check: each breaks one promise of a good game, and the check must find it.

use std::fmt;

use engine::action_index::Values;
use engine::games::kuhn_poker::{Action, KuhnPoker, State};
use engine::observation::Fields;
use engine::{
    About, ActionBlock, ActionIndex, BadRules, ByPlayer, ChanceEvent, Configure, Game, Notation,
    ObservationTensor, Player, Randomness, Rules, Treatable, Turn, View, conformance,
};

/// A broken promise.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    OneAction,
    DoubledAction,
    BiasedChoice,
    WrongCount,
    EverythingLegal,
    PayoffsAddUpToTwo,
    OutcomesAddUpToLess,
    NoDeterminization,
    DeterminizesOwnCard,
    DrawsFromTruth,
    IsLongerThanItsBound,
    KnowsHiddenCard,
    ShowsHiddenCard,
    WritesHiddenCard,
    ShowsNoCard,
    ActionsWrittenAlike,
    EventsWrittenAlike,
    ShowsSecretChance,
    NumbersActionsAlike,
    NumbersWithGaps,
    ObservesHiddenCard,
}

/// Kuhn poker with a fault.
#[derive(Clone, Copy)]
struct Faulty(KuhnPoker, Fault);

impl Game for Faulty {
    type State = State;
    type Action = Action;

    fn n_players(&self) -> usize {
        self.0.n_players()
    }
    fn start(&self) -> State {
        self.0.start()
    }
    fn turn(&self, state: &State) -> Turn {
        self.0.turn(state)
    }
    fn actions(&self, state: &State, player: Player, out: &mut Vec<Action>) {
        self.0.actions(state, player, out);
        match self.1 {
            Fault::OneAction => out.truncate(1),
            Fault::DoubledAction => out.extend_from_within(..1),
            _ => {}
        }
    }
    fn n_actions(&self, state: &State, player: Player, scratch: &mut Vec<Action>) -> usize {
        scratch.clear();
        self.actions(state, player, scratch);
        scratch.len() + usize::from(self.1 == Fault::WrongCount)
    }
    fn is_legal(
        &self,
        state: &State,
        p: Player,
        action: Action,
        scratch: &mut Vec<Action>,
    ) -> bool {
        self.1 == Fault::EverythingLegal || self.0.is_legal(state, p, action, scratch)
    }
    fn random_action<R: Randomness + ?Sized>(
        &self,
        state: &State,
        player: Player,
        rng: &mut R,
        scratch: &mut Vec<Action>,
    ) -> Action {
        scratch.clear();
        self.actions(state, player, scratch);
        let is_biased = self.1 == Fault::BiasedChoice && rng.below(2) == 0;
        scratch[if is_biased { 0 } else { rng.below(scratch.len() as u32) as usize }]
    }
    fn apply(&self, state: &mut State, action: Action) {
        self.0.apply(state, action);
    }
    fn draw<R: Randomness + ?Sized>(&self, state: &State, rng: &mut R) -> Action {
        self.0.draw(state, rng)
    }
    fn outcomes(&self, state: &State, out: &mut Vec<(Action, f64)>) {
        self.0.outcomes(state, out);
        if self.1 == Fault::OutcomesAddUpToLess {
            out.pop();
        }
    }
    fn payoffs(&self, state: &State) -> ByPlayer<f32> {
        let payoffs = self.0.payoffs(state);
        let factor = if self.1 == Fault::PayoffsAddUpToTwo { 2.0 } else { 1.0 };
        ByPlayer(payoffs.0.map(|points| factor * points))
    }
    fn determinize<R: Randomness + ?Sized>(
        &self,
        state: &mut State,
        observer: Player,
        rng: &mut R,
    ) {
        match self.1 {
            Fault::NoDeterminization => {}
            Fault::DeterminizesOwnCard => self.0.determinize(state, observer.next(2), rng),
            // Each other card is as likely as it should be, but one of the numbers keeps the true one.
            Fault::DrawsFromTruth => {
                let n_times = 1 + rng.below(2);
                let truth = self.0.info_state_key(state, observer.next(2));
                self.0.determinize(state, observer, rng);
                while n_times == 1 && self.0.info_state_key(state, observer.next(2)) != truth {
                    self.0.determinize(state, observer, rng);
                }
            }
            _ => self.0.determinize(state, observer, rng),
        }
    }
    fn max_game_length(&self) -> Option<u32> {
        if self.1 == Fault::IsLongerThanItsBound { Some(2) } else { self.0.max_game_length() }
    }
    fn info_state_key(&self, state: &State, observer: Player) -> u64 {
        match self.1 {
            Fault::KnowsHiddenCard => engine::hash_of(state),
            _ => self.0.info_state_key(state, observer),
        }
    }
}

impl Configure for Faulty {
    fn about() -> About {
        KuhnPoker::about()
    }

    fn default_rules() -> &'static str {
        KuhnPoker::default_rules()
    }

    fn configure(n_players: usize, rules: &Rules) -> Result<Self, BadRules> {
        Ok(Self(KuhnPoker::configure(n_players, rules)?, Fault::None))
    }
}

impl Treatable for Faulty {}

impl Notation for Faulty {
    fn write_action(&self, action: Action, f: &mut dyn fmt::Write) -> fmt::Result {
        match self.1 {
            Fault::ActionsWrittenAlike => f.write_str("pass"),
            _ => self.0.write_action(action, f),
        }
    }
    fn chance_event(&self, state: &State, outcome: Action) -> ChanceEvent {
        let event = self.0.chance_event(state, outcome);
        match self.1 {
            Fault::EventsWrittenAlike => ChanceEvent { value: 1.into(), ..event },
            _ => event,
        }
    }
    fn seen_chance(&self, state: &State, outcome: Action, observer: Player) -> ChanceEvent {
        match self.1 {
            Fault::ShowsSecretChance => self.chance_event(state, outcome),
            _ => self.0.seen_chance(state, outcome, observer),
        }
    }
    fn state_json(&self, state: &State) -> serde_json::Value {
        self.0.state_json(state)
    }
    fn write_state(&self, state: &State, f: &mut dyn fmt::Write) -> fmt::Result {
        self.0.write_state(state, f)
    }
    fn view_json(&self, state: &State, observer: Player) -> serde_json::Value {
        match self.1 {
            Fault::ShowsHiddenCard | Fault::ObservesHiddenCard => self.state_json(state),
            Fault::ShowsNoCard => serde_json::json!({}),
            _ => self.0.view_json(state, observer),
        }
    }
    fn write_view(&self, state: &State, p: Player, f: &mut dyn fmt::Write) -> fmt::Result {
        match self.1 {
            Fault::WritesHiddenCard => self.write_state(state, f),
            _ => self.0.write_view(state, p, f),
        }
    }
}

impl ActionIndex for Faulty {
    fn action_blocks(&self) -> &[ActionBlock] {
        static GAPS: [ActionBlock; 2] = [
            ActionBlock { word: "pass", first: 0, bounds: [1; 4] },
            ActionBlock { word: "bet", first: 2, bounds: [1; 4] },
        ];
        if self.1 == Fault::NumbersWithGaps { &GAPS } else { self.0.action_blocks() }
    }
    fn split(&self, action: Action) -> (usize, Values) {
        match self.1 {
            Fault::NumbersActionsAlike => (0, [0; 4]),
            _ => self.0.split(action),
        }
    }
    fn join(&self, block: usize, values: Values) -> Action {
        self.0.join(block, values)
    }
}

impl ObservationTensor for Faulty {
    /// Shows the card of the other player by its own view, which no good game does.
    fn observe<F: Fields>(view: View<'_, Self>, fields: &mut F) {
        let shown = match (view.game().1, view.to_json()["cards"][0].as_u64()) {
            (Fault::ObservesHiddenCard, Some(card)) => card as f32,
            _ => 0.0,
        };
        fields.field("first card", &[], "value", |out| out[0] = shown);
    }
}

/// Returns the complaint of the check about a game with this fault, if any.
fn complaint(fault: Fault) -> Option<String> {
    let kuhn = KuhnPoker::configure(2, &Rules::of::<KuhnPoker>()).expect("good rules");
    let game = Faulty(kuhn, fault);
    let check = match fault {
        Fault::NumbersActionsAlike | Fault::NumbersWithGaps | Fault::ObservesHiddenCard => {
            conformance::check_tensors
        }
        _ => conformance::check,
    };
    let panic = std::panic::catch_unwind(|| check(&game, 1, 30)).err()?;
    Some(panic.downcast_ref::<String>().cloned().unwrap_or_default())
}

#[test]
fn every_broken_promise_is_seen() {
    let expected = [
        (Fault::OneAction, "1 actions, but forced ones are no decision"),
        (Fault::DoubledAction, "is listed twice"),
        (Fault::BiasedChoice, "random_action is not uniform"),
        (Fault::WrongCount, "n_actions against the list"),
        (Fault::EverythingLegal, "is_legal("),
        (Fault::PayoffsAddUpToTwo, "payoffs add up to 2"),
        (Fault::OutcomesAddUpToLess, "probabilities add up to 0.8"),
        (Fault::NoDeterminization, "determinize never changed what is hidden"),
        (Fault::DeterminizesOwnCard, "info state key of player"),
        (Fault::DrawsFromTruth, "a world drawn for player 0 shows the truth"),
        (Fault::IsLongerThanItsBound, "3 choices, more than max_game_length"),
        (Fault::KnowsHiddenCard, "info state key of player"),
        (Fault::ShowsHiddenCard, "the view of player"),
        (Fault::WritesHiddenCard, "the text for player"),
        (Fault::ShowsNoCard, "all seats always see the same"),
        (Fault::ActionsWrittenAlike, "reading \"pass\""),
        (Fault::EventsWrittenAlike, "reading {\"chance\":\"deal\",\"value\":1}"),
        (Fault::ShowsSecretChance, "is shown a secret outcome of chance"),
        (Fault::NumbersActionsAlike, "number 1 is of Some(Bet)"),
        (Fault::NumbersWithGaps, "a gap before"),
        (Fault::ObservesHiddenCard, "observes shows what is hidden"),
    ];
    for (fault, words) in expected {
        let message = complaint(fault).unwrap_or_else(|| panic!("{fault:?} is not seen"));
        assert!(message.contains(words), "{fault:?}: {message}");
        assert!(message.contains("kuhn-poker for 2, seed 1, game "), "{fault:?}: {message}");
    }
    assert_eq!(complaint(Fault::None), None);
    let good = Faulty(
        KuhnPoker::configure(2, &Rules::of::<KuhnPoker>()).expect("good rules"),
        Fault::None,
    );
    conformance::check_tensors(&good, 1, 30);
}
