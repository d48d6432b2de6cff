//! A real browser, on pages that are served here. Chromium has to be installed.

mod clicks;
mod consoles;
mod dialogs;
mod documents;
mod evaluation;
mod guard;
mod images;
mod life;
mod navigation;
mod rig;
mod selectors;
mod site;
mod typing;
