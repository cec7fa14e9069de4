//! The oracle games, which the general agents play as they are.
