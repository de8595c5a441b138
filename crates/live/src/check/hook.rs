//! What panics of threads under control say is kept, not printed.

use crate::failure::payload_text;
use crate::runtime::control;
use std::sync::Once;

static INSTALLED: Once = Once::new();

/// Puts a hook before the one that is there.
pub(super) fn install() {
    INSTALLED.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let place = info.location().map_or_else(String::new, |place| format!(" at {place}"));
            let text = format!("{}{place}", payload_text(info.payload()));
            if control::try_with(|control| control.panicked(text)).is_none() {
                before(info);
            }
        }));
    });
}
