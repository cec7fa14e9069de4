//! The weights of the evaluation and of the policies based on it, each with a name that a TOML file can set.

use crate::heuristics::weights::weights;

weights! {
    of "rise";
    ["what goods are worth, in victory points; a point counts 1"]
    gold: f32 = 0.15, 0.0..=3.0, linear, "points", "a gold that can still be spent, beside what it counts at the end";
    disc: f32 = 0.45, 0.0..=3.0, linear, "points", "a resource disc that can still be traded, beside what it counts at the end";
    cube: f32 = 1.2, 0.0..=3.0, linear, "points", "a cube of the pool that can still be put on the map";
    many: f32 = 8.0, 1.0..=30.0, linear, "cubes", "cubes of the pool that are worth all of it";
    beyond: f32 = 0.35, 0.0..=1.0, linear, "", "what a cube beyond those is worth, as a factor";
    spend: f32 = 9.0, 1.0..=36.0, linear, "actions", "actions still to come from which on goods are worth all of it";
    ["food"]
    food: f32 = 0.12, 0.0..=3.0, linear, "points", "a step of the marker at the end of what can be foreseen, up to the comfortable one";
    debt: f32 = 0.8, 0.0..=3.0, linear, "", "what a point counts that hunger will cost as things are";
    comfort: f32 = 18.0, 0.0..=20.0, linear, "steps", "steps of the marker beyond which food only makes gold";
    ["what comes every turn"]
    stream: f32 = 1.0, 0.0..=1.5, linear, "", "what goods of later turns count, against those of this one";
    upkeep: f32 = 0.8, 0.0..=2.0, linear, "", "what the upkeep of tiles at the ends of eras counts";
    ["regions"]
    hold: f32 = 0.7, 0.0..=1.0, linear, "", "the share of what a region gives that is left a turn later";
    first_era: f32 = 1.0, 0.0..=3.0, linear, "", "regions of the first era";
    second_era: f32 = 1.0, 0.0..=3.0, linear, "", "regions of the second era";
    zones: f32 = 1.0, 0.0..=3.0, linear, "", "regions of the two zones";
    firm: f32 = 0.75, 0.0..=1.0, linear, "", "how much the standing as it is counts in this turn's points, against how safe it is, when the last round comes";
    open: f32 = 0.6, 0.0..=9.0, linear, "cubes squared", "what may still come into a region, as strength of somebody else";
    presence: f32 = 0.15, 0.0..=3.0, linear, "points", "a region from which others can be reached";
    ["progress tiles beyond goods, for each turn that is left"]
    navigation: f32 = 0.9, 0.0..=5.0, linear, "points", "water on every empire tile, from the second era on";
    areas: f32 = 0.8, 0.0..=5.0, linear, "points", "an area more on every empire tile";
    attack: f32 = 0.5, 0.0..=5.0, linear, "points", "a cube that a defender loses more, or the attacker less";
    defence: f32 = 0.4, 0.0..=5.0, linear, "points", "a cube that is lost less as defender";
    bonus: f32 = 1.1, 0.0..=5.0, linear, "trades", "trade actions of a turn that a bonus counts for";
    discount: f32 = 0.8, 0.0..=5.0, linear, "tiles", "city tiles of a turn that a discount counts for";
    place: f32 = 0.7, 0.0..=5.0, linear, "points", "a free cube for any region";
    alliance: f32 = 0.4, 0.0..=5.0, linear, "points", "the free use of the alliance piece";
    allied: f32 = 0.25, 0.0..=5.0, linear, "", "the share of a region's points that an alliance there is worth until it goes home";
    exchange: f32 = 0.8, 0.0..=5.0, linear, "", "goods for goods, by what they are worth";
    growth: f32 = 1.0, 0.0..=9.0, linear, "regions", "regions more than now that points for regions will be given for";
    ["discs on the display and turn order"]
    lie: f32 = 0.08, 0.0..=2.0, linear, "points", "a unit that own discs cost to take back as they lie";
    in_progress: f32 = 0.6, 0.0..=9.0, linear, "points", "the first own disc in the row of progress tiles before a turn that takes them back";
    in_territory: f32 = 1.8, 0.0..=9.0, linear, "points", "the same in the row of territory tiles";
    in_city: f32 = 0.7, 0.0..=9.0, linear, "points", "the same in the row of city tiles";
    in_empire: f32 = 1.2, 0.0..=9.0, linear, "points", "the same in the row of empire tiles";
    in_trade: f32 = 0.6, 0.0..=9.0, linear, "points", "the same in the row of trade boxes";
    again: f32 = 0.6, 0.0..=1.0, linear, "", "what each further disc in a row counts, against the one before";
    early: f32 = 0.25, -3.0..=3.0, linear, "points", "a place earlier in the order of a turn in which discs are placed";
    early_back: f32 = 0.15, -3.0..=3.0, linear, "points", "a place earlier in the order of a turn in which discs are taken back";
    ["against whom"]
    rival: f32 = 0.35, 0.0..=2.0, linear, "", "what the best rival has, against what one has oneself";
}
