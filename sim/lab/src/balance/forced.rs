//! The cells that force turn orders, and those that force the first bidder.

use super::cell::{Cell, CellTreatment};
use super::facts::Facts;
use super::order::Order;

/// Returns the name of the cell that forces order and sides.
pub(super) fn forced(stage: u8, pattern: &[bool]) -> String {
    let sides: String = pattern.iter().map(|&second| if second { 'B' } else { 'A' }).collect();
    format!("order/{sides}/s{stage}")
}

/// Returns the name of the cell that forces the first bidder.
pub(super) fn opened(stage: u8) -> String {
    format!("opener/s{stage}")
}

impl Order {
    /// Returns the cells of a lineup that force order and sides.
    #[must_use]
    pub fn cells(&self, facts: &Facts, lineup: usize) -> Vec<Cell> {
        let n = facts.players;
        let key = |id: &str, stage: u8| facts.treatment(id).key_for(Some(stage), None, None);
        let one = |stage: u8, pattern: &Vec<bool>| {
            let sides = self.precedence.bids.map(|bids| {
                let name = |&second: &bool| format!("{:?}", bids.names[usize::from(second)]);
                let sides: Vec<String> = pattern.iter().map(name).collect();
                format!("{}=[{}]", key(bids.sides, stage), sides.join(","))
            });
            let settings = |first: usize| {
                let order: Vec<String> =
                    (0..n).map(|place| ((first + place) % n).to_string()).collect();
                let order = format!("{}=[{}]", key(self.precedence.order, stage), order.join(","));
                [order].into_iter().chain(sides.clone()).collect()
            };
            let treatment = CellTreatment::Seats((0..n).map(settings).collect());
            Cell { id: forced(stage, pattern), lineup, stage, treatment }
        };
        let of_stage = |&stage: &u8| self.patterns.iter().map(move |pattern| one(stage, pattern));
        self.stages.iter().flat_map(of_stage).collect()
    }

    /// Returns the cells of a lineup that force the first bidder.
    #[must_use]
    pub fn openers(&self, facts: &Facts, lineup: usize) -> Vec<Cell> {
        let Some(bids) = self.precedence.bids else { return Vec::new() };
        let one = |&stage: &u8| {
            let key = facts.treatment(bids.opener).key_for(Some(stage), None, None);
            let treatment = (0..facts.players).map(|seat| vec![format!("{key}={seat}")]).collect();
            Cell { id: opened(stage), lineup, stage, treatment: CellTreatment::Seats(treatment) }
        };
        self.stages.iter().map(one).collect()
    }
}
