//! `caesar agents [KIND|GAME]`.

use agents::layers::{Layers, ResolvedParam, Source};
use agents::mcts::Config;
use agents::param::{Domain, Param, Rows, Scale, Settings, Tried, Value};
use agents::{AgentSpec, Kind, OfGame};
use clap::{Args, Subcommand};
use engine::rules::nearest;
use serde_json::{Value as Json, json};

use super::output::{Form, Format, OneTable};
use super::{Ending, agents_check, files, look, print};
use crate::report::format::terminal::{Explained, TerminalStyle, explained, paragraph};
use crate::report::table::{Cell, Column, Content, Page, Table};
use sim::catalogue::{NAMES, OfAgents, about, of_agents};
use sim::config::{default_lineup, supply_files};
use sim::document::document;
use sim::error::Error;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Options {
    #[command(subcommand)]
    pub(super) check: Option<Sub>,
    #[command(flatten)]
    list: ListOptions,
}

#[derive(Debug, Subcommand)]
pub(super) enum Sub {
    /// Check a program that plays: protocol, time, memory, hidden information
    #[command(after_help = agents_check::AFTER_HELP)]
    Check(agents_check::Options),
}

#[derive(Debug, Args)]
struct ListOptions {
    /// Kind of agent, to print its parameters; or game, to print its parameters, defaults, line-up and weights
    #[arg(value_name = "KIND|GAME")]
    name: Option<String>,
    /// Print the parameters of this agent, with the source of each value: spec, kind, game or default
    #[arg(long, value_name = "SPEC")]
    agent: Option<String>,
    /// Number of players (some weights of greedy depend on it) [default: the game's]
    #[arg(long, value_name = "N", value_parser = sim::config::numbers::seats, requires = "name")]
    players: Option<usize>,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    one: OneTable,
}

/// Data of a game that agents depend on.
struct Game {
    says: OfGame,
    lineup: Vec<String>,
    weights: Rows,
}

/// Agent with the values of its parameters.
struct Card {
    kind: Kind,
    params: Vec<ResolvedParam>,
}

impl Card {
    /// # Errors
    /// If the file of weights, which single settings override, is invalid.
    fn new(kind: Kind, settings: &Settings, game: Option<&Game>) -> Result<Self, String> {
        let layers = Layers::of(kind, game.map(|game| &game.says), settings);
        Ok(Self { kind, params: layers.resolved()? })
    }

    /// Returns an agent without settings.
    fn silent(kind: Kind, game: Option<&Game>) -> Self {
        Self::new(kind, &Settings::default(), game).expect("nothing is said of weights")
    }

    /// Returns whether the parameters are those of `other`.
    fn is_like(&self, other: &Self) -> bool {
        !self.params.is_empty() && self.params.iter().map(row).eq(other.params.iter().map(row))
    }
}

/// Smallest number of parameters that get headings.
const MANY: usize = 12;

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    match &options.check {
        Some(Sub::Check(check)) => agents_check::run(check),
        None => list(&options.list),
    }
}

fn list(options: &ListOptions) -> Result<Ending, Error> {
    let name = options.name.as_deref();
    if let Some(&kind) = Kind::ALL.iter().find(|kind| name == Some(kind.name())) {
        return print_kind(kind, options);
    }
    let game = match name {
        None => None,
        Some(name) if !NAMES.contains(&name) => return Err(unknown(name)),
        Some(game) => {
            let players = players(game, options.players)?;
            let lineup = default_lineup(game, players)?;
            let OfAgents { says, weights } = of_agents(game)?;
            Some(Game { says: says.at(players), lineup, weights })
        }
    };
    let game = game.as_ref();
    let cards = match &options.agent {
        None => Kind::ALL.iter().map(|&kind| Card::silent(kind, game)).collect(),
        Some(text) => {
            let mut spec: AgentSpec = text.parse()?;
            game.map_or(Ok(()), |game| spec.check_names(&game.says))?;
            supply_files(&mut spec, &files::text, &mut Vec::new())?;
            let card = Card::new(spec.kind(), spec.settings(), game);
            vec![card.map_err(|message| Error::Usage(format!("agent \"{text}\": {message}")))?]
        }
    };
    let is_whole = options.agent.is_none();
    let look = look();
    let names = if game.is_some() { &TABLES[..] } else { &TABLES[..1] };
    options.one.check(&options.form, names, &[])?;
    let as_list = || match is_whole {
        true => {
            order(game, look)
                + &cards_text(&cards, game, look)
                + &game.map_or_else(|| about_games(look), |game| game_text(game, look))
        }
        false => order(game, look) + &cards_text(&cards, game, look),
    };
    print(&match options.form.format() {
        Format::Json => to_json(&cards, game),
        Format::Table if options.one.is_open() => as_list(),
        _ => options.form.write(look, Some(&options.one), &|_| page(&cards, game)),
    })?;
    Ok(Ending::Done)
}

/// Returns the requested number of players, or the game's default.
fn players(game: &str, given: Option<usize>) -> Result<usize, Error> {
    let about = about(game)?;
    let players = given.unwrap_or(about.default_players);
    about.check_players(players)?;
    Ok(players)
}

/// The names of the tables.
const TABLES: [&str; 2] = ["parameters", "weights"];

/// Builds the page of tables of the agents.
fn page(cards: &[Card], game: Option<&Game>) -> Page {
    let columns = vec![
        Column::plain("agent", Content::Key),
        Column::plain("parameter", Content::Key),
        Column::plain("value", Content::Text),
        Column::plain("from", Content::Text),
        Column::plain("accepted", Content::Prose),
        Column::plain("meaning", Content::Prose),
    ];
    let row = |card: &Card, resolved: &ResolvedParam| {
        let param = resolved.param;
        let value = resolved.value().map_or(Cell::Nothing, |value| Cell::text(value.to_string()));
        vec![
            Cell::text(card.kind.name()),
            Cell::text(resolved.name()),
            value,
            Cell::text(resolved.source().word()),
            Cell::text(accepted(param)),
            Cell::text(param.meaning.trim()),
        ]
    };
    let all =
        cards.iter().flat_map(|card| card.params.iter().map(move |resolved| row(card, resolved)));
    let in_game = game.map_or_else(String::new, |game| format!(" in {}", game.says.name));
    let caption = format!("Parameters of agents{in_game}");
    let mut page = Page::of(Table::new(TABLES[0], caption, columns).with(all));
    if let Some(Game { says, weights, .. }) = game {
        let columns = vec![
            Column::plain("weight", Content::Key),
            Column::plain("default", Content::Text),
            Column::plain("accepted", Content::Prose),
            Column::plain("scale", Content::Text),
            Column::plain("meaning", Content::Prose),
        ];
        let row = |weight: &Param| {
            vec![
                Cell::text(weight.name),
                Cell::text(default_text(says, weight)),
                Cell::text(accepted(weight)),
                weight.domain.scale().map_or(Cell::Nothing, |scale| Cell::text(scale_word(scale))),
                Cell::text(weight.meaning.trim()),
            ]
        };
        let caption = format!("Weights of the evaluation in {}", says.name);
        let rows = weights.params.iter().map(row);
        page.tables.push(Table::new(TABLES[1], caption, columns).with(rows));
    }
    page
}

/// Returns the values that a parameter accepts, with its unit.
fn accepted(param: &Param) -> String {
    let unit = if param.unit.is_empty() { String::new() } else { format!(" {}", param.unit) };
    param.domain.range_text() + &unit
}

/// Prints one kind without a game.
fn print_kind(kind: Kind, options: &ListOptions) -> Result<Ending, Error> {
    if options.agent.is_some() {
        let name = kind.name();
        return Err(Error::Usage(format!(
            "agents {name} --agent: an agent already has a kind; name a game, or the agent only"
        )));
    }
    let card = Card::silent(kind, None);
    options.one.check(&options.form, &TABLES[..1], &[])?;
    let look = look();
    print(&match options.form.format() {
        Format::Json => document(&card_json(&card)),
        Format::Table if options.one.is_open() => {
            card_text(&card, &[], None, look, &mut Vec::new()) + &about_games(look)
        }
        _ => options
            .form
            .write(look, Some(&options.one), &|_| page(&[Card::silent(kind, None)], None)),
    })?;
    Ok(Ending::Done)
}

fn unknown(name: &str) -> Error {
    let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    let all = [&kinds, NAMES].concat();
    let hint = nearest(name, &all).map_or_else(String::new, |near| format!("nearest: {near}; "));
    Error::Usage(format!(
        "\"{name}\" is neither a kind of agent nor a game ({hint}kinds: {}; games: {})",
        kinds.join(", "),
        NAMES.join(", ")
    ))
}

fn to_json(cards: &[Card], game: Option<&Game>) -> String {
    let kinds: Vec<Json> = cards.iter().map(card_json).collect();
    let Some(Game { says, lineup, weights }) = game else { return document(&kinds) };
    document(&json!({
        "game": says.name,
        "lineup": lineup,
        "agents": kinds,
        "weights": weights.params.iter().map(|weight| weight_json(says, weight)).collect::<Vec<_>>(),
    }))
}

/// Returns the name of a scale.
fn scale_word(scale: Scale) -> String {
    format!("{scale:?}").to_lowercase()
}

/// Returns the value of `weight` that agents of `kind` use without a spec, if it differs from the default.
fn own(says: &OfGame, kind: Kind, weight: &Param) -> Option<Value> {
    let nothing = Settings::default();
    let layers = says.weight_layers_of(kind, &nothing);
    let value = layers.iter().find_map(|layer| {
        let values = (says.weights)().document(says.name, layer.text).ok()?;
        values.into_iter().find(|(known, _)| known.name == weight.name).map(|(_, value)| value)
    });
    value.filter(|value| Some(value) != weight.default_value().as_ref())
}

/// Returns greedy's default at this table, and the searches' default if it differs.
fn default_text(says: &OfGame, weight: &Param) -> String {
    let default = weight.default_value().map_or_else(String::new, |value| value.to_string());
    let [greedy, searches] = [Kind::Greedy, Kind::Mcts]
        .map(|kind| own(says, kind, weight).map_or(default.clone(), |value| value.to_string()));
    if greedy == searches { greedy } else { format!("{greedy} ({searches})") }
}

/// Returns a number in the form of documents.
fn number(value: Option<&Value>) -> Json {
    match value {
        Some(Value::Number(x)) => json!(x),
        Some(Value::Whole(n)) => json!(n),
        _ => Json::Null,
    }
}

/// Returns the data of a weight for a tuner, as numbers.
fn weight_json(says: &OfGame, weight: &Param) -> Json {
    let (low, high) = match weight.domain {
        Domain::Number { low, high, .. } => (json!(low), json!(high)),
        Domain::Whole { low, high } => (json!(low), json!(high)),
        _ => (Json::Null, Json::Null),
    };
    json!({
        "name": weight.name,
        "default": number(weight.default_value().as_ref()),
        "of_greedy": number(own(says, Kind::Greedy, weight).as_ref()),
        "of_searches": number(own(says, Kind::Mcts, weight).as_ref()),
        "low": low,
        "high": high,
        "scale": weight.domain.scale().map(scale_word),
        "unit": weight.unit,
        "meaning": weight.meaning,
    })
}

fn card_json(card: &Card) -> Json {
    let param = |resolved: &ResolvedParam| {
        let param = resolved.param;
        let overruled: Vec<Json> = resolved
            .overruled()
            .iter()
            .map(|layer| {
                let mut json =
                    json!({"from": layer.source.word(), "value": layer.value.to_string()});
                if let Some(setting) = &layer.named_by {
                    json["named_by"] = setting.as_str().into();
                }
                json
            })
            .collect();
        let tried = card.kind.search().and_then(|_| Config::tried(param.name));
        let tried = tried.map(|Tried { low, high, is_log }| {
            json!({"low": low, "high": high, "scale": if is_log { "log" } else { "linear" }})
        });
        json!({
            "name": resolved.name(),
            "search_range": tried,
            "value": resolved.value().map(ToString::to_string),
            "from": resolved.source().word(),
            "overruled": overruled,
            "default": (!param.default.is_empty()).then(|| param.default_value()).flatten().map(|d| d.to_string()),
            "range": param.domain.range_text(),
            "scale": param.domain.scale().map(scale_word),
            "unit": param.unit,
            "meaning": param.meaning,
            "of_game": resolved.is_of_game,
        })
    };
    json!({
        "agent": card.kind.name(), "meaning": card.kind.meaning(),
        "parameters": card.params.iter().map(param).collect::<Vec<_>>(),
    })
}

fn cards_text(cards: &[Card], game: Option<&Game>, look: TerminalStyle) -> String {
    let mut known: Vec<(&str, [String; 3])> = Vec::new();
    let mut text = String::new();
    for (i, card) in cards.iter().enumerate() {
        text += &card_text(card, &cards[..i], game, look, &mut known);
    }
    text
}

/// Returns an agent with the parameters that no earlier agent has in the same form; `known` collects them.
fn card_text(
    card: &Card,
    before: &[Card],
    game: Option<&Game>,
    look: TerminalStyle,
    known: &mut Vec<(&'static str, [String; 3])>,
) -> String {
    let kind = card.kind;
    let text = paragraph(&format!("{}: {}", kind.name(), kind.meaning()), look.width);
    if let Some(twin) = before.iter().find(|other| card.is_like(other)) {
        return format!("{text}  as in {}: all parameters\n\n", twin.kind.name());
    }
    let mut own: Vec<Explained> = Vec::new();
    let mut repeated: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut is_games_turn = false;
    for resolved in &card.params {
        let (name, row) = (resolved.param.name, row(resolved));
        if let Some((from, _)) = known.iter().find(|(_, old)| *old == row) {
            match repeated.iter_mut().find(|(name, _)| name == from) {
                Some((_, names)) => names.push(name),
                None => repeated.push((from, vec![name])),
            }
            continue;
        }
        let heading = Config::HEADINGS.iter().find(|(first, _)| *first == name);
        let heading = heading.filter(|_| kind.params().len() >= MANY).map(|(_, text)| *text);
        let begins =
            resolved.is_of_game && !std::mem::replace(&mut is_games_turn, resolved.is_of_game);
        let of_game = game.filter(|_| begins).map(|game| format!("only in {}", game.says.name));
        own.push((of_game.or_else(|| heading.map(str::to_owned)), row.clone()));
        known.push((kind.name(), row));
    }
    let own = match &own[..] {
        [] => String::new(),
        rows => explained(["parameter", "value", "meaning"], rows, look),
    };
    let as_in = |(from, names): (&str, Vec<&str>)| {
        paragraph(&format!("  as in {from}: {}", names.join(", ")), look.width)
    };
    text + &own + &repeated.into_iter().map(as_in).collect::<String>() + "\n"
}

/// Returns the row of a parameter: name, value with its source, and meaning with accepted and overruled values.
fn row(resolved: &ResolvedParam) -> [String; 3] {
    let param = resolved.param;
    let value = resolved.value().map_or_else(|| "none".to_owned(), ToString::to_string);
    let value = match resolved.source() {
        Source::Default => value,
        other => format!("{value} ({})", other.word()),
    };
    let others = resolved.overruled().iter();
    let others: Vec<_> = others.map(|layer| format!("{} {}", layer.who(), layer.value)).collect();
    let over =
        if others.is_empty() { String::new() } else { format!("; over {}", others.join(", ")) };
    [resolved.name(), value, format!("{} [{}{over}]", param.meaning, accepted(param))]
}

/// Returns the hint that a game can be named.
fn about_games(look: TerminalStyle) -> String {
    paragraph(
        "`caesar agents GAME` prints the defaults and parameters of a game, and `--agent SPEC` those of one agent.",
        look.width,
    )
}

/// Returns the precedence of the sources of a value.
fn order(game: Option<&Game>, look: TerminalStyle) -> String {
    let name = game.map_or("the game", |game| game.says.name);
    let text = format!(
        "Precedence, highest first: spec, kind, preset or game ({name}), default. Overridden values are in brackets."
    );
    let has_weights = game.is_some_and(|game| !game.weights.params.is_empty());
    let single =
        " A single weight (weights.NAME) overrides the weights that other parameters name.";
    let text = if has_weights { text + single } else { text };
    paragraph(&text, look.width) + "\n"
}

fn game_text(game: &Game, look: TerminalStyle) -> String {
    let Game { says, lineup, weights } = game;
    let lineup = format!("default line-up of {}: {}", says.name, lineup.join(", "));
    weights_text(says, weights, look) + &paragraph(&lineup, look.width)
}

fn weights_text(says: &OfGame, weights: &Rows, look: TerminalStyle) -> String {
    let game = says.name;
    let Some(Param { name, default, .. }) = weights.params.first() else { return String::new() };
    let rows: Vec<Explained> = weights
        .params
        .iter()
        .map(|weight| {
            let heading = weights.headings.iter().find(|(below, _)| *below == weight.name);
            (heading.map(|(_, text)| (*text).to_owned()), weight_row(says, weight))
        })
        .collect();
    let about = format!(
        "Weights of the evaluation in {game}. Precedence, highest first: spec, as in \
         greedy(weights.{name}={default}); weights file with lines such as {name} = {default}; preset or other \
         setting"
    );
    let has_others = weights
        .params
        .iter()
        .any(|weight| own(says, Kind::Greedy, weight) != own(says, Kind::Mcts, weight));
    let others = "; values of searches are in brackets";
    let about = if has_others { about + others } else { about };
    let rows = explained(["weight", "default", "meaning"], &rows, look);
    format!("{}{rows}\n", paragraph(&about, look.width))
}

fn weight_row(says: &OfGame, weight: &Param) -> [String; 3] {
    let default = default_text(says, weight);
    // For whole numbers the range shows the type.
    let scale = match weight.domain.scale() {
        Some(scale @ (Scale::Linear | Scale::Log)) => format!(", {}", scale_word(scale)),
        _ => String::new(),
    };
    let meaning = format!("{} [{}{scale}]", weight.meaning, accepted(weight));
    [weight.name.to_owned(), default, meaning]
}

#[cfg(test)]
mod tests {
    use agents::games::GAMES;

    use super::*;

    fn game(name: &str) -> Game {
        let OfAgents { says, weights } = of_agents(name).unwrap();
        Game { says, lineup: Vec::new(), weights }
    }

    fn cards(game: &Game) -> Vec<Card> {
        Kind::ALL.iter().map(|&kind| Card::silent(kind, Some(game))).collect()
    }

    #[test]
    fn a_game_knows_its_own_parameters_only() {
        for OfGame { name, params, .. } in GAMES {
            let game = game(name);
            let text = cards_text(&cards(&game), Some(&game), TerminalStyle::PLAIN);
            assert_eq!(
                text.contains(&format!("-- only in {name}\n")),
                !params.is_empty(),
                "{text}"
            );
            for knob in GAMES.iter().flat_map(|other| other.params) {
                let is_own = params.iter().any(|own| own.param.name == knob.param.name);
                let row = format!("\n  {} ", knob.param.name);
                assert_eq!(text.contains(&row), is_own, "{name}{row}: {text}");
            }
        }
    }

    #[test]
    fn json_says_who_says_so() {
        let game = game("conquest2");
        let spec: AgentSpec = "mcts(c=3, gamma=0.2)".parse().unwrap();
        let card = Card::new(spec.kind(), spec.settings(), Some(&game)).unwrap();
        let json = card_json(&card);
        let printed = |name: &str| {
            let params = json["parameters"].as_array().unwrap();
            let param = params.iter().find(|param| param["name"] == name).unwrap();
            let text = |key: &str| param[key].as_str().unwrap_or("none").to_owned();
            [text("value"), text("from"), text("scale")]
        };
        assert_eq!(printed("c"), ["3", "spec", "linear"]);
        assert_eq!(printed("gamma"), ["0.2", "spec", "linear"]);
        assert_eq!(printed("select"), ["puct", "game", "choice"]);
        assert_eq!(printed("backup"), ["mean", "default", "choice"]);
        let own = game.says.params[0].param;
        assert_eq!(printed(own.name), [own.default, "default", "choice"]);
        assert_eq!(printed("weights"), ["none", "default", "none"]);
    }
}
