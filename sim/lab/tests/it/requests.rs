//! Requests as documents: every request is read and written in the same form.

use sim::config::{Played, RuleSet};

/// Serde guarantees neither for flattened structs.
#[test]
fn keys_of_requests_keep_their_order_and_unknown_ones_are_refused() {
    let rules = RuleSet { file: Some("r.toml".to_owned()), settings: vec!["x=1".to_owned()] };
    let played = Played::new("pig", 3);
    let request =
        lab::tune::request::Request { played, rules, seed: Some(2), ..Default::default() };
    let options = "--game pig --players 3 --seed 2 --rules r.toml --set x=1";
    assert_eq!(request.command(), format!("caesar tune {options}"));
    let json = serde_json::to_value(&request).unwrap();
    assert_eq!(serde_json::from_value::<lab::tune::request::Request>(json).unwrap(), request);
    let bad = r#"{"game":"pig","gaem":"pig"}"#;
    let errors = [
        serde_json::from_str::<lab::tune::request::Request>(bad).unwrap_err(),
        serde_json::from_str::<lab::balance::request::Request>(bad).unwrap_err(),
        serde_json::from_str::<lab::dynamics::request::Request>(bad).unwrap_err(),
    ];
    for error in errors {
        assert!(error.to_string().starts_with("unknown field `gaem`"), "{error}");
    }
}
