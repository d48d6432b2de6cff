//! `browser_screenshot`: the page or one element as an image. Contract: browser, screenshot.

use abx_sdk::browser::{self, ImageFormat, ScreenshotOptions};
use abx_sdk::json::Bulky;
use abx_sdk::{Fault, Member, Problem, Request, Response};

use crate::arguments::flag;
use crate::problem::problem;

pub(crate) fn screenshot(request: &Request) -> Result<Response, Problem> {
    let [selector, full_page, format] = request.members(["selector", "full_page", "format"])?;
    let selector = match selector.filter(|member| member.is_truthy()).map(Member::text) {
        Some(None) => {
            // The browser's own client finds this out.
            browser::ready().map_err(problem)?;
            return Err(Fault::new(500, "ValidationError", "selector must be a string").into());
        }
        selector => selector.flatten(),
    };
    let options = ScreenshotOptions {
        selector: selector.map(Into::into),
        full_page: flag(full_page, true),
        format: self::format(format),
    };
    let picture = browser::screenshot(&options).map_err(problem)?;
    let mut answer = Bulky::new(64);
    answer.base64("image_base64", picture.image);
    answer.members(|answer| {
        answer.integer("width", truncated(picture.width));
        answer.integer("height", truncated(picture.height));
    });
    Ok(Response::segments(answer.finish()))
}

/// Anything that is not `jpeg` in any case is a PNG.
fn format(member: Option<Member<'_>>) -> ImageFormat {
    let is_jpeg = member.and_then(Member::text).is_some_and(|text| text.eq_ignore_ascii_case("jpeg"));
    if is_jpeg { ImageFormat::Jpeg } else { ImageFormat::Png }
}

#[expect(clippy::cast_possible_truncation, reason = "the fraction is to be cut")]
fn truncated(pixels: f64) -> i64 {
    pixels as i64
}

#[cfg(test)]
mod tests {
    use super::{format, truncated};
    use abx_sdk::browser::ImageFormat;
    use abx_sdk::members;

    #[test]
    fn only_jpeg_is_no_png() {
        for (value, expected) in [
            (r#""jpeg""#, ImageFormat::Jpeg),
            (r#""JPEG""#, ImageFormat::Jpeg),
            (r#""jpg""#, ImageFormat::Png),
            (r#""webp""#, ImageFormat::Png),
            (r#""png""#, ImageFormat::Png),
            ("null", ImageFormat::Png),
            ("[]", ImageFormat::Png),
        ] {
            let text = format!(r#"{{"f":{value}}}"#);
            let [member] = members(text.as_bytes(), ["f"]).unwrap();
            assert_eq!(format(member), expected, "{value}");
        }
        assert_eq!(format(None), ImageFormat::Png);
    }

    #[test]
    fn a_box_is_truncated() {
        assert_eq!((truncated(1264.0), truncated(38.9), truncated(0.5)), (1264, 38, 0));
    }
}
