//! Trees as text: reading into nodes, and writing back.

use std::fmt;

use super::{BadTree, Kind, Node, NodeId, TOLERANCE, TreeGame};
use crate::player::{ByPlayer, MAX_PLAYERS, Player, PlayerSet};

/// Returns the nodes of a text, each before its children.
pub(super) fn read(n_players: usize, text: &str) -> Result<Vec<Node>, BadTree> {
    assert!((2..=MAX_PLAYERS).contains(&n_players), "{n_players} players");
    let mut reader = Reader { n_players, text, at: 0, nodes: Vec::new() };
    reader.tree(0)?;
    reader.skip();
    match reader.rest() {
        "" => Ok(reader.nodes),
        rest => Err(reader.bad(format!("\"{rest}\" after the end of the tree"))),
    }
}

struct Reader<'t> {
    n_players: usize,
    text: &'t str,
    at: usize,
    nodes: Vec<Node>,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    const fn bad_at(at: usize, message: String) -> BadTree {
        BadTree { at, message }
    }

    const fn bad(&self, message: String) -> BadTree {
        Self::bad_at(self.at, message)
    }

    fn skip(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Passes `sign` if it comes next, and returns whether it did.
    fn eat(&mut self, sign: char) -> bool {
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len_utf8() } else { 0 };
        found
    }

    /// Returns the characters up to the next space, parenthesis or colon.
    fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || "():".contains(c));
        let word = &rest[..end.unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    fn number(&self, at: usize, word: &str) -> Result<f64, BadTree> {
        let parsed = match word.split_once('/') {
            Some((above, below)) => match (above.parse::<f64>(), below.parse::<f64>()) {
                (Ok(above), Ok(below)) => Some(above / below),
                _ => None,
            },
            None => word.parse().ok(),
        };
        parsed
            .filter(|number| number.is_finite())
            .ok_or_else(|| Self::bad_at(at, format!("expected a number in place of \"{word}\"")))
    }

    /// Reads a tree below `n_decisions` earlier decisions.
    fn tree(&mut self, n_decisions: usize) -> Result<NodeId, BadTree> {
        self.skip();
        let at = self.at;
        let place = NodeId(self.nodes.len() as u32);
        if !self.eat('(') {
            let points = self.points()?;
            self.nodes.push(Node::new(Kind::Leaf(points), at));
        } else if self.eat('&') {
            self.together(n_decisions, at, place)?;
        } else {
            self.turn(n_decisions, at, place)?;
        }
        Ok(place)
    }

    fn points(&mut self) -> Result<ByPlayer<f32>, BadTree> {
        let at = self.at;
        let word = self.word();
        let numbers = word.split(',').map(|part| self.number(at, part));
        let mut numbers = numbers.collect::<Result<Vec<f64>, _>>()?;
        if let ([one], 2) = (&numbers[..], self.n_players) {
            numbers.push(1.0 - one);
        }
        let (n, expected) = (numbers.len(), self.n_players);
        if n != expected {
            return Err(Self::bad_at(at, format!("points of {n} players, expected {expected}")));
        }
        let total: f64 = numbers.iter().sum();
        let is_share = numbers.iter().all(|points| (0.0..=1.0).contains(points));
        if !is_share || (total - 1.0).abs() > TOLERANCE {
            let message = format!("points {word} are not between 0 and 1, or do not add up to one");
            return Err(Self::bad_at(at, message));
        }
        let mut points = ByPlayer::default();
        points.0.iter_mut().zip(numbers).for_each(|(points, number)| *points = number as f32);
        Ok(points)
    }

    fn player(&mut self) -> Result<Player, BadTree> {
        let seat = self.rest().chars().next().and_then(|c| c.to_digit(10));
        let word = self.rest().chars().next().map_or_else(String::new, String::from);
        match seat.map(|seat| seat as usize) {
            Some(seat) if seat < self.n_players => {
                self.at += 1;
                Ok(Player::new(seat))
            }
            _ => Err(self.bad(format!("there is no player {word} among {}", self.n_players))),
        }
    }

    /// Reads the players who see a branch: all of them or, after an exclamation mark, those named.
    fn seers(&mut self) -> Result<PlayerSet, BadTree> {
        if !self.eat('!') {
            return Ok(PlayerSet::first(self.n_players));
        }
        let mut seers = PlayerSet::default();
        while self.rest().starts_with(|c: char| c.is_ascii_digit()) {
            seers.insert(self.player()?);
        }
        Ok(seers)
    }

    /// Reads the head of a decision or of chance; also returns the number of decisions below it.
    fn head(&mut self, n_decisions: usize) -> Result<(Kind, usize), BadTree> {
        if self.eat('?') {
            return Ok((Kind::Chance(Vec::new(), self.seers()?), n_decisions));
        }
        if self.eat('@') {
            let mover = self.player()?;
            let mut seers = self.seers()?;
            seers.insert(mover);
            return Ok((Kind::Decision(mover, seers), n_decisions + 1));
        }
        let mover = Player::new(n_decisions % self.n_players);
        Ok((Kind::Decision(mover, PlayerSet::first(self.n_players)), n_decisions + 1))
    }

    fn turn(&mut self, n_decisions: usize, at: usize, place: NodeId) -> Result<(), BadTree> {
        let (kind, n_decisions) = self.head(n_decisions)?;
        let is_chance = matches!(kind, Kind::Chance(..));
        self.nodes.push(Node::new(kind, at));
        let mut probabilities = Vec::new();
        while !self.is_closed()? {
            probabilities.extend(if is_chance { self.probability()? } else { None });
            let child = self.tree(n_decisions)?;
            self.nodes[place.0 as usize].children.push(child);
        }
        let n_branches = self.nodes[place.0 as usize].children.len();
        if n_branches < 2 {
            let s = if n_branches == 1 { "" } else { "es" };
            let message = format!("{n_branches} branch{s}, but a turn needs at least two");
            return Err(Self::bad_at(at, message));
        }
        if probabilities.is_empty() {
            probabilities.resize(n_branches, 1.0 / n_branches as f64);
        }
        let total: f64 = probabilities.iter().sum();
        let is_positive = probabilities.iter().all(|p| *p >= 0.0);
        if probabilities.len() < n_branches || !is_positive || (total - 1.0).abs() > TOLERANCE {
            let message = format!("{} probabilities add up to {total}", probabilities.len());
            return Err(Self::bad_at(at, format!("{message}: give one for each of {n_branches}")));
        }
        if let Kind::Chance(stored, _) = &mut self.nodes[place.0 as usize].kind {
            *stored = probabilities;
        }
        Ok(())
    }

    /// Reads the probability before a branch, if there is one.
    fn probability(&mut self) -> Result<Option<f64>, BadTree> {
        let at = self.at;
        let word = self.word();
        if self.eat(':') {
            return self.number(at, word).map(Some);
        }
        self.at = at;
        Ok(None)
    }

    fn is_closed(&mut self) -> Result<bool, BadTree> {
        self.skip();
        if self.rest().is_empty() {
            return Err(self.bad("a closing \")\" is missing".to_owned()));
        }
        Ok(self.eat(')'))
    }

    fn together(&mut self, n_decisions: usize, at: usize, place: NodeId) -> Result<(), BadTree> {
        self.nodes.push(Node::new(Kind::Simultaneous { columns: 0 }, at));
        let mut widths = Vec::new();
        while !self.is_closed()? {
            let row = self.at;
            if !self.eat('(') {
                return Err(self.bad("expected a row in parentheses".to_owned()));
            }
            let mut width = 0;
            while !self.is_closed()? {
                let child = self.tree(n_decisions)?;
                self.nodes[place.0 as usize].children.push(child);
                width += 1;
            }
            widths.push(width);
            let (first, s) = (widths[0], if width == 1 { "" } else { "s" });
            if width != first || width == 0 {
                let message = format!("a row of {width} column{s}, expected {}", first.max(1));
                return Err(Self::bad_at(row, message));
            }
        }
        let Some(&columns) = widths.first() else {
            return Err(Self::bad_at(at, "a choice at once needs a row".to_owned()));
        };
        self.nodes[place.0 as usize].kind = Kind::Simultaneous { columns };
        Ok(())
    }
}

/// Writes the tree below `place`, with its movers named.
pub(super) fn write(game: &TreeGame, place: NodeId, f: &mut dyn fmt::Write) -> fmt::Result {
    let node = game.node(place);
    match &node.kind {
        Kind::Leaf(points) => {
            let points: Vec<String> =
                points.first(game.n_players).iter().map(ToString::to_string).collect();
            return f.write_str(&points.join(","));
        }
        Kind::Decision(mover, seers) => write!(f, "(@{mover}{}", Seers(game, *seers))?,
        Kind::Chance(_, seers) => write!(f, "(?{}", Seers(game, *seers))?,
        Kind::Simultaneous { .. } => f.write_str("(&")?,
    }
    let columns = match node.kind {
        Kind::Simultaneous { columns } => usize::from(columns),
        _ => usize::MAX,
    };
    for (i, &child) in node.children.iter().enumerate() {
        let is_table = columns < usize::MAX;
        f.write_str(if is_table && i % columns == 0 { " (" } else { " " })?;
        if let Kind::Chance(probabilities, _) = &node.kind {
            write!(f, "{}:", probabilities[i])?;
        }
        write(game, child, f)?;
        if is_table && (i + 1) % columns == 0 {
            f.write_str(")")?;
        }
    }
    f.write_str(")")
}

struct Seers<'g>(&'g TreeGame, PlayerSet);

impl fmt::Display for Seers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(game, seers) = self;
        if *seers == PlayerSet::first(game.n_players) {
            return Ok(());
        }
        f.write_str("!")?;
        seers.iter().try_for_each(|player| player.fmt(f))
    }
}
