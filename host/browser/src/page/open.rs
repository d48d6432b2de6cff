//! Opening a page, and making it what every page is at first.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::timeout;

use super::state::{Look, WORLD};
use super::{Limit, Page, State, VIEW};
use crate::cdp::protocol::{browser, emulation, log, page, runtime, target};
use crate::cdp::{CallError, Connection};
use crate::console::Console;
use crate::failure::{Failure, Unavailable};
use crate::proxy::WARM_UP;
use crate::registry::{REQUESTS, Registry, WATCHED};

/// How long it may take.
const OPENING: Duration = Duration::from_secs(30);

/// How long the first question to the proxy may take. A page is good without the answer.
const WARMING: Duration = Duration::from_secs(5);

impl Page {
    /// Opens `about:blank` in a new context.
    ///
    /// # Errors
    /// [`Failure::Closed`] when the browser goes away meanwhile; [`Unavailable::Start`].
    pub(crate) async fn open(
        connection: &Connection,
        registry: &Registry,
        console: Arc<Console>,
    ) -> Result<Self, Failure> {
        let state = Arc::new(State::new(console));
        let context = connection.call(None, &target::CreateBrowserContext {}).await.map_err(failure)?;
        let context = context.browser_context_id;
        let opened = timeout(OPENING, Self::open_in(connection, registry, &context, &state)).await;
        let trouble = match opened {
            Ok(Ok(page)) => return Ok(page),
            Ok(Err(failure)) => failure,
            Err(_) => Unavailable::Start("a page does not open".to_owned()).into(),
        };
        registry.forget(&context);
        connection.tell(None, &target::DisposeBrowserContext { browser_context_id: &context }).await;
        Err(trouble)
    }

    async fn open_in(
        connection: &Connection,
        registry: &Registry,
        context: &str,
        state: &Arc<State>,
    ) -> Result<Self, Failure> {
        let session = registry.expect(context, state);
        let deny = browser::SetDownloadBehavior { behavior: "deny", browser_context_id: context };
        let create = target::CreateTarget { url: "about:blank", browser_context_id: context };
        connection.call(None, &deny).await.map_err(failure)?;
        let attach = async {
            let session = session.await.map_err(|_| Failure::Closed)?;
            let page = Self {
                connection: connection.clone(),
                session,
                context: context.to_owned(),
                state: state.clone(),
                library: Mutex::default(),
                is_held: AtomicBool::new(false),
            };
            page.prepare().await?;
            Ok::<_, Failure>(page)
        };
        let create = async { connection.call(None, &create).await.map_err(failure) };
        let (page, _) = tokio::try_join!(attach, create)?;
        page.warm_up().await;
        Ok(page)
    }

    /// Everything that has to be so before the page's first document runs.
    async fn prepare(&self) -> Result<(), Failure> {
        let (width, height) = VIEW;
        let metrics = emulation::SetDeviceMetricsOverride {
            width,
            height,
            screen_width: width,
            screen_height: height,
            device_scale_factor: 1.0,
            mobile: false,
        };
        let world = page::AddScriptToEvaluateOnNewDocument { source: "", world_name: WORLD };
        let session = Some(&*self.session);
        self.connection.tell(session, &page::Enable {}).await;
        let tree = self.connection.call(session, &page::GetFrameTree {}).await.map_err(failure)?;
        let main = tree.frame_tree.frame;
        self.state.change(|facts| facts.opened(&main));
        let first = page::CreateIsolatedWorld { frame_id: &main.id, world_name: WORLD, grant_universal_access: true };
        self.connection.tell(session, &page::SetLifecycleEventsEnabled { enabled: true }).await;
        self.connection.tell(session, &REQUESTS).await;
        self.connection.tell(session, &runtime::Enable {}).await;
        self.connection.tell(session, &log::Enable {}).await;
        self.connection.tell(session, &WATCHED).await;
        self.connection.tell(session, &metrics).await;
        self.connection.tell(session, &emulation::SetFocusEmulationEnabled { enabled: true }).await;
        self.connection.tell(session, &emulation::SetLocaleOverride { locale: "en-US" }).await;
        self.connection.tell(session, &world).await;
        self.connection.tell(session, &first).await;
        self.connection.call(session, &runtime::RunIfWaitingForDebugger {}).await.map_err(failure)?;
        let worlds = self.state.until(Limit::of(OPENING).end, |facts| match (&facts.page_world, &facts.own_world) {
            (Some(_), Some(_)) => Look::Found(()),
            _ => Look::Later,
        });
        worlds.await.map_err(|_| Failure::Closed)
    }

    /// Asks the proxy for nothing, so that the context knows the secret.
    async fn warm_up(&self) {
        let ask = format!("fetch('{WARM_UP}', {{mode: 'no-cors'}}).then(() => 0, () => 0)");
        let limit = Limit::of(WARMING);
        if let Ok(world) = self.own_world(limit, "the first question").await {
            let ask = runtime::Evaluate {
                expression: &ask,
                world: &world,
                return_by_value: true,
                await_promise: true,
                user_gesture: false,
                timeout: None,
            };
            let _ = self.call(limit, "the first question", &ask).await;
        }
    }
}

fn failure(error: CallError) -> Failure {
    match error {
        CallError::Gone => Failure::Closed,
        other => Unavailable::Start(other.to_string()).into(),
    }
}
