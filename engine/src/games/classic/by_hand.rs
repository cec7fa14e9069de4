//! The check of a position from a document.

use super::{Classic, State};
use crate::by_hand::{ByHand, beyond};
use crate::data::BadData;

impl ByHand for Classic {
    fn complete(&self, _state: &mut State) -> Result<(), BadData> {
        Err(beyond("a position of classic"))
    }
}
