//! Clicking an element (`contract: browser`, click).

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::state::Look;
use super::{Limit, Page};
use crate::cdp::protocol::input::DispatchMouseEvent;
use crate::cdp::protocol::runtime::Evaluate;
use crate::failure::Failure;

/// A point of the view, in CSS pixels.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Point {
    x: f64,
    y: f64,
}

impl Page {
    /// Clicks the first element that matches, once it can be clicked; then waits for the navigation that this began, if
    /// any, to commit.
    ///
    /// # Errors
    /// [`Failure::TimedOut`] with what stood in the way, [`Failure::Unfit`] for a bad selector, [`Failure::Closed`].
    pub(crate) async fn click(&self, selector: &str, time: Duration) -> Result<(), Failure> {
        let limit = Limit::of(time);
        let point = self.aim(selector, limit).await?;
        let begun = self.state.look(|facts| facts.begun);
        self.is_held.store(true, Ordering::Relaxed);
        self.mouse(limit, "mousePressed", point).await?;
        self.release(limit, point).await?;
        self.commit_of(begun, limit).await
    }

    /// Moves the mouse onto an element.
    async fn aim(&self, selector: &str, limit: Limit) -> Result<Point, Failure> {
        let what = format!("{selector} to be clickable");
        loop {
            let aimed = self.ask(limit, &what, "aim", &[json!(selector), json!(limit.left())]).await?;
            let point: Point = serde_json::from_value(aimed.clone()).map_err(|e| Failure::Script(e.to_string()))?;
            self.mouse(limit, "mouseMoved", point).await?;
            // That the mouse is there may have changed the page.
            if self.ask(limit, &what, "isAimed", &[aimed]).await? == Value::Bool(true) {
                return Ok(point);
            }
        }
    }

    /// Waits until a navigation that began after the `begun`th one has its document, or has failed.
    async fn commit_of(&self, begun: u64, limit: Limit) -> Result<(), Failure> {
        // Whatever the click did at once has been told of when a question that came after it is answered. While a document
        // is on its way, questions are not.
        let nothing = async {
            let Some(world) = self.state.look(|facts| facts.own_world.clone()) else { return };
            let nothing = Evaluate {
                expression: "0",
                world: &world,
                return_by_value: true,
                await_promise: false,
                user_gesture: false,
                timeout: None,
            };
            let _ = self.call(limit, "the click", &nothing).await;
        };
        let another = self.state.until(limit.end, |facts| match facts.begun > begun {
            true => Look::Found(()),
            false => Look::Later,
        });
        tokio::select! {
            () = nothing => {}
            _ = another => {}
        }
        let what = "the page that the click led to";
        let settled = self.state.until(limit.end, |facts| match facts.begun > begun && facts.is_navigating {
            true => Look::Later,
            false => Look::Found(()),
        });
        settled.await.map_err(|vain| limit.vain(vain, what))
    }

    async fn release(&self, limit: Limit, point: Point) -> Result<(), Failure> {
        self.mouse(limit, "mouseReleased", point).await?;
        self.is_held.store(false, Ordering::Relaxed);
        Ok(())
    }

    /// The button goes up, if a call that was given up has left it down.
    pub(super) async fn let_go(&self, limit: Limit) {
        if self.is_held.load(Ordering::Relaxed) {
            let _ = self.release(limit, Point { x: -1.0, y: -1.0 }).await;
        }
    }

    async fn mouse(&self, limit: Limit, kind: &'static str, Point { x, y }: Point) -> Result<(), Failure> {
        let is_move = kind == "mouseMoved";
        let event = DispatchMouseEvent {
            kind,
            x,
            y,
            button: if is_move { "none" } else { "left" },
            buttons: u8::from(kind == "mousePressed"),
            click_count: u8::from(!is_move),
        };
        self.call(limit, "the page to take the mouse", &event).await?;
        Ok(())
    }
}
