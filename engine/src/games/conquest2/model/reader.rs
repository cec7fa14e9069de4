//! The reader of treatments: from the text of the rules to the treatments of a season and seat.

use crate::games::conquest2::model::board::Board;
use crate::games::conquest2::model::cards::{Card, CardSet, Family};
use crate::games::conquest2::model::check::MOST_WAYS;
use crate::games::conquest2::model::options::TOP;
use crate::games::conquest2::model::place::{Key, MAX_KEYS, Place, Site, Zone};
use crate::games::conquest2::model::treated::{Gift, Given, Season, Treatments};
use crate::games::conquest2::model::treatments::BANNED_ACTIONS;
use crate::games::conquest2::model::units::Unit;
use crate::player::{ByPlayer, Player};
use crate::rules::{BadRules, Rules, nearest};
use crate::treatment::{Kind, Treated};

/// Kinds of given units that stand on land.
const GIVEN_UNITS: [Unit; 4] = [Unit::Infantry, Unit::Cavalry, Unit::Catapult, Unit::General];
/// Largest number of free cards of one seat in one season: a position has bits for these.
const MOST_FREE: usize = 7;

impl Treatments {
    /// Returns the treatments of `rules`, or `None` if there are none.
    pub(crate) fn read(
        rules: &Rules,
        board: &Board,
        n_players: usize,
    ) -> Result<Option<Box<Self>>, BadRules> {
        let all = rules.treated(n_players)?;
        if all.is_empty() {
            return Ok(None);
        }
        let mut reader = Reader {
            rules,
            board,
            n_players,
            found: Self {
                seasons: vec![Season::default(); board.config.options.seasons as usize],
                deal: ByPlayer::default(),
                no_cards: CardSet::EMPTY,
            },
        };
        all.iter().try_for_each(|treated| reader.add(treated))?;
        reader.check_copies()?;
        Ok(Some(Box::new(reader.found)))
    }
}

/// The treatments of a configuration that have been read so far.
struct Reader<'a> {
    rules: &'a Rules,
    board: &'a Board,
    n_players: usize,
    found: Treatments,
}

impl Reader<'_> {
    fn bad<T>(&self, treated: &Treated, message: impl std::fmt::Display) -> Result<T, BadRules> {
        Err(self.rules.bad(&treated.key, message))
    }

    fn add(&mut self, treated: &Treated) -> Result<(), BadRules> {
        let n_seasons = self.found.seasons.len();
        if let Some(season) = treated.stage.filter(|&s| usize::from(s) > n_seasons) {
            let message = format!("there is no season {season}: options.seasons = {n_seasons}");
            return self.bad(treated, message);
        }
        match treated.treatment.kind {
            Kind::Null => self.season(treated).is_null = true,
            Kind::Gift => return self.gift(treated),
            Kind::Ban => self.ban(treated),
            Kind::Forced => return self.force(treated),
            Kind::Start => return self.deal(treated),
        }
        Ok(())
    }

    fn season(&mut self, treated: &Treated) -> &mut Season {
        let season = treated.stage.expect("the treatment names a season");
        &mut self.found.seasons[usize::from(season) - 1]
    }

    fn place(&self, id: &str) -> Place {
        let found = self.board.province_ids.iter().position(|p| p == id);
        Place::new(found.expect("the names are those of the provinces") as u8)
    }

    fn key(&self, treated: &Treated, id: &str) -> Result<Key, BadRules> {
        match self.board.key_of[self.place(id).idx()] {
            Some(key) => Ok(key),
            None => self.bad(treated, format!("{id} has no vp, so that no influence lies there")),
        }
    }

    fn site(&self, treated: &Treated, id: &str) -> Result<Site, BadRules> {
        if let Some(site) = self.board.city_site[self.place(id).idx()] {
            return Ok(site);
        }
        let ids = self.board.province_ids.iter().zip(&self.board.city_site);
        let sites: Vec<&str> =
            ids.filter(|(_, site)| site.is_some()).map(|(id, _)| id.as_str()).collect();
        let hint = nearest(id, &sites).map_or_else(
            || format!("known: {}", sites.join(", ")),
            |near| format!("nearest: {near}"),
        );
        self.bad(treated, format!("no city can be built in {id} ({hint})"))
    }

    fn gift(&mut self, treated: &Treated) -> Result<(), BadRules> {
        let seat = treated.seat.expect("a gift names a seat");
        let (number, name) = (treated.number(), treated.name.as_deref().unwrap_or_default());
        let word = treated.treatment.id.trim_start_matches("gift.");
        let unit = GIVEN_UNITS.into_iter().find(|unit| unit.name() == word);
        let what = match word {
            "card" => return self.card(treated, seat, named_card(name)),
            "actions" => {
                self.season(treated).actions[seat] = number as i8;
                return Ok(());
            }
            "talents" => {
                let step = self.board.config.auction.step;
                if number % step != 0 {
                    let message = format!("{number} is no multiple of auction.step = {step}");
                    return self.bad(treated, message);
                }
                Given::Talents
            }
            "vp" => Given::Vp,
            "chaos" => Given::Chaos,
            "influence" => Given::Influence(self.key(treated, name)?),
            "galley" => {
                let zone = self.board.zone_ids.iter().position(|id| id == name);
                Given::Galleys(Zone::new(zone.expect("the names are those of the zones") as u8))
            }
            "city" => Given::City(self.site(treated, name)?),
            _ => {
                let unit = unit.expect("the rest of the gifts are units");
                Given::Units(unit, self.place(name))
            }
        };
        self.season(treated).gifts.push(Gift { seat, what, number });
        Ok(())
    }

    fn card(&mut self, treated: &Treated, seat: Player, card: Card) -> Result<(), BadRules> {
        let number = treated.number();
        if card.family() != Family::Immediate {
            self.season(treated).gifts.push(Gift { seat, what: Given::Card(card), number });
            return Ok(());
        }
        if number > 1 {
            return self.bad(treated, format!("{number} is out of range: it happens once (1)"));
        }
        let free = &mut self.season(treated).free[seat];
        free.push(card);
        if free.len() > MOST_FREE {
            let message = format!("a seat gets at most {MOST_FREE} immediate-use cards a season");
            return self.bad(treated, message);
        }
        Ok(())
    }

    fn ban(&mut self, treated: &Treated) {
        let name = treated.name.as_deref().expect("a ban names something");
        let Some(seat) = treated.seat else {
            self.found.no_cards.insert(named_card(name));
            return;
        };
        let seasons = match treated.stage {
            Some(season) => &mut self.found.seasons[usize::from(season) - 1..][..1],
            None => &mut self.found.seasons[..],
        };
        for season in seasons {
            let bans = &mut season.bans[seat];
            if treated.treatment.id == "ban.card" {
                bans.cards.insert(named_card(name));
            } else {
                let word = BANNED_ACTIONS.iter().position(|word| *word == name);
                bans.words |= 1 << bit_of(word.expect("the names are those of the actions"));
            }
        }
    }

    fn force(&mut self, treated: &Treated) -> Result<(), BadRules> {
        let seats = || treated.numbers().map(|seat| Player::new(seat as usize));
        match treated.treatment.id {
            "forced.opener" => {
                self.season(treated).opener = Some(Player::new(treated.number() as usize));
            }
            "forced.order" => {
                let order: Vec<Player> = seats().collect();
                let season = self.season(treated);
                // Keys come in their order, so given alliances are read already.
                if season.order.is_none() {
                    season.alliance_b = order.iter().skip(1).step_by(2).copied().collect();
                }
                season.order = Some(order);
            }
            _ => return self.ally(treated),
        }
        Ok(())
    }

    /// Reads alliances by position; the order of that season gives the players.
    fn ally(&mut self, treated: &Treated) -> Result<(), BadRules> {
        let key = treated.key.replace("alliance", "order");
        let all = self.rules.treated(self.n_players)?;
        let Some(order) = all.iter().find(|other| other.key == key) else {
            return self.bad(treated, format!("give the turn order, too: {key}"));
        };
        let order: Vec<Player> = order.numbers().map(|seat| Player::new(seat as usize)).collect();
        let sides: Vec<&str> = treated.names().collect();
        if sides.len() != order.len() {
            let message = format!("{} alliances for {} seats", sides.len(), order.len());
            return self.bad(treated, message);
        }
        if !["A", "B"].iter().all(|side| sides.contains(side)) {
            return self.bad(treated, "both alliances need a member");
        }
        let b = order.iter().zip(&sides).filter(|(_, side)| **side == "B");
        let alliance_b = b.map(|(&seat, _)| seat).collect();
        let season = self.season(treated);
        (season.order, season.alliance_b) = (Some(order), alliance_b);
        Ok(())
    }

    fn deal(&mut self, treated: &Treated) -> Result<(), BadRules> {
        let (seat, due) =
            (treated.seat.expect("a deal names a seat"), self.board.config.start.influence);
        let mut dealt = [0; MAX_KEYS];
        for id in treated.names() {
            dealt[self.key(treated, id)?.idx()] += 1;
        }
        let given = treated.names().count();
        if given as i64 != due {
            let message = format!("{given} provinces, expected start.influence = {due}");
            return self.bad(treated, message);
        }
        self.found.deal[seat] = Some(dealt);
        Ok(())
    }

    /// Checks that no more copies of a card come into the game than a position can count.
    fn check_copies(&self) -> Result<(), BadRules> {
        let (found, last) = (&self.found, self.found.seasons.len());
        let copies =
            |card: Card| i64::from(self.board.card_count[card.idx()]) + found.copies(card, last);
        for card in Card::all().filter(|&c| found.copies(c, last) + found.free_copies(c) > 0) {
            let troops = self.troops_of(card);
            let most = match card {
                Card::BRIBE => 8,
                _ if troops > 0 => 15.min(60 / troops),
                _ => 15,
            };
            let all = copies(card) + found.free_copies(card);
            if all > most {
                let message =
                    format!("{all} copies of {} in the game, at most {most} can be", card.id());
                return Err(self.rules.bad("gift", message));
            }
        }
        let extra = &self.board.config.start;
        let dealt = |v: usize| match extra.senators_from_deck {
            true => 0,
            false => extra.senators[v] * self.n_players as i64,
        };
        let ways: i64 =
            Card::SENATORS.iter().map(|card| copies(card) + dealt(card.idx()) + 1).product();
        if ways > MOST_WAYS {
            return Err(self
                .rules
                .bad("gift", "too many Senators to vote with: give fewer of one value"));
        }
        Ok(())
    }

    /// Returns the largest number of troops of a kind that a Diplomacy card brings.
    fn troops_of(&self, card: Card) -> i64 {
        let Some(name) = card.id().strip_prefix("diplomacy-") else { return 0 };
        let troops = &self.board.config.diplomacy[name];
        [troops.infantry, troops.cavalry, troops.catapult, troops.galley]
            .into_iter()
            .max()
            .unwrap_or(0)
    }
}

fn named_card(id: &str) -> Card {
    Card::all().find(|card| card.id() == id).expect("the names are those of the cards")
}

/// Returns the bit of the `index`-th word that can be banned among the options of a turn.
pub(crate) fn bit_of(index: usize) -> usize {
    const USE: usize = 8;
    let bit = if index + 1 == BANNED_ACTIONS.len() { USE } else { index };
    debug_assert!(bit < TOP.len());
    bit
}
