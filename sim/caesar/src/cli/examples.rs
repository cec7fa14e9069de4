//! Examples at the end of each command's help. They are shell lines, and a test runs all of them in order in one
//! directory.

use std::fmt::Write as _;

use clap::Command;
use clap::builder::StyledStr;

use super::HelpLength;

/// The examples of each command; those of `caesar` itself have no name.
const EXAMPLES: [(&str, [&str; 2]); 44] = [
    ("", ["caesar games", "caesar tournament --game pig"]),
    ("games", ["caesar games", "caesar games --format markdown"]),
    ("agents", ["caesar agents mcts", "caesar agents conquest2 --agent 'greedy(persona=raider)'"]),
    (
        "agents check",
        [
            "caesar agents check 'external(command=\"python3 bot.py\")' --game kuhn-poker",
            "caesar agents check 'external(command=\"python3 bot.py\")' --game goofspiel \\\n      --traffic",
        ],
    ),
    (
        "model",
        [
            "caesar model --game hannibal < requests.jsonl",
            "printf '{\"ask\":[{\"op\":\"new\"}]}' | caesar model --game pig",
        ],
    ),
    ("rules", ["caesar rules conquest2 > rules.toml", "caesar rules pig --set target=50"]),
    (
        "play",
        [
            "yes 1 | caesar play --game tic-tac-toe",
            "yes 1 | caesar play --game pig --agent human --agent 'mcts(iterations=50)' \\\n      --records mine.jsonl",
        ],
    ),
    (
        "tournament",
        [
            "caesar tournament --game pig --agent greedy --agent random --blocks 100",
            "caesar tournament --game connect-four --out run --records run/records.jsonl",
        ],
    ),
    (
        "compare",
        [
            "caesar compare --game pig --agent greedy --agent random --out compared",
            "caesar compare --game pig --set-b target=50 --metric seat=1",
        ],
    ),
    (
        "ladder",
        [
            "caesar ladder --game connect-four --agent 'mcts(iterations=?)' --values 10,40",
            "caesar ladder --game connect-four --agent 'mcts(iterations=?)' --from 10 \\\n      --rungs 2 --out climbed",
        ],
    ),
    (
        "leaks",
        [
            "caesar leaks --game kuhn-poker --agent 'mcts(iterations=100)'",
            "caesar leaks --game goofspiel --agent greedy --positions 20",
        ],
    ),
    (
        "diagnose",
        [
            "caesar diagnose --game connect-four --decisions all --positions 5",
            "caesar diagnose --game tic-tac-toe --decisions all --budgets 20,80",
        ],
    ),
    (
        "variant",
        [
            "caesar variant --game goofspiel --set-b cards=5 --quick",
            "caesar variant --game pig --set-b target=50 --quick --out pigs",
        ],
    ),
    (
        "balance",
        ["caesar balance seats --game goofspiel --quick", "caesar balance all --game pig --plan"],
    ),
    (
        "balance cards",
        ["caesar balance cards --plan", "caesar balance cards --name loot --stage 1 --plan"],
    ),
    (
        "balance provinces",
        [
            "caesar balance provinces --quick --plan",
            "caesar balance provinces --stage 1 --sweep --plan",
        ],
    ),
    (
        "balance seats",
        [
            "caesar balance seats --game pig --quick --out seats",
            "caesar balance seats --game pig --agent random --blocks 2000 --effect 0.05",
        ],
    ),
    (
        "balance alliances",
        [
            "caesar balance alliances --quick --plan",
            "caesar balance alliances --agent greedy --plan",
        ],
    ),
    (
        "balance rules",
        [
            "caesar balance rules --game pig --set target=50 --study seats --quick",
            "caesar balance rules --game pig --range 'target=[80, 100, 120]' --plan",
        ],
    ),
    (
        "balance all",
        [
            "caesar balance all --game pig --quick --plan",
            "caesar balance all --game pig --study seats --quick --out studies",
        ],
    ),
    (
        "balance game",
        [
            "caesar balance game --game pig --plan",
            "caesar balance game --game connect-four --quick --games 300 --deals 0",
        ],
    ),
    (
        "balance win-model",
        [
            "caesar balance win-model --game connect-four --quick --out model",
            "caesar balance win-model --game connect-four --model model/model.json --quick",
        ],
    ),
    (
        "fit",
        [
            "caesar fit value --games 50 --per-game 2",
            "caesar fit weights --game hannibal --games 50",
        ],
    ),
    (
        "fit value",
        [
            "caesar fit value --games 50 --per-game 2 --out value.toml",
            "caesar fit value --players 3 --games 50 --per-game 2 --strength 1",
        ],
    ),
    (
        "fit net",
        [
            "caesar fit net --games 100 --per-game 4 --passes 2 --out value.net",
            "caesar fit net --start 'mcts(value=value.net)' --agent 'mcts(iterations=20)' \\\n      --games 100 --per-game 2",
        ],
    ),
    (
        "fit policy",
        [
            "caesar fit policy --games 100 --per-game 1 --out both.net",
            "caesar fit policy --to values --spread 0.02 --games 100 --per-game 1",
        ],
    ),
    (
        "fit weights",
        [
            "caesar fit weights --game hannibal --games 50 --out weights.toml",
            "caesar fit weights --weights token --games 50 --per-game 2",
        ],
    ),
    (
        "fit priors",
        [
            "caesar fit priors --game hannibal --games 50 --per-game 2 --strength 1",
            "caesar fit priors --games 50 --per-game 1 --strength 1 --out priors.toml",
        ],
    ),
    (
        "fit iterate",
        [
            "caesar fit iterate --start greedy --players 2 --games 50 --per-game 1 \\\n      --max-blocks 32 --steps 1 --out fitted",
            "caesar fit iterate --start greedy --players 2 --games 50 --per-game 1 \\\n      --max-blocks 32 --steps 2 --out fitted --resume",
        ],
    ),
    (
        "improve",
        [
            "caesar improve --game hannibal --quick --plan",
            "caesar improve --game pig --agent 'greedy(epsilon=0.5)' --against random \\\n      --held-out 'mcts(iterations=2)' --quick --out improved",
        ],
    ),
    (
        "strategies",
        [
            "caesar strategies --game pig --agent 'greedy(epsilon=?)' --quick",
            "caesar strategies --game pig --agent 'greedy(epsilon=?)' --quick \\\n      --out population",
        ],
    ),
    (
        "tune",
        [
            "caesar tune --game pig --agent 'greedy(epsilon=?0..0.9)' --against random",
            "caesar tune --game pig --candidate random --candidate greedy \\\n      --against greedy --out tuned",
        ],
    ),
    (
        "merge",
        [
            "for i in 1 2; do caesar tournament --game pig --shard $i/2 --out part-$i; done",
            "caesar merge part-1 part-2 --out whole",
        ],
    ),
    (
        "replay",
        [
            "caesar replay run --game 3",
            "caesar replay run/manifest.json --game 3 --records game-3.jsonl",
        ],
    ),
    (
        "show",
        [
            "caesar show run/records.jsonl --game 3",
            "caesar show run/records.jsonl --html replays.html",
        ],
    ),
    (
        "report",
        ["caesar report run --out report.html", "caesar report compared seats --out pig.html"],
    ),
    ("runs", ["caesar runs", "caesar runs . --format csv"]),
    ("diff", ["caesar diff seats pigs/seats-new", "caesar diff run run --json"]),
    ("check", ["caesar check run", "caesar check run/records.jsonl --json"]),
    ("perft", ["caesar perft connect-four --depth 5", "caesar perft goofspiel --players 3"]),
    (
        "odds",
        [
            "caesar odds --attacker '6 infantry, leader' --defender '3 infantry, city'",
            "caesar odds --game classic --attacker 6i --defender '4i guard' --check 1000",
        ],
    ),
    (
        "speed",
        ["caesar speed pig --seconds 0.1", "caesar speed connect-four --search --seconds 0.1"],
    ),
    ("completions", ["caesar completions bash > caesar.bash", "caesar completions fish"]),
    ("man", ["caesar man tournament", "caesar man > caesar.1"]),
];

/// Ends the help of the command `path` with its examples. A short help has them alone and leads to the long one.
pub(super) fn ended(path: &str, command: Command, length: HelpLength) -> Command {
    let Some((_, examples)) = EXAMPLES.iter().find(|(name, _)| *name == path) else {
        return command;
    };
    let mut text = StyledStr::new();
    let before = command.get_after_help().filter(|_| length == HelpLength::Long);
    let before = before.map(|text| format!("{}\n\n", text.ansi())).unwrap_or_default();
    let after = match length {
        HelpLength::Short => format!("\n\nAll options: caesar {path} --help"),
        HelpLength::Long => String::new(),
    };
    let header = command.get_styles().get_header();
    let examples = examples.join("\n  ");
    write!(text, "{before}{header}Examples:{header:#}\n  {examples}{after}")
        .expect("memory takes it");
    command.after_help(text)
}
