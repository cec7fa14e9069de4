//! Treatments of all games: they have their documented effect, they are read back, and senseless ones are refused.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write;
use std::path::Path;

use engine::games::circus::Circus;
use engine::games::conquest2::Conquest2;
use engine::games::hannibal::Hannibal;
use engine::games::imperium::Imperium;
use engine::treatment::{Amount, Step};
use engine::{Configure, Notation, Player, Rules, Sweep, Treatable, Treatment, Walk, conformance};
use expect_test::expect_file;

const SEAT: Player = Player::new(1);

/// Returns settings of one treatment at its smallest and its largest amount, for the second season and seat.
fn settings<G: Configure>(treatment: &'static Treatment) -> Vec<String> {
    let rules = Rules::of::<G>();
    let names = rules.names_for(treatment);
    let name = names.iter().find(|name| {
        let key = treatment.key_for(Some(2), Some(SEAT), Some(name));
        configured::<G>(&format!("{key}={}", least(treatment.amount))).is_ok()
    });
    assert_eq!(name.is_some(), treatment.names().is_some(), "{}", treatment.id);
    let key = treatment.key_for(Some(2), Some(SEAT), name.map(String::as_str));
    let amounts = match treatment.amount {
        Amount::Number { least, most, .. } => vec![least.to_string(), most.to_string()],
        other => vec![least(other)],
    };
    amounts.into_iter().map(|amount| format!("{key}={amount}")).collect()
}

/// Returns a small amount that fits the default rules of all games.
fn least(amount: Amount) -> String {
    match amount {
        Amount::Switch => "true".to_owned(),
        Amount::Number { .. } => "5".to_owned(),
        Amount::Seat => "1".to_owned(),
        Amount::Order => "[1, 0]".to_owned(),
        Amount::Names { .. } | Amount::Numbers { .. } => "[]".to_owned(),
    }
}

fn configured<G: Configure>(setting: &str) -> Result<G, String> {
    let mut rules = Rules::of::<G>();
    rules.set(setting).map_err(|bad| bad.to_string())?;
    G::configure(*G::about().players.start(), &rules).map_err(|bad| bad.to_string())
}

/// Checks that a treated game keeps all promises of a game, and that its rules come back from every written form.
fn check_setting<G: Configure + Notation>(treatment: &'static Treatment, setting: &str) {
    let game = match configured::<G>(setting) {
        Ok(game) => game,
        // The ends of a range may contradict other rules; the complaint then names the key.
        Err(bad) => return assert!(bad.starts_with(setting), "{bad}"),
    };
    conformance::check(&game, 3, 3);
    let mut rules = Rules::of::<G>();
    rules.set(setting).unwrap();
    let treated = rules.treated(2).unwrap();
    let is_neutral = setting.ends_with("[]");
    assert_eq!(treated.len(), usize::from(!is_neutral), "{setting}");
    for treated in &treated {
        assert_eq!(treated.treatment, treatment);
        assert_eq!(treated.stage, treatment.has_stage().then_some(2));
        assert_eq!(treated.seat, treatment.has_seat().then_some(SEAT));
    }
    let mut from_record = Rules::of::<G>();
    from_record.overlay_json(&rules.overrides()).unwrap();
    let mut from_file = Rules::of::<G>();
    from_file.overlay("all.toml", &rules.to_toml()).unwrap();
    for read in [from_record, from_file] {
        assert_eq!(read.treated(2).unwrap(), treated, "{setting}");
        assert_eq!(read.overrides(), rules.overrides(), "{setting}");
    }
    let (mut all, default) = (rules.to_json(), Rules::of::<G>().to_json());
    assert_eq!(all == default, is_neutral, "{setting}");
    all.as_object_mut().unwrap().retain(|key, _| default.get(key).is_some());
    assert_eq!(all, default, "the other keys stay");
}

fn check_game<G: Configure + Notation>() {
    for treatment in G::treatments() {
        let ids = G::treatments().iter().filter(|other| other.id == treatment.id);
        assert_eq!(ids.count(), 1, "{}", treatment.id);
        for setting in settings::<G>(treatment) {
            check_setting::<G>(treatment, &setting);
        }
    }
}

/// Checks that the last stage of a game accepts treatments, and that stages beyond it do not.
fn check_stages<G: Configure>() {
    let game = G::configure(*G::about().players.start(), &Rules::of::<G>()).unwrap();
    let last = game.n_stages();
    let staged = || G::treatments().iter().filter(|t| t.has_stage() && t.names().is_none());
    assert_eq!(staged().next().is_some(), last > 1, "{}", G::about().name);
    for treatment in staged() {
        let amount = match treatment.amount {
            Amount::Switch => "true".to_owned(),
            Amount::Number { most, .. } => most.to_string(),
            _ => continue,
        };
        let key = |stage| treatment.key_for(Some(stage), Some(SEAT), None);
        let done = |stage: u8| configured::<G>(&format!("{}={amount}", key(stage)));
        assert!(done(last).is_ok() && done(last + 1).is_err(), "{}: {last}", treatment.id);
    }
}

macro_rules! every_game {
    ($($name:literal => $game:ty),* $(,)?) => {
        #[test]
        fn every_treatment_of_every_game_is_a_game_that_can_be_written_and_read() {
            $(check_game::<$game>();)*
        }

        #[test]
        fn a_game_has_as_many_stages_as_its_treatments_can_name() {
            $(check_stages::<$game>();)*
        }

        #[test]
        fn the_pages_of_the_rules_list_the_treatments_and_sweeps() {
            $(
                if !<$game>::treatments().is_empty() {
                    check_page($name, "treatments", &table(<$game>::treatments()));
                }
                if !<$game>::sweeps().is_empty() {
                    check_page($name, "sweeps", &sweeps(<$game>::sweeps()));
                }
            )*
        }

        #[test]
        fn what_can_be_swept_is_taken_within_its_range_and_refused_beyond() {
            $(check_sweeps::<$game>();)*
        }
    };
}

engine::catalogue!(every_game);

/// Returns the treatments as a table.
fn table(treatments: &[Treatment]) -> String {
    let mut text =
        String::from("| id | key | how much | what it does |\n| --- | --- | --- | --- |\n");
    for treatment in treatments {
        let key = spelled(treatment);
        let Treatment { id, amount, meaning, .. } = treatment;
        writeln!(text, "| {id} | `{key}` | {amount} | {meaning} |").unwrap();
    }
    text.replace("sS|always", "sS\\|always")
}

/// Returns the key, with the last word before a name instead of the name.
fn spelled(treatment: &Treatment) -> String {
    let mut last = "";
    let mut key = treatment.spelling();
    for step in treatment.key {
        match step {
            Step::Word(word) => last = word,
            Step::Name(_) => key = key.replace("NAME", &last.to_uppercase()),
            _ => {}
        }
    }
    key
}

/// Returns the sweeps as a table.
fn sweeps(sweeps: &[Sweep]) -> String {
    let mut text = String::from("| key | place in the list | range |\n| --- | --- | --- |\n");
    for sweep in sweeps {
        let place = sweep.element.map_or_else(String::new, |place| (place + 1).to_string());
        let range = match sweep.unit {
            "" => "false, true".to_owned(),
            unit => format!("{} to {} {unit}", sweep.least, sweep.most),
        };
        writeln!(text, "| `{}` | {place} | {range} |", sweep.spelling()).unwrap();
    }
    text
}

fn check_sweeps<G: Configure>() {
    let rules = Rules::of::<G>();
    let default = rules.to_json();
    for sweep in G::sweeps() {
        let names = sweep.names().map_or_else(Vec::new, |names| names.all(&default));
        let name = names.first().map(String::as_str);
        let usual = rules.usual(sweep, name).unwrap_or_else(|| panic!("{} has no value", sweep.id));
        let complaint = |number: i64| {
            let setting = rules.swept(sweep, name, number).unwrap();
            configured::<G>(&setting).map(drop).err()
        };
        assert_eq!(complaint(usual), None, "{}", sweep.id);
        for end in [sweep.least, sweep.most] {
            // Other rules may contradict it, but not its own range.
            let bad = complaint(end).unwrap_or_default();
            assert!(!bad.contains("out of range"), "{}: {bad}", sweep.id);
        }
        for beyond in
            [sweep.least - 1, sweep.most + 1].into_iter().filter(|_| !sweep.unit.is_empty())
        {
            let bad = complaint(beyond).unwrap_or_else(|| panic!("{} takes {beyond}", sweep.id));
            assert!(bad.contains("is out of range"), "{}: {bad}", sweep.id);
        }
    }
}

fn check_page(game: &str, what: &str, table: &str) {
    let [begin, end] = [format!("<!-- {what} -->\n"), format!("<!-- end of {what} -->")];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../docs/rules/{game}.md"));
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(&begin).expect("a section of them");
    let (inside, after) = rest.split_once(&end).expect("the end of it");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        return std::fs::write(&path, format!("{before}{begin}{table}{end}{after}")).unwrap();
    }
    assert!(inside == table, "{} lags behind: UPDATE_GOLDEN=1 writes the table", path.display());
}

fn complaint<G: Configure>(n_players: usize, settings: &[&str]) -> String {
    let mut rules = Rules::of::<G>();
    for setting in settings {
        if let Err(bad) = rules.set(setting) {
            return bad.to_string();
        }
    }
    G::configure(n_players, &rules).err().map_or_else(String::new, |bad| bad.to_string())
}

/// Returns the complaints about some rules, for the smallest table.
fn refusals<G: Configure>(rules: &[&[&str]]) -> String {
    let complaint = |settings: &&[&str]| complaint::<G>(*G::about().players.start(), settings);
    rules.iter().map(|settings| complaint(settings) + "\n").collect()
}

/// Senseless rules of conquest2.
const BAD_CONQUEST2: &[&[&str]] = &[
    &["gift.s2.seat1.card.lot=1"],
    &["gift.s2.seat1.talent=20"],
    &["gift.s2.seat1.influence.egipt=1"],
    &["gift.s2.seat1.city.rome=true"],
    &["gift.s2.seat1.city.germania=true"],
    &["gift.s0.seat1.talents=20"],
    &["gift.s5.seat1.talents=20"],
    &["gift.s2.seat2.talents=20"],
    &["gift.s2.seat9.talents=20"],
    &["gift.s2.seat1.talents=12"],
    &["gift.s2.seat1.talents=-5"],
    &["gift.s2.seat1.talents=many"],
    &["gift.s2.seat1.actions=5"],
    &["gift.s2.seat1=5"],
    &["gift.s2.seat1.card.politician=2"],
    &["gift.s1.seat1.card.bribe-senator=1", "cards.bribe-senator.count=8"],
    &["gift.s2.seat1.card.diplomacy-italia=8", "gift.s1.seat1.card.diplomacy-italia=8"],
    &["ban.always.seat1.action.taxes=true"],
    &["ban.deck.lot=true"],
    &["forced.s1.opener=2"],
    &["forced.s1.order=[0, 0]"],
    &[r#"forced.s1.alliance=["A", "B"]"#],
    &["forced.s1.order=[0, 1]", r#"forced.s1.alliance=["A", "A"]"#],
    &["forced.s1.order=[0, 1]", r#"forced.s1.alliance=["A", "C"]"#],
    &[r#"deal.seat1.influence=["egypt"]"#],
    &[r#"deal.seat1.influence=["egypt", "asia", "italia", "germany"]"#],
    &["null.s9=true"],
];

const BAD_HANNIBAL: &[&[&str]] = &[
    &["gift.seat1.legions=8"],
    &["gift.seat1.legions=-8"],
    &["gift.seat0.fleets=-4"],
    &["forced.first=2"],
    &["ban.hanibal=true"],
];

const BAD_IMPERIUM: &[&[&str]] = &[
    &["ban.seat1.card.gaul=true"],
    &[r#"ban.seat1.stack=["syria", "africa"]"#],
    &["deal.seat1.pieces.syria=15"],
    &["deal.seat2.pieces.syria=1"],
];

const BAD_CIRCUS: &[&[&str]] = &[
    &["deal.seat1.cells=[13, 30]"],
    &["deal.seat1.cells=[13, 30, 12]"],
    &["deal.seat1.cells=[13, 30, 48]", "deal.seat0.cells=[14, 67, 30]"],
    &["ban.seat1.card.6=true"],
    &["ban.seat1.card.1=true", "ban.seat1.card.2=true", "ban.seat1.card.3=true"],
];

#[test]
fn what_makes_no_sense_is_refused_with_value_place_and_remedy() {
    let text = refusals::<Conquest2>(BAD_CONQUEST2)
        + &refusals::<Hannibal>(BAD_HANNIBAL)
        + &refusals::<Imperium>(BAD_IMPERIUM)
        + &refusals::<Circus>(BAD_CIRCUS);
    expect_file!["../treatments/refused.txt"].assert_eq(&text);
}

/// Returns the full course of some games as text.
fn played<G: Configure + Notation>(n_players: usize, settings: &[&str], n_games: u64) -> String {
    let mut rules = Rules::of::<G>();
    settings.iter().for_each(|setting| rules.set(setting).unwrap());
    let game = G::configure(n_players, &rules).unwrap();
    let mut text = String::new();
    for index in 0..n_games {
        let mut walk = Walk::new(&game, 1, index);
        loop {
            writeln!(text, "{}", game.state_json(walk.state())).unwrap();
            if walk.next().is_none() {
                break;
            }
        }
    }
    text
}

#[test]
fn a_neutral_amount_is_no_treatment() {
    let control = played::<Conquest2>(3, &[], 1);
    for setting in ["gift.s2.seat1.talents=0", "ban.deck.loot=false", "forced.s1.order=[]"] {
        assert!(played::<Conquest2>(3, &[setting], 1) == control, "{setting}");
    }
    let taken_back = ["gift.s1.seat1.talents=20", "gift.s1.seat1.talents=0"];
    assert!(played::<Conquest2>(3, &taken_back, 1) == control);
}

/// Returns the first state of a game.
fn first<G: Configure + Notation>(n_players: usize, settings: &[&str]) -> String {
    played::<G>(n_players, settings, 1).lines().next().unwrap().to_owned()
}

#[test]
fn hannibal_starts_with_what_was_given_and_without_what_was_taken() {
    let control = first::<Hannibal>(2, &[]);
    let state = first::<Hannibal>(2, &["gift.seat1.legions=-3", "gift.seat0.fleets=2"]);
    let legions = |state: &str| state.contains(r#""roma":[0,5]"#);
    assert!(legions(&state) && !legions(&control), "{state}");
    assert!(state.contains(r#""carthago-sardinia":[5,0]"#), "{state}");
    let without = first::<Hannibal>(2, &["ban.hannibal=true"]);
    assert!(without.contains(r#""hannibal":null"#) && !control.contains(r#""hannibal":null"#));
    // An equal position except for the mover.
    let swapped = configured::<Hannibal>("forced.first=1").unwrap();
    let usual = Hannibal::default();
    assert_eq!(Walk::new(&swapped, 1, 1).state().mover(), 1);
    assert_eq!(Walk::new(&usual, 1, 1).state().mover(), 0);
}

#[test]
fn imperium_knows_no_stack_with_a_banned_card() {
    use engine::{Event, Game};
    let mut rules = Rules::of::<Imperium>();
    for setting in [
        "ban.seat1.card.syria=true",
        "ban.seat1.card.oracle=true",
        "ban.seat0.card.ear-of-the-emperor=true",
        "ban.seat2.stack=[\"africa\", \"syria\", \"gallia\"]",
        "deal.seat2.pieces.gallia=3",
    ] {
        rules.set(setting).unwrap();
    }
    let game = Imperium::configure(3, &rules).unwrap();
    let control = Imperium::new(3);
    let start = game.start();
    assert_eq!((start.pieces(2, 3), start.free(2), start.free(1)), (3, 11, 14));
    let texts = |game: &Imperium, state: &_, seat: usize| -> Vec<String> {
        let mut out = Vec::new();
        game.actions(state, Player::new(seat), &mut out);
        assert_eq!(out.len(), game.n_actions(state, Player::new(seat), &mut Vec::new()));
        out.into_iter().map(|action| game.action_text(action)).collect()
    };
    for seat in 0..3 {
        let all = texts(&control, &control.start(), seat);
        let is_fine = |text: &&String| match seat {
            0 => !text.contains("ear-of"),
            1 => !text.contains("syria") && !text.contains("oracle"),
            _ => *text != "stack africa syria gallia",
        };
        let due: Vec<String> = all.iter().filter(is_fine).cloned().collect();
        assert!(due.len() < all.len());
        assert_eq!(texts(&game, &start, seat), due, "seat {seat}");
    }
    for event in Walk::new(&game, 1, 1) {
        let Event::Joint(joint) = event else { panic!("all turns are simultaneous") };
        let text = joint[Player::new(1)].map(|action| game.action_text(action));
        assert!(text.is_none_or(|text| !text.contains("syria") && !text.contains("oracle")));
    }
}

#[test]
fn circus_starts_where_it_is_dealt_and_drives_without_banned_cards() {
    let mut rules = Rules::of::<Circus>();
    rules.set("deal.seat1.cells=[49, 13, 89]").unwrap();
    rules.set("ban.seat0.card.5=true").unwrap();
    let game = Circus::configure(5, &rules).unwrap();
    for index in 0..20 {
        let mut walk = Walk::new(&game, 4, index);
        while walk.state().is_placing() {
            walk.next();
        }
        let cells: Vec<u8> =
            (0..3).map(|n| walk.state().chariot(1, n).expect("it is placed").cell).collect();
        assert_eq!(cells, [49, 13, 89]);
        for _ in 0..200 {
            assert_eq!(walk.state().open_cards(0) & 0b1_0000, 0);
            walk.next();
        }
    }
}

/// A file of rules compensates seats as it changes other rules: with the gifts of the treatments, counted from seat 1.
#[test]
fn a_rules_file_compensates_seats_with_gifts_at_the_start() {
    let compensated = |rules: &mut Rules, text: &str| rules.overlay("file.toml", text);
    let mut rules = Rules::of::<Conquest2>();
    compensated(&mut rules, "[seat2]\ntalents = 5\ncard.loot = 1\n").unwrap();
    let mut treated = Rules::of::<Conquest2>();
    treated.set("gift.s1.seat1.talents=5").unwrap();
    treated.set("gift.s1.seat1.card.loot=1").unwrap();
    assert_eq!(rules.changes(), treated.changes());
    let mut rules = Rules::of::<Hannibal>();
    rules.set("seat1.legions=2").unwrap();
    assert_eq!(rules.changes()[0].key, "gift.seat0.legions");
    assert!(Hannibal::configure(2, &rules).is_ok());

    let refused =
        |text: &str| compensated(&mut Rules::of::<Conquest2>(), text).unwrap_err().to_string();
    assert!(refused("[seat2]\ngold = 5\n").contains("file.toml:2: unknown key"));
    assert!(refused("[seat0]\ntalents = 5\n").contains("unknown key \"seat0\""));
    let twice = "[seat2]\ntalents = 5\n[gift.s1.seat1]\ntalents = 5\n";
    assert!(refused(twice).contains("stands twice"));
    let complaint = compensated(&mut Rules::of::<Imperium>(), "[seat2]\npieces = 1\n");
    assert!(complaint.unwrap_err().to_string().contains("unknown key \"seat2\""));
}
