//! Headings of options in the help of commands.

use clap::Command;

use super::HelpLength;

/// The heading of what every command takes, which stands last.
pub(super) const GENERAL: &str = "General";

/// Headings in order, with the names of the options under each; `COMMAND/OPTION` is for a command in which the name has
/// another meaning.
const HEADINGS: [(&str, &str); 6] = [
    (
        "Game and agents",
        "adaptive after against agent attacker ban bans block by candidate config corners decisions defender draw-starts factor forbid from \
         game held-out hint judge ladder market method metric model name no-hints personas players range ranges records retreats rules rules-a \
         explain rules-b rungs schedule sea seat seed set set-a set-b solver space speed/search stage starts strong study sweep target tune/weights strategies/weights unmixed \
         values",
    ),
    (
        "Fit",
        "batch decay folds hold only-macro parts passes rate root-share search spread start strength to weights window",
    ),
    ("Input", "check/records no-records read-records report/model report/records show/model"),
    (
        "Length and precision",
        "alpha beta blocks budgets check confirm deals depth draw-blocks effect epsilon fit/iterate/decisions fit-games fixed games \
         h0 h1 joint-draws leaves max-blocks niche niche-games per-game plan positions quick repeats restrictions rounds runs sample searches seconds strong-blocks \
         steps stop-at-fault table-games threads top total-blocks treated improve/full variant/full variant/pace worlds",
    ),
    (
        "Output files",
        "export force html leaks/records merge/records out play/records replay/records resume shard tournament/records",
    ),
    (
        "Display",
        "analyse best boards brief by-seat digits format full head-to-head json luck most no-board outcomes pace ply port show/position quiet ratings \
         replays search-stats show/game show/seed table together traffic verbose watch web",
    ),
];

/// The options of a short help; `COMMAND/OPTION` is for one command only.
const MOST_USED: &str = "against agent analyse attacker blocks brief budgets check/records defender depth effect format \
                         game games held-out hint html ladder/from metric out plan players positions quick replay/records \
                         report/model rungs rules-b seat seconds seed set set-b speed/search fit/priors/search fit/policy/search stage start \
                         fit/iterate/steps study target threads to tournament/records values web weights";

/// Options that commands share although some have no use for them, with the commands whose help leaves them out.
const IDLE: [(&str, &[&str]); 2] = [
    ("digits", &["agents", "agents check", "games", "improve", "perft", "replay", "runs", "speed"]),
    (
        "verbose",
        &[
            "agents",
            "agents check",
            "balance rules",
            "diff",
            "fit iterate",
            "games",
            "improve",
            "leaks",
            "perft",
            "replay",
            "runs",
            "speed",
            "variant",
        ],
    ),
];

/// Returns the index of the heading of an option of the command `path`, as in `fit value`.
fn index(path: &str, option: &str) -> Option<usize> {
    let under = |name: &str| {
        HEADINGS.iter().position(|(_, names)| names.split(' ').any(|known| known == name))
    };
    under(&own_name(path, option)).or_else(|| under(option))
}

/// Returns the key of an option that has another meaning in the command `path`.
fn own_name(path: &str, option: &str) -> String {
    format!("{}/{option}", path.replace(' ', "/"))
}

/// Puts every option of the command `path` under its heading, and the headings in their order. A short help shows the
/// most used options only.
pub(super) fn grouped(path: &str, command: Command, length: HelpLength) -> Command {
    let options = command.get_arguments().filter_map(|arg| {
        let index = index(path, arg.get_long()?)?;
        Some((index, arg.get_id().clone()))
    });
    let mut options: Vec<_> = options.collect();
    options.sort_by_key(|(index, _)| *index);
    // Help has the headings in the order of their first options, and an option that is changed becomes the last one.
    options.into_iter().fold(command, |command, (index, id)| {
        command.mut_arg(id, |arg| {
            let is_left_out = length == HelpLength::Short && !is_most_used(path, arg.get_long());
            let is_left_out = is_left_out && !arg.is_required_set();
            let is_hidden = arg.is_hide_set() || is_left_out || is_idle(path, arg.get_long());
            arg.help_heading(HEADINGS[index].0).hide(is_hidden)
        })
    })
}

/// Returns whether the command `path` has no use for the option.
fn is_idle(path: &str, option: Option<&str>) -> bool {
    IDLE.iter().any(|(idle, paths)| option == Some(*idle) && paths.contains(&path))
}

/// Returns whether a short help of the command `path` has the option.
fn is_most_used(path: &str, option: Option<&str>) -> bool {
    let Some(option) = option else { return true };
    let own = own_name(path, option);
    MOST_USED.split_whitespace().any(|known| known == option || known == own)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_option_has_a_heading_and_every_name_under_one_is_an_option() {
        let names = || HEADINGS.iter().flat_map(|(_, names)| names.split(' '));
        let mut unused: BTreeSet<&str> = names().collect();
        assert_eq!(unused.len(), names().count(), "a name stands under two headings");
        let caesar = crate::cli::command(Some(HelpLength::Long));
        let mut commands: Vec<(String, &Command)> = Vec::new();
        for sub in caesar.get_subcommands() {
            let name = sub.get_name();
            commands.push((name.to_owned(), sub));
            let deeper = sub.get_subcommands();
            commands.extend(deeper.map(|deep| (format!("{name} {}", deep.get_name()), deep)));
        }
        for (path, command) in commands {
            for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
                let Some(option) = arg.get_long() else { continue };
                assert!(arg.get_help_heading().is_some(), "{path} --{option}");
                if !unused.remove(&own_name(&path, option)[..]) {
                    unused.remove(option);
                }
            }
        }
        assert!(unused.is_empty(), "{unused:?}");
    }

    #[test]
    fn a_short_help_has_few_options_and_each_of_the_most_used_is_one() {
        let mut unused: BTreeSet<&str> = MOST_USED.split_whitespace().collect();
        let caesar = crate::cli::command(Some(HelpLength::Short));
        let commands = caesar.get_subcommands().flat_map(|sub| {
            let name = sub.get_name().to_owned();
            let deeper = sub
                .get_subcommands()
                .map(move |deep| (format!("{name} {}", deep.get_name()), deep));
            [(sub.get_name().to_owned(), sub)].into_iter().chain(deeper)
        });
        for (path, command) in commands {
            let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
            let shown: Vec<&str> = shown.filter_map(clap::Arg::get_long).collect();
            assert!(shown.len() <= 15, "{path}: {shown:?}");
            for option in shown {
                unused.remove(&own_name(&path, option)[..]);
                unused.remove(option);
            }
        }
        assert!(unused.is_empty(), "{unused:?}");
    }
}
