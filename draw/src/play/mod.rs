//! The page at which a person plays, and what it shows: menus, boards and holdings.
//!
//! Everything comes from the view of a seat and the texts of its legal actions, so nothing can leak that the seat does
//! not see. [`ask`] makes the menu of a choice, [`pieces`] and [`panel`] draw the table, and [`page`] is the document
//! that shows them. The script of the page speaks to a server; this crate knows none.
//!
//! # Example
//! The menu of a choice between amounts:
//! ```
//! use draw::play::{Asked, DrawnGame, ask};
//! use serde_json::{Value, json};
//!
//! let (game, view) = (DrawnGame::new("a-game", &Value::Null, 2), json!({ "pot": 3 }));
//! let names = ["Anna".to_owned(), "greedy".to_owned()];
//! let asked = Asked { game: &game, names: &names, view: &view, seat: 0 };
//! let actions = ["pass", "count 1", "count 2"].map(str::to_owned);
//! let menu = ask(&asked, &actions, &[]);
//! assert_eq!(menu.options().count(), 2);
//! assert_eq!(menu.options().last().unwrap().actions(), [["count 1"], ["count 2"]]);
//! ```

mod asking;
mod document;
mod drawn_game;
mod menu;
mod panel;
mod speech;
mod standing;
mod told;

pub use self::asking::{ask, chosen};
pub use self::document::{page, page_policy};
pub use self::drawn_game::{Asked, DrawnGame, changed, pieces};
pub use self::menu::{Amount, Choice, Count, Drag, Group, Menu, Repeat, Sum};
pub use self::panel::{panel, standing};
pub use self::standing::{Row, Standing};
pub use self::told::told;
pub use crate::marches::{March, marches};
