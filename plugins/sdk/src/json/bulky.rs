//! Objects that carry bytes of the host.

use std::mem;

use super::{Object, push_text};
use crate::Segment;
use crate::bulk::Source;

/// An object some of whose members are bytes of the host, which the host itself writes into the answer.
pub struct Bulky {
    before: Vec<Segment>,
    out: Vec<u8>,
    empty: bool,
}

impl Bulky {
    /// An object without members. `capacity` is a guess at the length of what is not bulk, in bytes.
    pub fn new(capacity: usize) -> Self {
        let mut out = Vec::with_capacity(capacity);
        out.push(b'{');
        Self { before: Vec::new(), out, empty: true }
    }

    /// Members that are not bulk.
    pub fn members(&mut self, fill: impl FnOnce(&mut Object<'_>)) {
        let mut object = Object { out: &mut self.out, empty: self.empty };
        fill(&mut object);
        self.empty = object.empty;
    }

    /// A member that is a string: the source in base64.
    pub fn base64(&mut self, key: &'static str, source: Source) {
        self.bulk(key, Segment::Base64(source));
    }

    /// A member that is a string: the source as text, bad UTF-8 as U+FFFD.
    pub fn json_text(&mut self, key: &'static str, source: Source) {
        self.bulk(key, Segment::JsonText(source));
    }

    /// The same, with `tail` behind the source's text.
    pub fn json_text_and(&mut self, key: &'static str, source: Source, tail: &str) {
        self.json_text(key, source);
        self.go_on(tail);
    }

    /// A member of any kind: the source is its JSON text.
    pub fn raw(&mut self, key: &'static str, source: Source) {
        self.verbatim(key, Segment::Raw(source));
    }

    /// The answer's pieces.
    pub fn finish(mut self) -> Vec<Segment> {
        self.out.push(b'}');
        self.before.push(Segment::Bytes(self.out));
        self.before
    }

    fn bulk(&mut self, key: &'static str, segment: Segment) {
        self.members(|object| object.key(key));
        self.out.push(b'"');
        self.before.push(Segment::Bytes(mem::replace(&mut self.out, b"\"".to_vec())));
        self.before.push(segment);
    }

    /// Let the string that was just written end later.
    fn go_on(&mut self, tail: &str) {
        self.out.clear();
        push_text(&mut self.out, tail);
        self.out.remove(0);
    }

    fn verbatim(&mut self, key: &'static str, segment: Segment) {
        self.members(|object| object.key(key));
        self.before.push(Segment::Bytes(mem::take(&mut self.out)));
        self.before.push(segment);
    }
}

#[cfg(test)]
mod tests {
    use super::Bulky;
    use crate::Segment;

    #[test]
    fn bulk_stands_between_pieces_of_the_text() {
        let mut answer = Bulky::new(0);
        answer.members(|o| o.flag("a", true));
        // A source can't be made off WebAssembly: any other segment shows where it stands.
        answer.bulk("b", Segment::Bytes(b"<1>".to_vec()));
        answer.bulk("c", Segment::Bytes(b"<2>".to_vec()));
        answer.go_on("\n\"");
        answer.verbatim("d", Segment::Bytes(b"<3>".to_vec()));
        answer.members(|o| o.integer("e", 1_u8));
        let pieces = answer.finish().into_iter().map(|segment| match segment {
            Segment::Bytes(bytes) => bytes,
            Segment::Raw(_) | Segment::Base64(_) | Segment::JsonText(_) => Vec::new(),
        });
        assert_eq!(pieces.collect::<Vec<_>>().concat(), br#"{"a":true,"b":"<1>","c":"<2>\n\"","d":<3>,"e":1}"#);
    }
}
