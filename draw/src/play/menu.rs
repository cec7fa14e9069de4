//! Menus: the legal actions of a seat in groups, each with its words and the areas that it concerns.

use serde::Serialize;

/// The options of a seat at one choice.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Menu {
    /// The question that the options answer.
    pub question: String,
    /// The labels of the draft so far.
    pub so_far: Vec<String>,
    /// The options in groups. Each legal action stands in exactly one option.
    pub groups: Vec<Group>,
    /// Gestures from one area to another.
    pub drags: Vec<Drag>,
    /// The amounts of the form that begins with the only option: one after another, they are choices of their own.
    pub form: Vec<Amount>,
    /// True if all amounts that are asked after the first can be zero.
    pub may_only: bool,
    /// The action to play after the last amount, where it is legal, unless there is more to come.
    pub closing: Option<String>,
    /// The option that can be taken again and again until the contest is over.
    pub repeat: Option<Repeat>,
}

/// An option that can be taken again, whenever it is there, until the contest under way is over.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Repeat {
    /// The texts of its actions.
    pub words: Vec<String>,
    /// The words for people.
    pub label: String,
}

/// A gesture from one area to another that plays several choices at once.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Drag {
    /// The texts of the actions to play, in which `{from}` and `{to}` stand for the names of the areas.
    pub words: Vec<String>,
    /// The areas from which it can begin.
    pub from: Vec<String>,
}

/// Options that begin alike.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Group {
    /// Its heading; empty for options that need none.
    pub name: String,
    /// Its options.
    pub options: Vec<Choice>,
}

/// An option: a legal action, or a run of actions that differ in their last number.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Choice {
    /// The texts of the actions to play, one for each choice. With `count`, a space and a number follow the last one.
    pub words: Vec<String>,
    /// The option for people.
    pub label: String,
    /// The names of the areas that it concerns, as the board has them.
    pub areas: Vec<String>,
    /// The seat that it concerns, counted from 1.
    pub seat: Option<usize>,
    /// The text of the card that it concerns.
    pub card: Option<String>,
    /// The numbers that complete it.
    pub count: Option<Count>,
}

/// The numbers of an option.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Count {
    /// The legal numbers, ascending.
    pub values: Vec<i64>,
    /// The number that is set at first.
    pub preset: i64,
    /// The thing that is counted.
    pub of: String,
    /// The sum from which the number is paid: the page shows the rest.
    pub purse: Option<i64>,
    /// The symbol of the pieces that are counted: the page shows them, and a click counts one more.
    pub symbol: Option<char>,
}

/// An amount of a form.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Amount {
    /// The thing that is counted.
    pub of: String,
    /// The largest number.
    pub high: i64,
    /// The number that is set at first.
    pub preset: i64,
    /// The sum that it is a part of.
    pub sum: Option<Sum>,
    /// The symbol of the pieces that are counted, as that of a [`Count`].
    pub symbol: Option<char>,
}

/// A sum that amounts of a form have together: if one is changed, the others make up for it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Sum {
    /// Its name: amounts that have it share the sum.
    pub of: String,
    /// The sum.
    pub is: i64,
}

impl Menu {
    /// Returns the question of a table without forms: it also names the first amount of one.
    #[must_use]
    pub fn in_one_line(&self) -> String {
        let Some(first) = self.form.first().filter(|_| self.form.len() > 1) else {
            return self.question.clone();
        };
        format!("{} How many {}?", self.question, first.of)
    }

    /// Returns the options of all groups.
    pub fn options(&self) -> impl Iterator<Item = &Choice> {
        self.groups.iter().flat_map(|group| &group.options)
    }
}

impl Choice {
    /// Returns the words of each legal action that the option stands for.
    #[must_use]
    pub fn actions(&self) -> Vec<Vec<String>> {
        let Some(count) = &self.count else { return vec![self.words.clone()] };
        let with = |value: &i64| {
            let mut words = self.words.clone();
            if let Some(last) = words.last_mut() {
                *last = format!("{last} {value}");
            }
            words
        };
        count.values.iter().map(with).collect()
    }
}
