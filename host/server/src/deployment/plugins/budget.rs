//! What each group may use: what the deployment says, else what its manifest says, else what is usual.

use std::path::{Path, PathBuf};

use abxd_manifest::{Budget, BudgetDecl, Fault, Manifest};
use abxd_plugins::instance::Settings;
use abxd_policy::{BudgetSection, PluginSection};

/// Why a budget can't be used.
#[derive(Debug, thiserror::Error)]
pub enum BudgetError {
    /// A value of the policy that no component can get.
    #[error("policy: plugins.{group}.budget.{key}: {fault}")]
    OutOfBounds {
        /// The group.
        group: String,
        /// The key.
        key: &'static str,
        /// What is wrong.
        fault: Box<Fault>,
    },
    /// A third party asks for more than is usual, and the policy does not give it.
    #[error(
        "{}: its manifest asks for more {key} than the usual {usual}; the policy's `plugins.{group}.budget.{key}` can \
         grant it",
        file.display()
    )]
    NotGranted {
        /// The file.
        file: PathBuf,
        /// The group.
        group: String,
        /// The key.
        key: &'static str,
        /// What is usual.
        usual: f64,
    },
    /// The groups together have more slots than the host.
    #[error(
        "the groups have {slots} slots together and the host has {most}; lower `plugins.GROUP.budget.slots` in the policy"
    )]
    Slots {
        /// All slots.
        slots: usize,
        /// What there is.
        most: usize,
    },
}

/// How a built-in group is run. Its manifest is ours.
pub(super) fn of_built_in(manifest: &Manifest, sections: &[PluginSection]) -> Result<Settings, BudgetError> {
    let section = section(&manifest.group, sections)?;
    Ok(Budget::USUAL.with(&manifest.budget).with(&section).into())
}

/// How a third party's group is run. What its manifest asks for beyond what is usual, the operator has to give.
pub(super) fn of_added(manifest: &Manifest, file: &Path, sections: &[PluginSection]) -> Result<Settings, BudgetError> {
    let section = section(&manifest.group, sections)?;
    let budget = Budget::USUAL.with(&manifest.budget).with(&section);
    match budget.above(&Budget::USUAL.with(&section)) {
        None => Ok(budget.into()),
        Some((key, usual)) => {
            Err(BudgetError::NotGranted { file: file.to_owned(), group: manifest.group.clone(), key, usual })
        }
    }
}

fn section(group: &str, sections: &[PluginSection]) -> Result<BudgetDecl, BudgetError> {
    let section = sections.iter().find(|section| section.group == group).and_then(|section| section.budget);
    let decl = section.as_ref().map(decl).unwrap_or_default();
    let out_of_bounds =
        |(key, fault)| BudgetError::OutOfBounds { group: group.to_owned(), key, fault: Box::new(fault) };
    decl.check().map_err(out_of_bounds)?;
    Ok(decl)
}

fn decl(section: &BudgetSection) -> BudgetDecl {
    let BudgetSection {
        memory_bytes,
        group_memory_bytes,
        host_call_bytes,
        slots,
        cpu_seconds,
        wall_seconds,
        wait_seconds,
    } = *section;
    BudgetDecl {
        memory_bytes,
        group_memory_bytes,
        host_call_bytes,
        // More than fits is out of bounds like more than there is.
        slots: slots.map(|slots| u32::try_from(slots).unwrap_or(u32::MAX)),
        cpu_seconds,
        wall_seconds,
        wait_seconds,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use abxd_manifest::Manifest;
    use abxd_policy::{Document, Syntax};

    use super::{BudgetError, of_added, of_built_in};

    const MANIFEST: &str = "group = \"demo\"\nversion = \"1.0.0\"\n[budget]\nslots = 4\nwall_seconds = 60\n\
        [[endpoint]]\nid = \"demo\"\nmethod = \"GET\"\npath = \"/demo\"\nsummary = \"s\"\nscopes = []\n";

    fn document(budget: &str) -> Document {
        let text = format!(r#"{{"plugins":{{"demo":{{"budget":{budget}}}}}}}"#);
        Document::parse(text.as_bytes(), Syntax::Json).unwrap()
    }

    #[test]
    fn the_deployments_word_is_the_last() {
        let manifest = Manifest::from_toml(MANIFEST, "plugin.toml").unwrap();
        let settings = of_built_in(&manifest, document(r#"{"slots":2}"#).plugins()).unwrap();
        assert_eq!((settings.slots, settings.wall.as_secs(), settings.wait.as_secs()), (2, 60, 10));
    }

    #[test]
    fn a_third_party_gets_more_than_usual_only_from_the_operator() {
        let manifest = Manifest::from_toml(MANIFEST, "plugin.toml").unwrap();
        let added = |budget| of_added(&manifest, Path::new("/p/demo.wasm"), document(budget).plugins());
        assert_eq!(
            added("{}").unwrap_err().to_string(),
            "/p/demo.wasm: its manifest asks for more wall_seconds than the usual 30; the policy's \
             `plugins.demo.budget.wall_seconds` can grant it"
        );
        assert_eq!(added(r#"{"wall_seconds":90}"#).unwrap().wall.as_secs(), 90);
        assert_eq!(added(r#"{"wall_seconds":20}"#).unwrap().slots, 4);
    }

    #[test]
    fn values_out_of_bounds_are_named() {
        let manifest = Manifest::from_toml(MANIFEST, "plugin.toml").unwrap();
        for (budget, said) in [
            (r#"{"slots":5000000000}"#, "policy: plugins.demo.budget.slots: 4294967295 is out of bounds: 1 to 1024"),
            (
                r#"{"cpu_seconds":0.001}"#,
                "policy: plugins.demo.budget.cpu_seconds: 0.001 is out of bounds: 0.01 to 3600",
            ),
        ] {
            let error = of_built_in(&manifest, document(budget).plugins()).unwrap_err();
            assert!(matches!(error, BudgetError::OutOfBounds { .. }));
            assert_eq!(error.to_string(), said);
        }
    }
}
