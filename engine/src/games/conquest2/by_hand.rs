//! The check of a position from a document.

use super::{Conquest2, State};
use crate::by_hand::{ByHand, beyond};
use crate::data::BadData;

impl ByHand for Conquest2 {
    fn complete(&self, _state: &mut State) -> Result<(), BadData> {
        Err(beyond("a position of conquest2"))
    }
}
