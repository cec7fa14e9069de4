//! The accessibility checks of axe-core on a page in a browser; `npm ci --prefix draw/tests/axe` installs them.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use crate::driver::Browser;

/// Its script, below the root of the repository.
const AXE: &str = "draw/tests/axe/node_modules/axe-core/axe.min.js";

/// Returns axe-core; prints a line and returns `None` without it.
pub(crate) fn axe() -> Option<String> {
    let roots = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let script = roots.map(|root| root.join(AXE)).find_map(|path| fs::read_to_string(path).ok());
    if script.is_none() {
        assert!(
            std::env::var_os("AXE_TESTS").is_none(),
            "tests by axe-core are demanded, and {AXE} is missing (npm ci --prefix draw/tests/axe)"
        );
        eprintln!("skipped: no axe-core here (npm ci --prefix draw/tests/axe)");
    }
    script
}

/// Returns what axe-core finds serious on the page, in the light and in the dark.
pub(crate) fn serious(browser: &Browser, axe: &str) -> Vec<String> {
    browser.run(&format!("if (!window.axe) {{ {axe} }}"));
    let mut all = Vec::new();
    for scheme in ["light", "dark"] {
        let scheme = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        browser.command("Emulation.setEmulatedMedia", &scheme);
        let found = browser.run(
            "return axe.run().then(result => result.violations.filter(v => ['serious', 'critical'].includes(v.impact))
               .map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 120)).join(' | ')))",
        );
        all.extend(found.as_array().into_iter().flatten().map(Json::to_string));
    }
    all
}
