//! What can be said and heard.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A command with its parameters.
pub(crate) trait Command: Serialize + Send + Sync {
    /// `Domain.method`.
    const METHOD: &'static str;
    /// What is read of the reply.
    type Reply: DeserializeOwned + Send;
}

/// What is read of an event.
pub(crate) trait Event: DeserializeOwned {
    /// `Domain.event`.
    const METHOD: &'static str;
}

/// Defines commands: `Name<'a> = "Domain.method" -> Reply { member: Type }`. Members are written in camel case, and not at
/// all when they are `None`.
macro_rules! commands {
    ($($(#[$doc:meta])* $name:ident $(<$life:lifetime>)? = $method:literal -> $reply:ty
       { $($(#[$attribute:meta])* $member:ident: $kind:ty),* $(,)? })*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, serde::Serialize)]
            #[serde(rename_all = "camelCase")]
            pub(crate) struct $name $(<$life>)? {
                $($(#[$attribute])* pub(crate) $member: $kind),*
            }

            impl $(<$life>)? $crate::cdp::Command for $name $(<$life>)? {
                const METHOD: &'static str = $method;
                type Reply = $reply;
            }
        )*
    };
}

/// Defines events: `Name = "Domain.event" { member: Type }`.
macro_rules! events {
    ($($(#[$doc:meta])* $name:ident = $method:literal
       { $($(#[$attribute:meta])* $member:ident: $kind:ty),* $(,)? })*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, serde::Deserialize)]
            #[serde(rename_all = "camelCase")]
            pub(crate) struct $name {
                $($(#[$attribute])* pub(crate) $member: $kind),*
            }

            impl $crate::cdp::Event for $name {
                const METHOD: &'static str = $method;
            }
        )*
    };
}

pub(crate) use {commands, events};
