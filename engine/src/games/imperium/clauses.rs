//! Tests of the clauses of the rules page, on positions made by hand.

use serde_json::json;

use super::position::Position;
use super::{Action, State};
use crate::game::{Game, Turn};
use crate::notation::Notation;

/// A stack that touches no province of the tests.
const ELSEWHERE: &str = "illyricum gallia hispania";

#[test]
fn a_position_takes_at_most_256_bytes_and_an_action_one() {
    assert_eq!(size_of::<State>(), 88);
    assert_eq!(size_of::<Action>(), 1);
}

mod stacks {
    use super::*;

    #[test]
    fn the_numbers_of_stacks_are_those_of_clause_i2b() {
        let all = || Position::new(3, &[]);
        assert_eq!(all().n_options(0), 157);
        assert_eq!(all().without_oracle(0).n_options(0), 156);
        assert_eq!(all().without_oracle(0).without_ear(0).n_options(0), 56 + 56);
        assert_eq!(all().free(0, 2).n_options(0), 36 + 9 + 1);
        assert_eq!(all().free(0, 2).without_oracle(0).n_options(0), 36 + 9);
        assert_eq!(all().free(0, 1).n_options(0), 9 + 1 + 1);
        assert_eq!(all().free(0, 1).without_oracle(0).n_options(0), 9 + 1);
        assert_eq!(all().free(0, 1).without_ear(0).n_options(0), 8 + 1 + 1);
        let with_bread = |text: &&String| text.contains("bread");
        assert_eq!(all().options(0).iter().filter(with_bread).count(), 72);
    }

    #[test]
    fn of_equivalent_orders_only_the_canonical_one_is_legal() {
        let order =
            "africa syria illyricum gallia asia hispania macedonia aegyptus ear-of-the-emperor";
        let rank = |card: &str| order.split(' ').position(|c| c == card).expect("no Oracle here");
        for text in Position::new(2, &[]).without_oracle(0).options(0) {
            let mut cards: Vec<&str> = text.split(' ').skip(1).collect();
            if cards.last() == Some(&"bread-and-circuses") {
                cards.pop();
                cards.pop();
            }
            assert!(!cards.contains(&"bread-and-circuses"), "{text}");
            assert!(cards.is_sorted_by_key(|card| rank(card)), "{text}");
        }
    }

    #[test]
    fn with_bread_and_circuses_the_card_before_it_may_be_any_of_the_rest() {
        let options = Position::new(2, &[]).options(0);
        for text in [
            "stack africa syria bread-and-circuses",
            "stack syria africa bread-and-circuses",
            "stack africa ear-of-the-emperor bread-and-circuses",
            "stack ear-of-the-emperor africa bread-and-circuses",
        ] {
            assert!(options.iter().any(|option| option == text), "{text}");
        }
    }

    #[test]
    fn bread_and_circuses_may_be_the_only_card() {
        let mut p = Position::new(2, &[]).free(0, 1);
        assert!(p.options(0).contains(&"stack bread-and-circuses".to_owned()));
        p.reveal(&["bread-and-circuses", ELSEWHERE]);
        assert_eq!(p.s.free(0), 1);
    }

    #[test]
    fn a_player_plays_as_many_cards_as_he_has_free_pieces_at_the_start_of_the_round() {
        let p = Position::new(2, &[]).pieces("africa", &[4, 0]).free(0, 2);
        assert!(p.options(0).contains(&"stack africa syria".to_owned()));
        let p = p.after(&["syria illyricum", ELSEWHERE]);
        assert_eq!(p.s.free(0), 3, "three came home and count now");
        assert!(p.options(0).contains(&"stack africa syria illyricum".to_owned()));
    }

    #[test]
    fn a_player_without_a_free_piece_is_not_asked() {
        let p = Position::new(3, &[]).free(1, 0);
        assert_eq!(p.choosing(), [0, 2]);
        assert_eq!(p.game.turn(&p.s), Turn::Simultaneous(p.s.choosing));
    }

    #[test]
    fn a_round_in_which_nobody_has_a_free_piece_leaves_no_choice_and_is_scored() {
        let p = Position::new(2, &[]).pieces("africa", &[3, 1]).free(0, 0).free(1, 0);
        assert_eq!(p.choosing(), [0, 1]);
        assert_eq!([p.options(0), p.options(1)], [["stack"], ["stack"]]);
        let p = p.after(&["", ""]);
        assert_eq!((p.s.round(), p.all_points()), (1, &[2, 0][..]));
        assert_eq!((p.s.free(0), p.s.free(1)), (2, 1));
    }
}

mod oracle {
    use super::*;

    #[test]
    fn the_oracle_is_chosen_alone_and_its_players_choose_again_when_all_have_revealed() {
        let p = Position::new(3, &[]).after(&["oracle", ELSEWHERE, "oracle"]);
        assert_eq!((p.choosing(), p.s.round()), (vec![0, 2], 0));
        assert_eq!(p.counts("gallia"), [0, 0, 0], "nothing is placed before all have chosen");
        let view = p.game.view_json(&p.s, crate::Player::new(0));
        let revealed = format!("stack {ELSEWHERE}");
        assert_eq!(view["revealed"], json!([null, revealed, null]));
        let p = p.after(&["gallia asia hispania", "", "syria gallia bread-and-circuses"]);
        assert_eq!((p.choosing(), p.s.round()), (vec![0, 1, 2], 1));
        assert_eq!(p.counts("gallia"), [1, 1, 2]);
    }

    #[test]
    fn the_new_stack_is_a_full_one_without_oracle_and_with_ear_if_he_has_it() {
        let p = Position::new(2, &[]).after(&["oracle", ELSEWHERE]);
        assert_eq!(p.n_options(0), 156);
        let p = Position::new(2, &[]).free(0, 2).without_ear(0).after(&["oracle", ELSEWHERE]);
        assert_eq!(p.n_options(0), 28 + 8);
        let p = Position::new(2, &[]).after(&["oracle", ELSEWHERE]);
        let p = p.after(&["africa syria ear-of-the-emperor", ""]);
        assert_eq!(p.s.mark(), 2);
        assert!(!p.s.has_ear(0));
    }

    #[test]
    fn the_oracle_leaves_the_game_when_it_is_chosen() {
        let p = Position::new(2, &[]).after(&["oracle", ELSEWHERE]).after(&[ELSEWHERE, ""]);
        assert_eq!((p.n_options(0), p.n_options(1)), (156, 157));
        assert!(!p.s.has_oracle(0) && p.s.has_oracle(1));
    }

    #[test]
    fn if_all_chose_the_oracle_all_choose_again() {
        let p = Position::new(2, &[]).after(&["oracle", "oracle"]);
        assert_eq!((p.choosing(), p.s.round(), p.n_options(1)), (vec![0, 1], 0, 156));
        assert_eq!(p.after(&[ELSEWHERE, ELSEWHERE]).s.round(), 1);
    }

    #[test]
    fn without_a_free_piece_there_is_no_oracle() {
        let p = Position::new(2, &[]).free(0, 0).free(1, 0);
        assert_eq!(p.n_options(0), 1);
    }
}

mod placing {
    use super::*;

    #[test]
    fn each_province_card_places_a_piece_and_the_one_before_bread_and_circuses_two() {
        let p = Position::new(2, &[]);
        let p = p.after(&["gallia asia hispania", "gallia asia bread-and-circuses"]);
        assert_eq!((p.counts("gallia"), p.counts("asia")), (vec![1, 1], vec![1, 2]));
        assert_eq!((p.s.free(0), p.s.free(1)), (11, 11));
    }

    #[test]
    fn bread_and_circuses_below_the_ear_doubles_nothing() {
        let p = Position::new(2, &[]).mark("gallia");
        let p = p.after(&["africa ear-of-the-emperor bread-and-circuses", "syria gallia asia"]);
        assert_eq!((p.counts("africa"), p.s.free(0)), (vec![1, 0], 13));
    }

    #[test]
    fn an_ear_leaves_the_game_when_played() {
        let p = Position::new(2, &[]).after(&["gallia asia ear-of-the-emperor", ELSEWHERE]);
        assert!(!p.s.has_ear(0) && p.s.has_ear(1));
        assert!(p.options(0).iter().all(|text| !text.contains("ear-of")));
    }
}

mod scoring {
    use super::*;

    #[test]
    fn two_level_for_most_take_the_second_number() {
        let p = Position::new(3, &[]).mark("macedonia").pieces("macedonia", &[3, 3, 1]).scored();
        assert_eq!(p.all_points(), [5, 5, 0]);
    }

    #[test]
    fn three_level_for_most_take_the_third_number_if_that_place_scores() {
        let macedonia = |n| Position::new(n, &[]).mark("macedonia");
        let p = macedonia(4).pieces("macedonia", &[2, 2, 2, 0]).scored();
        assert_eq!(p.all_points(), [3, 3, 3, 0]);
        let p = macedonia(3).pieces("macedonia", &[2, 2, 2]).scored();
        assert_eq!(p.all_points(), [0, 0, 0]);
    }

    #[test]
    fn the_example_of_the_rulebook_scores_as_printed() {
        // Yellow, red, purple, blue, green; yellow is proconsul of Asia.
        let p = Position::new(5, &[]).mark("macedonia").pieces("asia", &[1, 0, 0, 0, 0]);
        let p = p.proconsul("asia", 0).pieces("macedonia", &[4, 3, 2, 2, 1]).scored();
        assert_eq!(p.all_points(), [7 + 2, 5, 2, 2, 0]);
        assert_eq!(p.proconsul_of("macedonia"), Some(0));
    }

    #[test]
    fn the_chain_of_the_rulebook_scores_three() {
        let p = Position::new(2, &[]).mark("aegyptus").pieces("africa", &[1, 0]);
        let p = p.pieces("hispania", &[1, 0]).pieces("aegyptus", &[2, 1]);
        let p = p.proconsul("africa", 0).proconsul("hispania", 0).scored();
        assert_eq!(p.all_points(), [8 + 3, 0]);
    }

    #[test]
    fn a_chain_ends_where_another_has_the_proconsul() {
        let p = Position::new(2, &[]).mark("aegyptus").pieces("africa", &[0, 1]);
        let p = p.pieces("hispania", &[1, 0]).pieces("aegyptus", &[2, 1]);
        let p = p.proconsul("africa", 1).proconsul("hispania", 0).scored();
        assert_eq!(p.all_points(), [8 + 1, 0]);
    }

    #[test]
    fn only_the_first_places_score_and_only_those_with_a_printed_number() {
        let p = Position::new(2, &[]).mark("aegyptus").pieces("aegyptus", &[1, 2]).scored();
        assert_eq!(p.all_points(), [0, 8 + 1]);
        let p = Position::new(5, &[]).pieces("africa", &[5, 4, 3, 2, 1]).scored();
        assert_eq!(p.all_points(), [1 + 1, 1, 1, 0, 0], "Africa has three numbers");
    }

    #[test]
    fn players_without_a_piece_are_not_ranked() {
        let p = Position::new(4, &[]).mark("aegyptus").pieces("aegyptus", &[1, 0, 0, 0]).scored();
        assert_eq!(p.all_points(), [8 + 1, 0, 0, 0]);
        let rules = ["scoring.needs_influence=false"];
        let p = Position::new(3, &rules).mark("aegyptus").pieces("aegyptus", &[1, 2, 0]).scored();
        assert_eq!(p.all_points(), [6, 9, 0], "the third of three scores nothing all the same");
        let rules = ["scoring.needs_influence=false", "scoring.places_without_points=0"];
        let p = Position::new(3, &rules).mark("aegyptus").pieces("aegyptus", &[1, 2, 0]).scored();
        assert_eq!(p.all_points(), [6, 9, 4]);
    }

    #[test]
    fn a_sole_leader_leaves_one_piece_and_all_others_go_home() {
        let p = Position::new(3, &[]).mark("syria").pieces("syria", &[3, 1, 2]).scored();
        assert_eq!((p.counts("syria"), p.proconsul_of("syria")), (vec![1, 0, 0], Some(0)));
        assert_eq!([0, 1, 2].map(|seat| p.s.free(seat)), [13, 14, 14]);
    }

    #[test]
    fn the_old_proconsul_goes_home_when_another_leads_alone() {
        let p = Position::new(2, &[]).mark("syria").pieces("syria", &[1, 2]);
        let p = p.proconsul("syria", 0).scored();
        assert_eq!((p.counts("syria"), p.proconsul_of("syria")), (vec![0, 1], Some(1)));
        assert_eq!(p.s.held(0), 0);
    }

    #[test]
    fn a_proconsul_counts_as_influence_and_wins_the_bonus_again() {
        let again = |rules: &[&str]| {
            let p = Position::new(2, rules).mark("syria").pieces("syria", &[1, 0]);
            p.proconsul("syria", 0).scored().all_points().to_vec()
        };
        assert_eq!(again(&[]), [2 + 1, 0]);
        assert_eq!(again(&["scoring.proconsul_holder_repeats_bonus=false"]), [2, 0]);
    }

    #[test]
    fn on_a_tie_for_most_the_old_proconsul_stays_without_a_bonus() {
        let tie = |rules: &[&str]| {
            let p = Position::new(3, rules).mark("syria").pieces("syria", &[2, 2, 1]);
            p.proconsul("syria", 0).scored()
        };
        let p = tie(&[]);
        assert_eq!(p.all_points(), [2, 2, 0]);
        assert_eq!((p.counts("syria"), p.proconsul_of("syria")), (vec![1, 0, 0], Some(0)));
        let p = tie(&["scoring.proconsul_stays_if_tie=false"]);
        assert_eq!((p.counts("syria"), p.proconsul_of("syria")), (vec![0, 0, 0], None));
    }

    #[test]
    fn on_a_tie_of_others_the_old_proconsul_stays_too() {
        let p = Position::new(3, &[]).mark("syria").pieces("syria", &[2, 2, 1]);
        let p = p.proconsul("syria", 2).scored();
        assert_eq!((p.counts("syria"), p.proconsul_of("syria")), (vec![0, 0, 1], Some(2)));
    }

    #[test]
    fn on_a_tie_without_an_old_proconsul_all_go_home() {
        let p = Position::new(2, &[]).mark("syria").pieces("syria", &[2, 2]).scored();
        assert_eq!((p.counts("syria"), p.proconsul_of("syria")), (vec![0, 0], None));
        assert_eq!((p.s.free(0), p.s.free(1)), (14, 14));
    }

    #[test]
    fn an_ear_scores_one_province_more_and_the_marks_wrap() {
        let p = Position::new(2, &[]).mark("aegyptus").pieces("aegyptus", &[0, 1]);
        let p = p.after(&["africa syria ear-of-the-emperor", ELSEWHERE]);
        assert_eq!((p.all_points(), p.s.mark()), (&[1 + 1, 8 + 1][..], 1));
    }

    #[test]
    fn five_ears_score_six_provinces() {
        let p = Position::new(5, &[]).after(&["gallia asia ear-of-the-emperor"; 5]);
        assert_eq!((p.s.mark(), p.s.round()), (6, 1));
    }

    #[test]
    fn a_proconsul_of_the_same_round_counts_for_the_next_group() {
        let p = Position::new(2, &[]).mark("aegyptus").pieces("aegyptus", &[1, 0]);
        let p = p.pieces("africa", &[1, 0]);
        let p = p.after(&["gallia asia ear-of-the-emperor", "gallia asia hispania"]);
        assert_eq!(p.all_points(), [8 + 1 + 1 + 2, 0]);
    }

    #[test]
    fn pieces_that_come_home_are_not_placed_before_the_next_round() {
        let p = Position::new(2, &[]).pieces("africa", &[13, 0]).after(&["syria", ELSEWHERE]);
        assert_eq!((p.s.free(0), p.counts("africa")), (12, vec![1, 0]));
    }
}

mod end {
    use super::*;

    #[test]
    fn forty_points_and_a_sole_leader_end_the_game() {
        let p = Position::new(2, &[]).mark("macedonia").points(&[33, 39]);
        let p = p.pieces("macedonia", &[1, 0]).scored();
        assert_eq!((p.all_points(), p.game.turn(&p.s)), (&[41, 39][..], Turn::Over));
        assert_eq!(p.game.payoffs(&p.s).first(2), [1.0, 0.0]);
    }

    #[test]
    fn with_level_leaders_the_game_goes_on() {
        let p = Position::new(2, &[]).mark("macedonia").points(&[33, 41]);
        let p = p.pieces("macedonia", &[1, 0]).scored();
        assert_eq!(p.all_points(), [41, 41]);
        assert!(p.game.turn(&p.s) != Turn::Over);
    }

    #[test]
    fn the_end_is_tested_after_the_whole_round_only() {
        // Seat 0 leads alone at 40 after Syria; in Illyricum the other seat draws level.
        let p = Position::new(2, &[]).mark("syria").points(&[37, 36]);
        let p = p.pieces("syria", &[1, 0]).pieces("illyricum", &[0, 1]);
        let p = p.after(&["gallia asia ear-of-the-emperor", "gallia asia hispania"]);
        assert_eq!(p.all_points(), [40, 40]);
        assert!(p.game.turn(&p.s) != Turn::Over);
    }

    #[test]
    fn after_the_last_round_those_with_most_points_share_the_win() {
        let rules = ["max-rounds=1"];
        let p = Position::new(3, &rules).points(&[9, 9, 3]).after(&[ELSEWHERE; 3]);
        assert_eq!(p.game.turn(&p.s), Turn::Over);
        assert_eq!(p.game.payoffs(&p.s).first(3), [0.5, 0.5, 0.0]);
        let p = Position::new(3, &rules).points(&[9, 8, 3]).after(&[ELSEWHERE; 3]);
        assert_eq!(p.game.payoffs(&p.s).first(3), [1.0, 0.0, 0.0]);
    }

    #[test]
    fn a_game_lasts_at_most_200_rounds_by_default() {
        let mut p = Position::new(2, &["players.win_score=1000"]);
        while p.game.turn(&p.s) != Turn::Over {
            let same = "africa syria bread-and-circuses";
            p.reveal(&if p.s.free(0) > 2 { [same; 2] } else { ["bread-and-circuses"; 2] });
            p.s.points = [0; super::super::MOST_SEATS];
        }
        assert_eq!(p.s.round(), 200);
    }
}

mod states {
    use super::*;

    #[test]
    fn a_state_is_written_as_the_rules_page_says() {
        let p = Position::new(2, &[]).mark("illyricum").pieces("syria", &[1, 0]);
        let p = p.proconsul("syria", 0).points(&[4, 0]).without_oracle(1);
        let state = p.game.state_json(&p.s).to_string();
        let expected = concat!(
            r#"{"round":0,"mark":"illyricum","players":["#,
            r#"{"points":4,"free":13,"ear":true,"oracle":true},"#,
            r#"{"points":0,"free":14,"ear":true,"oracle":false}],"#,
            r#""pieces":{"syria":[1,0]},"proconsul":{"syria":0}}"#
        );
        assert_eq!(state, expected);
    }

    #[test]
    fn every_round_is_a_milestone_and_a_second_choice_is_none() {
        let mut p = Position::new(2, &[]);
        p.reveal(&["oracle", ELSEWHERE]);
        assert_eq!(p.game.milestone(&p.s), 0);
        p.reveal(&[ELSEWHERE, ""]);
        assert_eq!(p.game.milestone(&p.s), 1);
    }

    #[test]
    fn titles_follow_the_points() {
        let p = Position::new(3, &[]).points(&[19, 20, 30]);
        let mut text = String::new();
        p.game.write_state(&p.s, &mut text).unwrap();
        for (seat, title) in ["patrician", "senator", "consul"].into_iter().enumerate() {
            let line = text.lines().find(|line| line.starts_with(&format!("seat {}:", seat + 1)));
            assert!(line.unwrap().contains(title), "{text}");
        }
    }
}
