//! The policy document: its grammar, and what its text says once it has passed (`contract: policy §1, §2, §9`).
//!
//! A [`Document`] is valid in itself. Whether the endpoints and groups it names exist is judged when it is resolved
//! against a catalog.

mod at;
mod auth;
mod budget;
mod canonical;
mod error;
mod groups;
mod limits;
mod normal;
mod params;
mod paths;
mod plugins;
mod preset;
mod rule;
mod suggest;
mod top;

use crate::source::{self, Syntax};

pub(crate) use auth::{AuthSection, TokenSecret, TokenSection};
pub use budget::BudgetSection;
pub use error::{DocumentError, Problem};
pub(crate) use groups::GroupEntry;
pub(crate) use paths::PathsSection;
pub use plugins::PluginSection;
pub use preset::Preset;
pub(crate) use rule::{EndpointEntry, RuleSection};
pub(crate) use suggest::{did_you_mean, nearest};

/// The variable that holds the one token of a server without `auth.tokens`.
pub const TOKEN_VARIABLE: &str = "ABX_SERVER_TOKEN";

/// A valid policy document. Only what was given is kept; presets are not expanded.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    description: Option<String>,
    preset: Option<Preset>,
    base_dir: Option<String>,
    groups: Option<Vec<GroupEntry>>,
    defaults: Option<RuleSection>,
    auth: Option<AuthSection>,
    endpoints: Option<Vec<EndpointEntry>>,
    plugins: Option<Vec<PluginSection>>,
}

impl Document {
    /// The document that says nothing.
    pub fn empty() -> Self {
        Self::default()
    }

    /// The document of `--preset` alone.
    pub fn preset_only(preset: Preset) -> Self {
        Self { preset: Some(preset), ..Self::default() }
    }

    /// Reads a document.
    ///
    /// # Errors
    /// [`DocumentError`] names the place and the key of the first thing that is wrong.
    pub fn parse(text: &[u8], syntax: Syntax) -> Result<Self, DocumentError> {
        top::document(&source::read(text, syntax)?)
    }

    /// Replaces the preset, as `--preset` beside `--policy` does.
    pub fn replace_preset(&mut self, preset: Preset) {
        self.preset = Some(preset);
    }

    /// Adds the token of `ABX_SERVER_TOKEN`, for when that variable is not empty (`contract: policy §1`). Changes
    /// nothing when the document has tokens of its own. Counts for revision, `configured` and lint.
    pub fn add_server_token(&mut self) {
        let auth = self.auth.get_or_insert_default();
        if auth.tokens.as_ref().is_none_or(Vec::is_empty) {
            auth.tokens = Some(vec![TokenSection::of_server()]);
        }
    }

    /// The preset, [`Preset::Default`] when none is named.
    pub fn preset(&self) -> Preset {
        self.preset.unwrap_or_default()
    }

    /// The base directory as written: absolute, not normalised, perhaps not there.
    pub fn base_dir(&self) -> Option<&str> {
        self.base_dir.as_deref()
    }

    /// What the document says of plugins, in its order.
    pub fn plugins(&self) -> &[PluginSection] {
        self.plugins.as_deref().unwrap_or_default()
    }

    /// Whether any top-level key besides `version` is given (`contract: policy §9`).
    pub fn is_configured(&self) -> bool {
        *self != Self::empty()
    }

    /// The first 16 hexadecimal digits of the SHA-256 of the normalised document (`contract: policy §9`).
    pub fn revision(&self) -> String {
        canonical::revision(&self.normalised())
    }

    pub(crate) fn auth(&self) -> Option<&AuthSection> {
        self.auth.as_ref()
    }

    pub(crate) fn groups(&self) -> &[GroupEntry] {
        self.groups.as_deref().unwrap_or_default()
    }

    pub(crate) fn defaults(&self) -> Option<&RuleSection> {
        self.defaults.as_ref()
    }

    pub(crate) fn endpoints(&self) -> &[EndpointEntry] {
        self.endpoints.as_deref().unwrap_or_default()
    }
}
