//! Domain `Emulation`.

use super::Nothing;
use crate::cdp::command::commands;

commands! {
    /// The size of the view and of the screen, in CSS pixels.
    SetDeviceMetricsOverride = "Emulation.setDeviceMetricsOverride" -> Nothing {
        width: u32,
        height: u32,
        screen_width: u32,
        screen_height: u32,
        device_scale_factor: f64,
        mobile: bool,
    }

    /// Keeps a page focused and visible for itself, whatever else is open.
    SetFocusEmulationEnabled = "Emulation.setFocusEmulationEnabled" -> Nothing { enabled: bool }

    /// The language of formats.
    SetLocaleOverride = "Emulation.setLocaleOverride" -> Nothing { locale: &'static str }
}
