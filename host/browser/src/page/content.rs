//! The page as text (`contract: browser`, content).

use serde_json::{Value, json};

use super::{LARGEST, Limit, Page, USUAL};
use crate::failure::Failure;

/// What of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentForm {
    /// The doctype, and the root element's outer HTML.
    Html,
    /// What can be read in the body.
    Text,
}

/// A page's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The text.
    pub text: String,
    /// The page's address.
    pub url: String,
    /// Its title.
    pub title: String,
}

impl Page {
    /// The content as it is now.
    ///
    /// # Errors
    /// [`Failure::TimedOut`] without a body, [`Failure::TooLarge`], [`Failure::Closed`].
    pub(crate) async fn content(&self, form: ContentForm) -> Result<Content, Failure> {
        let limit = Limit::of(USUAL);
        let asked = match form {
            ContentForm::Html => self.ask(limit, "the content", "html", &[json!(LARGEST)]).await,
            ContentForm::Text => self.ask(limit, "the body", "text", &[json!(LARGEST), json!(limit.left())]).await,
        };
        let text = match asked {
            Ok(Value::String(text)) => text,
            Ok(_) => String::new(),
            Err(Failure::Unfit(_)) => return Err(Failure::TooLarge(LARGEST)),
            Err(other) => return Err(other),
        };
        let title = self.title(limit).await?;
        Ok(Content { text, url: self.state.look(|facts| facts.url.clone()), title })
    }
}
