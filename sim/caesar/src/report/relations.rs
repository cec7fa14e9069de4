//! Tables of the relations between agents: ratings, cycles and mixtures.

use super::names::Names;
use super::outcomes;
use super::standings::undecided;
use super::table::{Cell, Column, Content, Level, Mark, Note, Readers, Scale, Table};
use sim::stats::alpha_rank::Sweep;
use sim::stats::cross_table::Pair;
use sim::stats::intransitivity::Cycle;
use sim::stats::relations::Report;
use sim::units;

/// Below this p-value a cycle counts as shown.
const SHOWN: f64 = 0.05;

/// Largest number of cycles in the notes; the table holds all.
const MOST_CYCLES: usize = 5;

/// The names of the tables for programs.
pub const TABLES: [&str; 7] =
    ["ratings", "seats", "pairs", "intransitivity", "cycles", "equilibria", "soft-condorcet"];
/// Reason why statistics of resamples have no interval.
const UNANIMOUS: &str = "all blocks have the same finishing order, so ratings, soft Condorcet and Nash averages have \
no interval; the intervals of shares count the blocks";
/// The names of the tables for people that hold the numbers of others.
pub const FOR_PEOPLE: [&str; 2] = ["finishes-before", "superiority"];

/// Returns all tables.
#[must_use]
pub fn tables(report: &Report, names: &Names, level: Level) -> Vec<Table> {
    let teller = Teller { report, names, level };
    if report.specs.len() < 2 || report.n_games == 0 {
        let text = "ratings: not defined for one agent alone";
        return vec![teller.ratings_table().noted(Note::new(text))];
    }
    vec![
        teller.ratings(),
        teller.seats().detail(),
        teller.soft_condorcet().detail(),
        teller.finishes_before().detail(),
        teller.superiority().detail(),
        teller.pairs(),
        teller.intransitivity(),
        teller.cycles(),
        teller.equilibria().detail(),
    ]
}

/// Report with the names of its agents.
struct Teller<'a> {
    report: &'a Report,
    names: &'a Names,
    level: Level,
}

impl Teller<'_> {
    fn shown(&self, i: usize) -> &str {
        self.names.shown(&self.report.specs[i])
    }

    fn cell(&self, i: usize) -> Cell {
        self.names.cell(&self.report.specs[i])
    }

    /// Returns the table of ratings without rows.
    fn ratings_table(&self) -> Table {
        let [elo, together] = self.level.columns("elo", "rating", Scale::Elo);
        let columns = vec![
            Column::plain("agent", Content::Key),
            Column::plain("games", Content::Number(Scale::Count)),
            elo,
            together,
            Column::new("mu", "Weng-Lin μ", Content::Number(Scale::MEAN)),
            Column::new("sigma", "σ", Content::Number(Scale::MEAN)),
        ];
        let caption = "Ratings: Plackett-Luce on the Elo scale, with 95 % intervals";
        Table::new(TABLES[0], caption, columns)
    }

    fn ratings(&self) -> Table {
        let report = self.report;
        let row = |&i: &usize| {
            let (estimate, belief) = (report.ratings.agents[i], report.ladder[i]);
            vec![
                self.cell(i),
                Cell::Count(report.games[i]),
                Cell::Estimate(estimate.elo, estimate.interval),
                Cell::Estimate(estimate.elo, estimate.together),
                Cell::Number(belief.mu),
                Cell::Number(belief.sigma),
            ]
        };
        let mut table = self.ratings_table().with(report.order.iter().map(row));
        table.notes.extend(self.open(true));
        table.notes.extend(self.open(false));
        if report.is_unanimous {
            table.notes.push(Note::new(UNANIMOUS).marked(Mark::Caveat));
        }
        if !report.ratings.is_linked {
            table.notes.push(Note::new(
                "no interval: an agent (or its seat) that never finished ahead of, or never behind, any other. Its \
                 distance is that of half a defeat, and 0 is the mean of the rest",
            ));
        }
        table.notes.extend(self.duel());
        table.notes.push(Note::new(format!(
            "ratings: Plackett-Luce on the Elo scale (0 is the mean of the pool); intervals by bootstrap of {} of \
             {}, {}",
            units::counted(report.groups as u64, "group"),
            units::counted(report.blocks, "block"),
            self.level.words(),
        )));
        table
    }

    /// Returns the note on undecided neighbours: those with an interval of the difference, or those without.
    fn open(&self, with_interval: bool) -> Option<Note> {
        let report = self.report;
        let is_open = |place: &usize| {
            let (a, b) = (report.order[*place], report.order[*place + 1]);
            let is_known = ![a, b].iter().any(|agent| report.copied.contains(agent));
            match report.ratings.difference(a, b).filter(|_| is_known) {
                Some(interval) => with_interval && interval.low <= 0.0,
                None => !with_interval && report.ratings.is_linked && !report.is_unanimous,
            }
        };
        let order: Vec<&str> = report.order.iter().map(|&i| self.shown(i)).collect();
        let open: Vec<usize> = (0..order.len() - 1).filter(is_open).collect();
        let why = match with_interval {
            true => "the interval of the difference includes 0",
            false => "there is no interval",
        };
        undecided(&order, &open, why)
    }

    fn duel(&self) -> Vec<Note> {
        let Some(duel) = &self.report.elo else { return Vec::new() };
        let mut notes = vec![Note::new(format!(
            "{} against {}: {} Elo by finishing order, both seats together",
            self.shown(0),
            self.shown(1),
            Scale::Elo.estimate(duel.elo, Some(duel.interval)),
        ))];
        if self.report.ratings.seats.is_some() {
            notes.push(Note::new(
                "Ratings compare agents in the same seat. Over both seats together the difference is nearer to 0, \
                 more so if seats are unequal",
            ));
        }
        notes
    }

    fn seats(&self) -> Table {
        let [elo, together] = self.level.columns("elo", "Elo of the seat", Scale::Elo);
        let columns = vec![Column::plain("seat", Content::Key), elo, together];
        let table =
            Table::new(TABLES[1], "Advantage of seats, in Elo with 95 % intervals", columns);
        let Some(seats) = &self.report.ratings.seats else {
            let why = "seats: not separable from agents, because agents keep their seats";
            return table.noted(Note::new(why));
        };
        table.with(seats.iter().enumerate().map(|(seat, estimate)| {
            let name = Cell::Name { shown: units::ordinal(seat + 1), name: seat.to_string() };
            let intervals = [estimate.interval, estimate.together];
            let [alone, together] = intervals.map(|within| Cell::Estimate(estimate.elo, within));
            vec![name, alone, together]
        }))
    }

    /// Returns a table of all agents against all agents; `cell` gives the content for a pair.
    fn matrix(&self, name: &'static str, content: Content, cell: fn(&Pair) -> Cell) -> Table {
        let order = &self.report.order;
        let first = Column::new("agent", name.replace('-', " "), Content::Key);
        let others = (1..=order.len()).map(|place| Column::plain(&place.to_string(), content));
        let columns = std::iter::once(first).chain(others).collect();
        let row = |(place, &a): (usize, &usize)| {
            let cells = order.iter().map(|&b| self.pair(a, b).as_ref().map_or(Cell::Nothing, cell));
            let shown = format!("{} {}", place + 1, self.shown(a));
            let name = Cell::Name { shown, name: self.report.specs[a].clone() };
            std::iter::once(name).chain(cells).collect()
        };
        let rows = order.iter().enumerate().map(row);
        Table::new(name, name.replace('-', " "), columns).with(rows).only(Readers::People)
    }

    fn finishes_before(&self) -> Table {
        let kind = Content::Estimate(Scale::SHARE);
        let share: fn(&Pair) -> Cell = match self.level {
            Level::Alone => |pair| Cell::Estimate(pair.share, Some(pair.interval)),
            Level::Together => |pair| Cell::Estimate(pair.share, Some(pair.together)),
        };
        let mut table = self.matrix(FOR_PEOPLE[0], kind, share);
        table.caption = "Pairwise results".to_owned();
        table.noted(Note::new(format!(
            "share of games in which the row finishes ahead of the column, ties half; 95 % intervals by block, {}",
            self.level.words()
        )))
    }

    fn superiority(&self) -> Table {
        let kind = Content::Number(Scale::Confidence);
        let mut table = self.matrix(FOR_PEOPLE[1], kind, |pair| {
            pair.superiority.map_or(Cell::Nothing, Cell::Number)
        });
        table.caption =
            "Confidence that the row finishes ahead of the column in more than half of the games"
                .to_owned();
        table.noted(Note::new(
            "confidence that this share is above one half, each pair individually",
        ))
    }

    /// Returns the pair of `a` and `b`, seen from `a`; `None` if they never met.
    fn pair(&self, a: usize, b: usize) -> Option<Pair> {
        let ends = (a.min(b), a.max(b));
        let is_it = |pair: &&Pair| (pair.a.min(pair.b), pair.a.max(pair.b)) == ends;
        let found = self.report.pairs.iter().find(is_it)?;
        Some(if found.a == a { *found } else { found.turned() })
    }

    /// Builds the table of all pairs for programs; people get them as matrices.
    fn pairs(&self) -> Table {
        let report = self.report;
        let table = outcomes::head_to_head(&report.pairs, &report.specs, self.names, self.level);
        Table { name: TABLES[2], ..table }.only(Readers::Programs)
    }

    /// Builds the table of ratings that contradict as few meetings as possible, with their order.
    fn soft_condorcet(&self) -> Table {
        let columns = vec![
            Column::plain("agent", Content::Key),
            Column::new(
                "soft_condorcet",
                "soft Condorcet [95 %]",
                Content::Estimate(Scale::Fixed(1)),
            ),
            Column::new("kemeny", "Kemeny", Content::Number(Scale::Count)),
        ];
        let caption =
            "Soft Condorcet ratings (0 to 100) with 95 % intervals, and places in Kemeny's order";
        let table = Table::new(TABLES[6], caption, columns);
        let Some(soft) = &self.report.soft_condorcet else {
            let why = "soft Condorcet: needs 2 to 40 agents, all connected by meetings";
            return table.noted(Note::new(why));
        };
        let row = |&i: &usize| {
            let rating = Cell::Estimate(soft.agents[i].rating, soft.agents[i].interval);
            vec![self.cell(i), rating, Cell::Count(soft.kemeny.place(i) as u64)]
        };
        let mut table = table.with(soft.order.iter().map(row));
        let order: Vec<&str> = soft.order.iter().map(|&i| self.shown(i)).collect();
        let is_open = |place: &usize| {
            let (a, b) = (soft.order[*place], soft.order[*place + 1]);
            let is_known = ![a, b].iter().any(|agent| self.report.copied.contains(agent));
            let difference = soft.difference(a, b).filter(|_| is_known);
            difference.is_none_or(|interval| interval.low <= 0.0)
        };
        let open: Vec<usize> = (0..order.len() - 1).filter(is_open).collect();
        let why = match soft.agents.iter().any(|agent| agent.interval.is_some()) {
            true => "the interval of the difference includes 0",
            false if self.report.is_unanimous => "no intervals: all blocks agree",
            false => "no intervals: fewer than ten blocks",
        };
        table.notes.extend(undecided(&order, &open, why));
        let how = if soft.kemeny.is_exact {
            "no order has fewer"
        } else {
            "moving one agent gives no fewer"
        };
        table.notes.push(Note::new(format!(
            "soft Condorcet: ratings that contradict as few meetings as possible, with individual intervals; {} of \
             all meetings contradict Kemeny's order ({how})",
            units::share(soft.kemeny.against),
        )));
        table
    }

    /// Builds the table of the part of results that no rating explains, with a note for people.
    fn intransitivity(&self) -> Table {
        let columns = vec![
            Column::plain("pairs", Content::Number(Scale::Count)),
            Column::new("share", "unexplained share [95 %]", Content::Estimate(Scale::SHARE)),
            Column::plain("p", Content::PValue),
        ];
        let found = self.report.intransitivity.iter();
        let rows = found.map(|found| {
            let p = found.p.map_or(Cell::Nothing, Cell::Number);
            let share = Cell::Estimate(found.share, found.interval);
            vec![Cell::Count(found.pairs as u64), share, p]
        });
        let caption = "Intransitivity: share of the variance of pairs that no rating explains";
        Table::new(TABLES[3], caption, columns).with(rows).only(Readers::Programs)
    }

    /// Builds the table of cycles of three for programs; people get them in words.
    fn cycles(&self) -> Table {
        let share = |key| Column::plain(key, Content::Number(Scale::SHARE));
        let mut columns: Vec<_> =
            ["a", "b", "c"].map(|key| Column::plain(key, Content::Key)).into();
        columns.extend(["a before b", "b before c", "c before a"].map(share));
        columns.push(Column::plain("p", Content::PValue));
        let rows = self.report.cycles.iter().map(|cycle| {
            let agents = cycle.agents.iter().map(|&i| self.cell(i));
            let numbers = cycle.shares.iter().chain([&cycle.p]).map(|&x| Cell::Number(x));
            agents.chain(numbers).collect()
        });
        let caption = "Cycles of three agents, the most certain first";
        Table::new(TABLES[4], caption, columns).with(rows).only(Readers::Programs)
    }

    /// Returns the notes on cycles.
    fn about_cycles(&self) -> Vec<Note> {
        let report = self.report;
        let mut notes = vec![match report.intransitivity {
            None => Note::new("cycles: too few pairs with an open outcome"),
            Some(found) => {
                let share = Column::plain("share", Content::Estimate(Scale::SHARE));
                let share = share.shown(&Cell::Estimate(found.share, found.interval));
                let verdict = match found.p {
                    None => "not decided (no interval)".to_owned(),
                    Some(p) if p < SHOWN => format!("more than noise, {}", units::p_value(p)),
                    Some(p) => format!("no more than noise, {}", units::p_value(p)),
                };
                let pairs = units::counted(found.pairs as u64, "pair");
                let text = "of the variance of";
                Note::new(format!("cycles: no rating explains {share} {text} {pairs}; {verdict}"))
            }
        }];
        let (shown, open): (Vec<_>, Vec<_>) =
            report.cycles.iter().partition(|cycle| cycle.p < SHOWN);
        let text_of = |cycle: &Cycle| {
            let [a, b, c] = cycle.agents.map(|i| self.shown(i));
            let [ab, bc, ca] = cycle.shares.map(units::share);
            let p = units::p_value(cycle.p);
            format!("{a} before {b} ({ab}) before {c} ({bc}) before {a} ({ca}), {p}")
        };
        let shown = shown.into_iter().take(MOST_CYCLES);
        // Ratings say nothing of a cycle, so it stays a caveat where they are printed alone.
        notes.extend(
            shown.map(|cycle| Note::new(format!("shown: {}", text_of(cycle))).marked(Mark::Caveat)),
        );
        if let Some(first) = open.first() {
            let (cycles, first) = (units::counted(open.len() as u64, "cycle"), text_of(first));
            let most = if open.len() > 1 { "the most certain one " } else { "" };
            let text = format!("not decided: {cycles} of three: {most}{first}");
            notes.push(Note::new(text).marked(Mark::Open));
        }
        notes
    }

    fn equilibria(&self) -> Table {
        let report = self.report;
        let sweeps = [("pairs", &report.alpha_rank), ("table", &report.alpha_rank_profiles)];
        let sweeps: Vec<(&str, &Sweep)> =
            sweeps.into_iter().filter_map(|(name, sweep)| Some((name, sweep.as_ref()?))).collect();
        let mut columns = vec![
            Column::plain("agent", Content::Key),
            Column::new("nash_mix", "Nash mix", Content::Number(Scale::SHARE)),
            Column::new("nash_average", "Nash average [95 %]", Content::Estimate(Scale::SHARE)),
        ];
        for (name, sweep) in &sweeps {
            let column = |alpha: f64| {
                let key = format!("alpha_rank_{name}_{alpha}");
                Column::new(key, format!("{name} {alpha}"), Content::Number(Scale::SHARE))
            };
            columns.extend(sweep.iter().map(|(alpha, _)| column(*alpha)));
        }
        let caption = "Equilibria: Nash averages with 95 % intervals, and masses of alpha-rank";
        let table = Table::new(TABLES[5], caption, columns);
        let notes = self.about_cycles();
        let Some(nash) = &report.nash else {
            return Table { notes, ..table };
        };
        let row = |&i: &usize| {
            let average = Cell::Estimate(nash.averages[i], nash.ranges[i]);
            let masses = sweeps.iter().flat_map(|(_, sweep)| sweep.iter());
            let masses = masses.map(|(_, masses)| Cell::Number(masses[i]));
            [self.cell(i), Cell::Number(nash.mix[i]), average].into_iter().chain(masses).collect()
        };
        let mut table = table.with(report.order.iter().map(row)).noted(Note::new(
            "Nash average: share against the hardest mix, with a 95 % bootstrap interval; then alpha-rank masses at \
             four selection intensities",
        ));
        if report.alpha_rank.as_ref().is_some_and(changes_first) {
            let text = "alpha-rank is not decided: the first place depends on the intensity";
            table.notes.push(Note::new(text).marked(Mark::Open));
        }
        table.notes.extend(notes);
        table
    }
}

/// Returns whether the agent with the largest mass changes.
fn changes_first(sweep: &Sweep) -> bool {
    let first = |masses: &[f64]| (0..masses.len()).max_by(|&a, &b| masses[a].total_cmp(&masses[b]));
    sweep.windows(2).any(|two| first(&two[0].1) != first(&two[1].1))
}
