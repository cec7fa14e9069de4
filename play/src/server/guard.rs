//! Refusals of requests that a page of this server never sends: pure functions of the head of a request.
//!
//! A page of another site can make a browser send requests here, also under a name that it lets point to this machine
//! (DNS rebinding). `Host`, `Origin` and `Sec-Fetch-Site` tell them apart, since no script can set them.

use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HOST, ORIGIN};
use http::request::Parts;
use http::{HeaderMap, Method, StatusCode};

/// Most bytes of the body of a request.
pub const BODY: usize = 64 * 1024;
/// Name of the header with the token of a seat.
pub const TOKEN: &str = "caesar-token";

/// A refusal: the status, and a sentence.
pub type Refusal = (StatusCode, &'static str);

/// A request to a path that exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Route {
    /// The page.
    Page,
    /// The stream of moments.
    Events,
    /// Words for the draft.
    Words,
    /// Taking back.
    Undo,
    /// Making the draft final.
    Done,
    /// A hint.
    Hint,
    /// The odds of options.
    Odds,
}

impl Route {
    /// Returns the route of a request.
    ///
    /// # Errors
    /// If there is no such path, or it has another method.
    pub fn of(method: &Method, path: &str) -> Result<Self, Refusal> {
        let (route, due) = match path {
            "/" => (Self::Page, Method::GET),
            "/events" => (Self::Events, Method::GET),
            "/words" => (Self::Words, Method::POST),
            "/undo" => (Self::Undo, Method::POST),
            "/done" => (Self::Done, Method::POST),
            "/hint" => (Self::Hint, Method::POST),
            "/odds" => (Self::Odds, Method::POST),
            _ => return Err((StatusCode::NOT_FOUND, "there is no such path")),
        };
        match *method == due {
            true => Ok(route),
            false => Err((StatusCode::METHOD_NOT_ALLOWED, "the path has another method")),
        }
    }
}

/// Returns the value of a header that stands there once; `None` if it is missing, and an error if it stands there twice.
fn only<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a [u8]>, Refusal> {
    let mut values = headers.get_all(name).iter();
    let first = values.next().map(http::HeaderValue::as_bytes);
    match values.next() {
        None => Ok(first),
        Some(_) => Err((StatusCode::BAD_REQUEST, "a header stands there twice")),
    }
}

/// Returns the route of a request to the server at `port`.
///
/// # Errors
/// If it comes from elsewhere, leads nowhere, or announces a body that is not accepted.
pub fn route(head: &Parts, port: u16) -> Result<Route, Refusal> {
    const FOREIGN: Refusal = (StatusCode::FORBIDDEN, "the request comes from another site");
    let headers = &head.headers;
    let host = only(headers, HOST.as_str())?.ok_or(FOREIGN)?;
    let names = ["127.0.0.1", "localhost", "[::1]"];
    let own = names.map(|name| format!("{name}:{port}"));
    let host = own.iter().find(|own| own.as_bytes() == host).ok_or(FOREIGN)?;
    let origin = only(headers, ORIGIN.as_str())?;
    let site = only(headers, "sec-fetch-site")?;
    let is_own = head.uri.authority().is_none()
        && origin.is_none_or(|origin| origin == format!("http://{host}").as_bytes())
        // "none" is an address that a person has typed.
        && site.is_none_or(|site| [&b"same-origin"[..], b"none"].contains(&site));
    if !is_own {
        return Err(FOREIGN);
    }
    let route = Route::of(&head.method, head.uri.path())?;
    if head.method == Method::POST {
        let kind = only(headers, CONTENT_TYPE.as_str())?.unwrap_or_default();
        let kind = kind.split(|&byte| byte == b';').next().unwrap_or_default();
        if !kind.trim_ascii().eq_ignore_ascii_case(b"application/json") {
            return Err((
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the body has to be application/json",
            ));
        }
        let length = only(headers, CONTENT_LENGTH.as_str())?.map(<[u8]>::to_vec);
        let length = length.and_then(|length| String::from_utf8(length).ok()?.parse().ok());
        if length.is_some_and(|length: u64| length > BODY as u64) {
            return Err((StatusCode::PAYLOAD_TOO_LARGE, "the body is longer than 64 KiB"));
        }
    }
    Ok(route)
}

/// Returns the token that a request brings.
///
/// # Errors
/// If there is none, or two.
pub fn token(headers: &HeaderMap) -> Result<&[u8], Refusal> {
    only(headers, TOKEN)?.ok_or((StatusCode::FORBIDDEN, "the token of the seat is missing"))
}
