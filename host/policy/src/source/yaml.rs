//! YAML: the events of the parser, put together into the same tree as JSON's.
//!
//! One document only, keys are words, no aliases and no tags but `!!str`: what a policy has no use for is refused
//! rather than guessed at.

use std::borrow::Cow;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Tag};

use super::{Entry, MAX_DEPTH, Node, Place, SourceError, Value, scalar};

/// Reads one YAML text. An empty one is null.
pub(super) fn read(text: &str) -> Result<Node, SourceError> {
    let mut builder = Builder::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| refused(place(error.marker()), error.info()))?;
        builder.take(event, place(&span.start))?;
    }
    Ok(builder.root.unwrap_or(Node { place: Place::START, value: Value::Null }))
}

/// A list or an object whose end has not come yet.
enum Open {
    List { place: Place, items: Vec<Node> },
    Object { place: Place, entries: Vec<Entry>, key: Option<(String, Place)> },
}

#[derive(Default)]
struct Builder {
    open: Vec<Open>,
    root: Option<Node>,
    seen_document: bool,
}

impl Builder {
    fn take(&mut self, event: Event<'_>, place: Place) -> Result<(), SourceError> {
        match event {
            Event::DocumentStart(_) if self.seen_document => Err(refused(place, "a second document")),
            Event::DocumentStart(_) => {
                self.seen_document = true;
                Ok(())
            }
            Event::Alias(_) => Err(refused(place, "aliases are not supported")),
            Event::Scalar(text, style, _, tag) => self.scalar(&text, style, tag, place),
            Event::SequenceStart(_, tag) => self.start(Open::List { place, items: Vec::new() }, tag, place),
            Event::MappingStart(_, tag) => {
                self.start(Open::Object { place, entries: Vec::new(), key: None }, tag, place)
            }
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::List { place, items }) => self.add(Node { place, value: Value::List(items) }),
                Some(Open::Object { place, entries, .. }) => self.add(Node { place, value: Value::Object(entries) }),
                None => Ok(()),
            },
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
        }
    }

    fn scalar(
        &mut self,
        text: &str,
        style: ScalarStyle,
        tag: Option<Cow<'_, Tag>>,
        place: Place,
    ) -> Result<(), SourceError> {
        let is_text = match tag {
            Some(tag) if tag.is_yaml_core_schema() && tag.suffix == "str" => true,
            Some(tag) => return Err(refused(place, &format!("the tag {tag} is not supported"))),
            None => style != ScalarStyle::Plain,
        };
        // A key is its text, whatever it would stand for as a value.
        if let Some(Open::Object { key: key @ None, .. }) = self.open.last_mut() {
            *key = Some((text.to_owned(), place));
            return Ok(());
        }
        let value = if is_text { Value::Text { text: text.to_owned(), plain: false } } else { scalar::resolve(text) };
        self.add(Node { place, value })
    }

    fn start(&mut self, open: Open, tag: Option<Cow<'_, Tag>>, place: Place) -> Result<(), SourceError> {
        if let Some(tag) = tag {
            return Err(refused(place, &format!("the tag {tag} is not supported")));
        }
        if let Some(Open::Object { key: None, .. }) = self.open.last() {
            return Err(refused(place, "a key must be a word"));
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(SourceError::TooDeep { place });
        }
        self.open.push(open);
        Ok(())
    }

    /// Puts a finished node where it belongs.
    fn add(&mut self, node: Node) -> Result<(), SourceError> {
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open::List { items, .. }) => items.push(node),
            Some(Open::Object { entries, key, .. }) => {
                let (key, key_place) = key.take().ok_or_else(|| refused(node.place, "a key must be a word"))?;
                entries.push(Entry { key, key_place, node });
            }
        }
        Ok(())
    }
}

fn refused(place: Place, message: &str) -> SourceError {
    SourceError::Syntax { place, message: message.to_owned() }
}

/// The parser counts columns from 0.
fn place(marker: &Marker) -> Place {
    Place { line: marker.line().max(1), column: marker.col() + 1 }
}
