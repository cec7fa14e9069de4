//! Pictures of positions for notebooks, as `draw` draws them.

use draw::html::escape;
use draw::replay_builder::ReplayBuilder;
use draw::replay_page::replay_page;
use draw::story::Position;

use crate::shared_game::SharedGame;

/// Returns a position as an element for a notebook: a page in a frame from which no script reaches the notebook. `what`
/// says which position it is.
pub(crate) fn picture(shared: &SharedGame, what: &str, at: &Position) -> String {
    let (name, n) = (shared.game.name(), shared.players());
    let drawing = draw::games::drawing(name, &shared.game.rules().to_json(), n);
    let nobody = vec![String::new(); n];
    let mut builder = ReplayBuilder::new(drawing, what.to_owned(), name.to_owned(), nobody);
    builder.begin(at);
    let title = shared.game.about().title;
    let page = escape(&replay_page(title, "", &[builder.replay()]));
    let title = escape(&format!("{title}: {what}"));
    format!(
        "<iframe sandbox=\"allow-scripts\" title=\"{title}\" srcdoc=\"{page}\" \
         style=\"width:100%;height:32rem;border:0\"></iframe>"
    )
}
