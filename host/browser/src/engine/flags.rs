//! The command line of a browser.

use std::net::SocketAddr;
use std::path::Path;

/// What a page can tell apart is what Playwright's default start has it; the rest keeps the browser quiet and small.
const ALWAYS: [&str; 37] = [
    "--headless",
    // It often runs as root in a container, where its own sandbox can't be made.
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--enable-unsafe-swiftshader",
    "--remote-debugging-pipe",
    "--no-startup-window",
    "--enable-automation",
    "--enable-blink-features=ComputedAccessibilityInfo",
    "--disable-features=AvoidCorsURLLoaderRestartOnRedirect,AvoidUnnecessaryBeforeUnloadCheckSync,\
     DestroyProfileOnBrowserClose,HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,LensOverlay,MediaRouter,\
     NetworkTimeServiceQuerying,OptimizationHints,PaintHolding,Prerender2,ThirdPartyStoragePartitioning",
    "--allow-pre-commit-input",
    "--disable-back-forward-cache",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-field-trial-config",
    "--disable-hang-monitor",
    "--disable-ipc-flooding-protection",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--disable-renderer-backgrounding",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--lang=en-US",
    "--metrics-recording-only",
    "--mute-audio",
    "--no-default-browser-check",
    "--no-first-run",
    "--password-store=basic",
];

/// Nothing goes another way than through the proxy: loopback does not, nor do UDP, the browser's own resolver and QUIC.
/// Which of the two names the rule of WebRTC's addresses has depends on the browser.
const ONE_WAY: [&str; 5] = [
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];

/// All arguments but the program's name.
pub(super) fn flags(profile: &Path, proxy: SocketAddr) -> Vec<String> {
    let fixed = ALWAYS.into_iter().chain(ONE_WAY).map(str::to_owned);
    let own = [format!("--user-data-dir={}", profile.display()), format!("--proxy-server=http://{proxy}")];
    fixed.chain(own).collect()
}
