//! A forward model over JSON: positions of a game, which a program steps through by requests.
//!
//! A request is a list of operations, and so is its answer (`docs/external-agents.md`). Positions have numbers, counted
//! from 0. A model for a program that sits at a table ([`Model::of_view`]) begins with determinizations of its view,
//! so that it holds no position that the seat could rule out. A model for study ([`Model::of_game`]) begins with new
//! games and holds them whole.

use engine::{Game, Joint, Notation, Player, PlayerSet, Purpose, Stream, Turn, View, playout, rng};
use serde_json::{Map, Value as Json, json};

/// Largest number of positions in a model.
pub const MOST_POSITIONS: usize = 1 << 16;

/// Positions of a game, with the only functions of the model that need its type.
trait Positions {
    fn players(&self) -> usize;
    /// Returns the number of positions.
    fn count(&self) -> usize;
    fn clear(&mut self);
    /// Adds a new game.
    fn begin(&mut self) -> Result<(), String>;
    /// Adds what `seat` holds possible at `of`; without both, what the seat of the view holds possible.
    fn determinize(&mut self, of: Option<(usize, Player)>, seed: u64) -> Result<(), String>;
    fn turn(&self, at: usize) -> Turn;
    fn texts(&self, at: usize, seat: Player) -> Vec<String>;
    /// Adds a copy.
    fn copy(&mut self, at: usize);
    /// Removes the last position and puts it in the place of `at`.
    fn replace(&mut self, at: usize);
    /// Applies actions, by their numbers, to the last position; `simultaneous` ones at once.
    fn choose(&mut self, actions: &[(Player, usize)], is_simultaneous: bool);
    fn outcomes(&self, at: usize) -> Vec<Json>;
    /// Applies an outcome to the last position: by number, or drawn.
    fn chance(&mut self, outcome: Chance);
    fn rollout(&self, at: usize, seed: u64) -> Vec<f32>;
    fn view(&self, at: usize, seat: Player) -> Json;
    fn points(&self, at: usize) -> Vec<f32>;
    fn scores(&self, at: usize) -> Option<Vec<i32>>;
}

/// A choice of an outcome of chance.
#[derive(Clone, Copy)]
enum Chance {
    Number(usize),
    Seed(u64),
}

struct Typed<'g, G: Game> {
    game: &'g G,
    /// The view of a seat at the table; `None` in a model for study.
    view: Option<View<'g, G>>,
    states: Vec<G::State>,
}

fn stream(seed: u64) -> Stream {
    rng::stream(seed, 0, Purpose::Analysis)
}

impl<G: Notation> Typed<'_, G> {
    fn last(&mut self) -> &mut G::State {
        self.states.last_mut().expect("a position was added")
    }

    fn actions(&self, at: usize, seat: Player) -> Vec<G::Action> {
        let mut actions = Vec::new();
        self.game.actions(&self.states[at], seat, &mut actions);
        actions
    }
}

impl<G: Notation> Positions for Typed<'_, G> {
    fn players(&self) -> usize {
        self.game.n_players()
    }

    fn count(&self) -> usize {
        self.states.len()
    }

    fn clear(&mut self) {
        self.states.clear();
    }

    fn begin(&mut self) -> Result<(), String> {
        if self.view.is_some() {
            return Err("\"new\" is no operation at a table: determinize the view".to_owned());
        }
        self.states.push(self.game.start());
        Ok(())
    }

    fn determinize(&mut self, of: Option<(usize, Player)>, seed: u64) -> Result<(), String> {
        let mut stream = stream(seed);
        let world = match (of, &self.view) {
            (Some((at, seat)), _) => {
                let mut world = self.states[at];
                self.game.determinize(&mut world, seat, &mut stream);
                world
            }
            (None, Some(view)) => view.determinization(&mut stream),
            (None, None) => {
                return Err("\"determinize\" lacks \"position\" and \"seat\"".to_owned());
            }
        };
        self.states.push(world);
        Ok(())
    }

    fn turn(&self, at: usize) -> Turn {
        self.game.turn(&self.states[at])
    }

    fn texts(&self, at: usize, seat: Player) -> Vec<String> {
        self.actions(at, seat).into_iter().map(|action| self.game.action_text(action)).collect()
    }

    fn copy(&mut self, at: usize) {
        self.states.push(self.states[at]);
    }

    fn replace(&mut self, at: usize) {
        self.states.swap_remove(at);
    }

    fn choose(&mut self, actions: &[(Player, usize)], is_simultaneous: bool) {
        let (game, at) = (self.game, self.states.len() - 1);
        let mut joint = Joint::default();
        for &(player, number) in actions {
            joint[player] = Some(self.actions(at, player)[number]);
        }
        match (is_simultaneous, joint.0.into_iter().flatten().next()) {
            (false, Some(action)) => game.apply(self.last(), action),
            _ => game.apply_joint(self.last(), &joint),
        }
    }

    fn outcomes(&self, at: usize) -> Vec<Json> {
        let (state, mut outcomes) = (&self.states[at], Vec::new());
        self.game.outcomes(state, &mut outcomes);
        let outcome = |(outcome, probability)| {
            let event = self.game.chance_event(state, outcome);
            json!({ "event": event, "probability": probability })
        };
        outcomes.into_iter().map(outcome).collect()
    }

    fn chance(&mut self, outcome: Chance) {
        let (game, state) = (self.game, *self.last());
        let outcome = match outcome {
            Chance::Seed(seed) => game.draw(&state, &mut stream(seed)),
            Chance::Number(number) => {
                let mut outcomes = Vec::new();
                game.outcomes(&state, &mut outcomes);
                outcomes[number].0
            }
        };
        game.apply(self.last(), outcome);
    }

    fn rollout(&self, at: usize, seed: u64) -> Vec<f32> {
        let mut state = self.states[at];
        playout(self.game, &mut state, &mut rng::fast(&mut stream(seed)), &mut Vec::new());
        self.game.payoffs(&state).first(self.players()).to_vec()
    }

    fn view(&self, at: usize, seat: Player) -> Json {
        self.game.view_json(&self.states[at], seat)
    }

    fn points(&self, at: usize) -> Vec<f32> {
        self.game.payoffs(&self.states[at]).first(self.players()).to_vec()
    }

    fn scores(&self, at: usize) -> Option<Vec<i32>> {
        let scores = self.game.scores(&self.states[at])?;
        Some(scores.first(self.players()).to_vec())
    }
}

/// A forward model of a game.
pub struct Model<'g>(Box<dyn Positions + 'g>);

impl std::fmt::Debug for Model<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Model({} positions)", self.0.count())
    }
}

impl<'g> Model<'g> {
    /// Returns a model of whole games of `game`.
    #[must_use]
    pub fn of_game<G: Notation>(game: &'g G) -> Self {
        Self(Box::new(Typed { game, view: None, states: Vec::new() }))
    }

    /// Returns a model of what the seat of `view` holds possible.
    #[must_use]
    pub fn of_view<G: Notation>(view: View<'g, G>) -> Self {
        Self(Box::new(Typed { game: view.game(), view: Some(view), states: Vec::new() }))
    }

    /// Removes all positions; the next one has the number 0.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Answers a list of operations, in their order.
    ///
    /// # Errors
    /// If an operation is unknown, incomplete or illegal: the message names it, and those before it have been carried out.
    pub fn answer(&mut self, operations: &Json) -> Result<Json, String> {
        let all = operations.as_array().ok_or("a model is asked by a list of operations")?;
        let answers = all.iter().map(|operation| {
            answer(&mut *self.0, operation).map_err(|why| {
                let text: String = operation.to_string().chars().take(80).collect();
                format!("operation {text}: {why}")
            })
        });
        answers.collect()
    }
}

/// Carries out an operation.
fn answer(model: &mut dyn Positions, operation: &Json) -> Result<Json, String> {
    match operation["op"].as_str().unwrap_or_default() {
        "new" => {
            room(model)?;
            model.begin()?;
            look(model, model.count() - 1)
        }
        "determinize" => {
            room(model)?;
            let of = match &operation["position"] {
                Json::Null => None,
                _ => Some((position(model, operation)?, seat(model, &operation["seat"])?)),
            };
            model.determinize(of, seed(operation)?)?;
            look(model, model.count() - 1)
        }
        "step" => step(model, operation),
        "look" => look(model, position(model, operation)?),
        "outcomes" => {
            let at = position(model, operation)?;
            match model.turn(at) {
                Turn::Chance => Ok(json!({ "outcomes": model.outcomes(at) })),
                _ => Err("no event of chance is due there".to_owned()),
            }
        }
        "view" => {
            let seat = seat(model, &operation["seat"])?;
            Ok(json!({ "view": model.view(position(model, operation)?, seat) }))
        }
        "rollout" => {
            let at = position(model, operation)?;
            Ok(json!({ "points": model.rollout(at, seed(operation)?) }))
        }
        _ => Err(format!("no such operation (known: {KNOWN})")),
    }
}

/// The names of the operations.
const KNOWN: &str = "new, determinize, step, look, outcomes, view, rollout";

/// Refuses a position more than a model may hold.
fn room(model: &dyn Positions) -> Result<(), String> {
    match model.count() < MOST_POSITIONS {
        true => Ok(()),
        false => Err(format!(
            "the model holds {MOST_POSITIONS} positions, and no more: step with \"replace\":true"
        )),
    }
}

fn seat(model: &dyn Positions, value: &Json) -> Result<Player, String> {
    let players = model.players();
    let seat = value.as_u64().filter(|&seat| seat < players as u64);
    let seat = seat.ok_or_else(|| format!("\"seat\" is none of 0 to {}", players - 1))?;
    Ok(Player::new(seat as usize))
}

fn seed(operation: &Json) -> Result<u64, String> {
    let seed = operation["seed"].as_u64();
    seed.ok_or_else(|| "\"seed\" is missing or no whole number".to_owned())
}

fn position(model: &dyn Positions, operation: &Json) -> Result<usize, String> {
    let number = operation["position"].as_u64().filter(|&at| at < model.count() as u64);
    let complaint = || format!("\"position\" is none of the {} of this model", model.count());
    Ok(number.ok_or_else(complaint)? as usize)
}

/// Returns what is due at a position, with the legal actions.
fn look(model: &dyn Positions, at: usize) -> Result<Json, String> {
    let mut json = Map::from_iter([("position".to_owned(), json!(at))]);
    let mut put = |key: &str, value: Json| json.insert(key.to_owned(), value);
    match model.turn(at) {
        Turn::Player(player) => {
            put("turn", json!("player"));
            put("seat", json!(player.idx()));
            put("actions", json!(model.texts(at, player)));
        }
        Turn::Simultaneous(players) => {
            put("turn", json!("simultaneous"));
            let each = players.iter().map(|p| (p.idx().to_string(), json!(model.texts(at, p))));
            put("actions", Json::Object(each.collect()));
        }
        Turn::Chance => {
            put("turn", json!("chance"));
        }
        Turn::Over => {
            put("turn", json!("over"));
            put("points", json!(model.points(at)));
        }
    }
    if let Some(scores) = model.scores(at) {
        put("scores", json!(scores));
    }
    Ok(Json::Object(json))
}

/// Steps from a position to its successor, which is a new position, or takes its place.
fn step(model: &mut dyn Positions, operation: &Json) -> Result<Json, String> {
    let at = position(model, operation)?;
    let replaces = match &operation["replace"] {
        Json::Null => false,
        Json::Bool(replaces) => *replaces,
        _ => return Err("\"replace\" is true or false".to_owned()),
    };
    // Everything is checked before the model changes.
    let step = read_step(model, at, operation)?;
    if !replaces {
        room(model)?;
    }
    model.copy(at);
    match step {
        Step::Choice(player, action) => model.choose(&[(player, action)], false),
        Step::Joint(actions) => model.choose(&actions, true),
        Step::Chance(chance) => model.chance(chance),
    }
    let last = model.count() - 1;
    if replaces {
        model.replace(at);
    }
    look(model, if replaces { at } else { last })
}

/// A step that is possible.
enum Step {
    Choice(Player, usize),
    Joint(Vec<(Player, usize)>),
    Chance(Chance),
}

fn read_step(model: &dyn Positions, at: usize, operation: &Json) -> Result<Step, String> {
    match model.turn(at) {
        Turn::Player(player) => {
            Ok(Step::Choice(player, action(model, at, player, &operation["action"])?))
        }
        Turn::Simultaneous(players) => joint(model, at, players, &operation["actions"]),
        Turn::Chance => match &operation["outcome"] {
            Json::Null => Ok(Step::Chance(Chance::Seed(seed(operation)?))),
            number => {
                let outcomes = model.outcomes(at);
                let is_possible = |number: &u64| {
                    let outcome = outcomes.get(*number as usize);
                    outcome.is_some_and(|one| one["probability"].as_f64() > Some(0.0))
                };
                let found = number.as_u64().filter(is_possible);
                let complaint = || format!("illegal outcome {number} of {}", outcomes.len());
                Ok(Step::Chance(Chance::Number(found.ok_or_else(complaint)? as usize)))
            }
        },
        Turn::Over => Err("the game is over there".to_owned()),
    }
}

/// Returns the number of an action that is given as text or number.
fn action(model: &dyn Positions, at: usize, player: Player, value: &Json) -> Result<usize, String> {
    let texts = model.texts(at, player);
    let found = match value {
        Json::String(text) => texts.iter().position(|legal| legal == text),
        _ => value.as_u64().filter(|&n| n < texts.len() as u64).map(|n| n as usize),
    };
    found.ok_or_else(|| format!("illegal action {value} of seat {}", player.idx()))
}

/// Returns the actions of a simultaneous turn; a seat with one action need not be named.
fn joint(
    model: &dyn Positions,
    at: usize,
    players: PlayerSet,
    value: &Json,
) -> Result<Step, String> {
    let chosen = players.iter().map(|player| {
        let given = &value[player.idx().to_string()];
        match given.is_null() && model.texts(at, player).len() == 1 {
            true => Ok((player, 0)),
            false => Ok((player, action(model, at, player, given)?)),
        }
    });
    chosen.collect::<Result<_, String>>().map(Step::Joint)
}

#[cfg(test)]
mod tests {
    use engine::games::goofspiel::Goofspiel;
    use engine::games::kuhn_poker::KuhnPoker;
    use engine::games::tic_tac_toe::TicTacToe;
    use engine::{Configure, Rules};

    use super::*;

    fn ask(model: &mut Model<'_>, operations: &Json) -> Vec<Json> {
        model.answer(operations).unwrap().as_array().unwrap().clone()
    }

    #[test]
    fn a_game_is_stepped_through_and_a_tree_is_kept() {
        let mut model = Model::of_game(&TicTacToe);
        let answers = ask(
            &mut model,
            &json!([
                {"op": "new"},
                {"op": "step", "position": 0, "action": "a1"},
                {"op": "step", "position": 0, "action": 4},
                {"op": "step", "position": 1, "action": "b1", "replace": true},
                {"op": "rollout", "position": 1, "seed": 5},
                {"op": "look", "position": 0},
            ]),
        );
        assert_eq!(answers[0]["actions"].as_array().unwrap().len(), 9);
        assert_eq!(answers[1]["position"], 1);
        assert_eq!((&answers[2]["position"], &answers[2]["seat"]), (&json!(2), &json!(1)));
        assert_eq!((&answers[3]["position"], &answers[3]["seat"]), (&json!(1), &json!(0)));
        assert_eq!(answers[3]["actions"].as_array().unwrap().len(), 7);
        let points = answers[4]["points"].as_array().unwrap();
        let sum: f64 = points.iter().filter_map(Json::as_f64).sum();
        assert!((sum - 1.0).abs() < 1e-6, "{sum}");
        assert_eq!(answers[5], answers[0], "stepping leaves the position before as it was");
    }

    #[test]
    fn chance_and_simultaneous_turns_are_stepped_through() {
        let kuhn = KuhnPoker::configure(2, &Rules::of::<KuhnPoker>()).unwrap();
        let mut model = Model::of_game(&kuhn);
        let answers = ask(&mut model, &json!([{"op": "new"}, {"op": "outcomes", "position": 0}]));
        assert_eq!(answers[0]["turn"], "chance");
        let outcomes = answers[1]["outcomes"].as_array().unwrap();
        let sum: f64 = outcomes.iter().filter_map(|one| one["probability"].as_f64()).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        let dealt = ask(
            &mut model,
            &json!([
                {"op": "step", "position": 0, "outcome": 1},
                {"op": "step", "position": 0, "seed": 3},
                {"op": "step", "position": 0, "seed": 3},
            ]),
        );
        assert_eq!(dealt[1]["turn"], dealt[2]["turn"]);
        let goofspiel = Goofspiel::configure(2, &Rules::of::<Goofspiel>()).unwrap();
        let mut model = Model::of_game(&goofspiel);
        let mut answer = ask(&mut model, &json!([{"op": "new"}])).remove(0);
        let mut steps = 0;
        while answer["turn"] != "over" {
            let step = match answer["turn"].as_str().unwrap() {
                "chance" => json!({"op": "step", "position": 0, "seed": steps, "replace": true}),
                _ => {
                    json!({"op": "step", "position": 0, "actions": {"0": 0, "1": 0}, "replace": true})
                }
            };
            answer = ask(&mut model, &json!([step])).remove(0);
            steps += 1;
        }
        assert!(steps > 10, "{steps}");
    }

    #[test]
    fn a_model_of_a_view_knows_what_the_seat_knows() {
        let kuhn = KuhnPoker::configure(2, &Rules::of::<KuhnPoker>()).unwrap();
        // The cards of all deals that are the same to seat 0: the drawn worlds have the same distribution.
        let mut found = Vec::new();
        for outcome in 0..6 {
            let mut whole = Model::of_game(&kuhn);
            let deal = json!({"op": "step", "position": 0, "outcome": outcome, "replace": true});
            if whole.answer(&json!([{"op": "new"}, deal])).is_err() {
                continue;
            }
            let drawn: Vec<Json> = (0..40)
                .map(|seed| {
                    let determinize =
                        json!({"op": "determinize", "position": 0, "seat": 0, "seed": seed});
                    let at = ask(&mut whole, &json!([determinize]))[0]["position"].clone();
                    ask(&mut whole, &json!([{"op": "view", "position": at, "seat": 1}])).remove(0)
                })
                .collect();
            let own = ask(&mut whole, &json!([{"op": "view", "position": 0, "seat": 0}])).remove(0);
            found.push((own, drawn));
        }
        assert!(found.len() > 2, "{}", found.len());
        for (own, drawn) in &found {
            for (other, also) in &found {
                assert!(own != other || drawn == also, "{own}");
            }
        }
    }

    #[test]
    fn what_is_not_possible_is_refused_and_changes_nothing() {
        let mut model = Model::of_game(&TicTacToe);
        ask(&mut model, &json!([{"op": "new"}]));
        for (operation, complaint) in [
            (json!({"op": "fly"}), "no such operation"),
            (json!({"op": "step", "position": 0}), "illegal action null"),
            (json!({"op": "step", "position": 0, "action": "z9"}), "illegal action \"z9\""),
            (json!({"op": "step", "position": 0, "action": 9}), "illegal action 9"),
            (json!({"op": "step", "position": 0, "action": "a1", "replace": 1}), "\"replace\""),
            (json!({"op": "step", "position": 1, "action": "a1"}), "none of the 1"),
            (json!({"op": "outcomes", "position": 0}), "no event of chance"),
            (json!({"op": "view", "position": 0, "seat": 2}), "none of 0 to 1"),
            (json!({"op": "rollout", "position": 0}), "\"seed\""),
            (json!({"op": "determinize", "seed": 1}), "lacks \"position\""),
        ] {
            let refused = model.answer(&json!([operation])).unwrap_err();
            assert!(refused.starts_with("operation {"), "{refused}");
            assert!(refused.contains(complaint), "{refused}");
            assert_eq!(model.0.count(), 1, "{operation}");
        }
        assert!(model.answer(&json!({"op": "new"})).unwrap_err().contains("list"));
    }
}
