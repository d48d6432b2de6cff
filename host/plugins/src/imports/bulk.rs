//! `abx:host/bulk`: bodies of the plugin's own requests and answers.

use abxd_body::{JsonObject, ReadError, UnreadBody, read_form, read_json};
use wasmtime::component::Resource;

use crate::bindings::abx::host::bulk;
use crate::bindings::abx::host::failures::Failure;
use crate::exchange::{Event, EventStream, Source, Upload};
use crate::instance::State;

impl bulk::HostSource for State {
    fn size(&mut self, source: Resource<Source>) -> wasmtime::Result<Option<u64>> {
        Ok(Some(self.table.get(&source)?.len()))
    }

    fn narrow(&mut self, source: Resource<Source>, offset: u64, length: u64) -> wasmtime::Result<()> {
        self.table.get_mut(&source)?.narrow(offset, length);
        Ok(())
    }

    async fn drop(&mut self, source: Resource<Source>) -> wasmtime::Result<()> {
        self.table.delete(source)?;
        Ok(())
    }
}

impl bulk::HostEventStream for State {
    async fn drop(&mut self, events: Resource<EventStream>) -> wasmtime::Result<()> {
        self.table.delete(events)?;
        Ok(())
    }
}

impl bulk::HostUpload for State {
    fn size(&mut self, upload: Resource<Upload>) -> wasmtime::Result<Option<u64>> {
        Ok(Some(self.table.get(&upload)?.size()))
    }

    async fn drop(&mut self, upload: Resource<Upload>) -> wasmtime::Result<()> {
        self.table.delete(upload)?;
        Ok(())
    }
}

impl State {
    /// A body to read. A value that was set aside from one has been read.
    fn unread(&mut self, body: Resource<Upload>) -> wasmtime::Result<Result<UnreadBody, Failure>> {
        Ok(match self.table.delete(body)? {
            Upload::Unread(unread) => Ok(unread),
            Upload::Aside(_) => Err(Failure::Malformed("this value is not a request body".to_owned())),
        })
    }
}

impl bulk::Host for State {
    fn events(&mut self, events: Vec<bulk::Event>) -> wasmtime::Result<Resource<EventStream>> {
        let events = events.into_iter().map(|event| Ok(Event::new(event.name, event.data)));
        Ok(self.table.push(EventStream::new(futures_util::stream::iter(events)))?)
    }

    async fn read_json(
        &mut self,
        body: Resource<Upload>,
        aside: Option<String>,
    ) -> wasmtime::Result<Result<bulk::JsonObject, Failure>> {
        let _wait = self.waits.begin();
        let body = match self.unread(body)? {
            Ok(body) if body.size() == 0 => return Ok(Ok(bulk::JsonObject { text: b"{}".to_vec(), bulk: None })),
            Ok(body) => body,
            Err(failure) => return Ok(Err(failure)),
        };
        let endpoint = self.call()?.endpoint.clone();
        match read_json(body, aside.as_deref(), &endpoint.spool).await {
            Ok(JsonObject { text, aside }) => {
                let bulk = aside.map(|aside| self.table.push(Upload::Aside(aside))).transpose()?;
                Ok(Ok(bulk::JsonObject { text, bulk }))
            }
            Err(error) => Ok(Err(match &error {
                ReadError::Content(fault) => endpoint.denial_of(fault).map(Failure::from),
                ReadError::Body(_) | ReadError::Interrupted => None,
            }
            .unwrap_or_else(|| error.into()))),
        }
    }

    async fn read_form(
        &mut self,
        body: Resource<Upload>,
        content_type: String,
        files: Vec<String>,
    ) -> wasmtime::Result<Result<bulk::Form, Failure>> {
        let _wait = self.waits.begin();
        let body = match self.unread(body)? {
            Ok(body) => body,
            Err(failure) => return Ok(Err(failure)),
        };
        match read_form(body, &content_type, &files, &self.call()?.endpoint.spool.clone()).await {
            Ok(form) => {
                let mut files = Vec::with_capacity(form.files.len());
                for file in form.files {
                    let content = self.table.push(Upload::Aside(file.content))?;
                    files.push(bulk::FormFile { name: file.name, filename: file.filename, content });
                }
                Ok(Ok(bulk::Form { fields: form.fields, files }))
            }
            Err(error) => Ok(Err(error.into())),
        }
    }
}
