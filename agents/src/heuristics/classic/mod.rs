//! Opinions about classic.

use engine::games::classic::Classic;

use crate::agents_built_here;
use crate::guide::Unguided;
use crate::param::Settings;
use crate::playable::Playable;

impl Playable for Classic {
    type Guide = Unguided;

    agents_built_here!();

    fn guide(&self, _settings: &Settings) -> Result<Unguided, String> {
        Ok(Unguided)
    }
}
