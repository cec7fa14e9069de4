//! Connections: one request each, with limits of time and size, and the answers.

use std::convert::Infallible;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body_util::channel::Channel;
use http_body_util::{BodyExt, Either, Full, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::{Value as Json, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore, oneshot};
use tokio::time::{Instant, sleep, timeout_at};

use super::game::{Order, Wish};
use super::guard::{self, BODY, Refusal, Route};
use super::news::{Chair, taken};

/// Most connections at once.
pub(super) const MOST: u32 = 32;
/// Most bytes of the head of a request.
const HEAD: usize = 8 * 1024;
/// Longest time for a whole request, however it drips, and for taking an answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// The body of an answer: a whole one, or a stream.
type Body = Either<Full<Bytes>, Channel<Bytes>>;

/// The public side of a hosted game.
#[derive(Debug)]
pub(super) struct Door {
    port: u16,
    chairs: Arc<[Chair]>,
    orders: mpsc::Sender<Order>,
    /// A place for each connection.
    pub(super) places: Arc<Semaphore>,
    page: Bytes,
    /// The board without pieces.
    board: Arc<str>,
    policy: HeaderValue,
}

impl Door {
    pub(super) fn new(
        port: u16,
        chairs: Arc<[Chair]>,
        orders: mpsc::Sender<Order>,
        board: String,
    ) -> Self {
        let policy = HeaderValue::try_from(draw::play::page_policy());
        Self {
            port,
            chairs,
            orders,
            places: Arc::new(Semaphore::new(MOST as usize)),
            page: draw::play::page().into(),
            board: board.into(),
            policy: policy.expect("a policy is plain text"),
        }
    }

    /// Accepts connections as long as there is a place for one more.
    pub(super) async fn accept(self: Arc<Self>, listener: TcpListener) {
        while let Ok(place) = Arc::clone(&self.places).acquire_owned().await {
            match listener.accept().await {
                Ok((stream, _)) => {
                    let door = Arc::clone(&self);
                    tokio::spawn(async move {
                        door.attend(stream).await;
                        drop(place);
                    });
                }
                // The system has no descriptors left.
                Err(_) => sleep(Duration::from_millis(100)).await,
            }
        }
    }

    /// Answers the request of a connection.
    async fn attend(self: Arc<Self>, stream: TcpStream) {
        let until = Instant::now() + PATIENCE;
        let is_answered = Arc::new(Notify::new());
        let answered = Arc::clone(&is_answered);
        let service = service_fn(move |request| {
            let (door, answered) = (Arc::clone(&self), Arc::clone(&answered));
            async move {
                let response = door.answer(request, until).await;
                // A stream lasts as long as its page.
                if matches!(response.body(), Either::Left(_)) {
                    answered.notify_one();
                }
                Ok::<_, Infallible>(response)
            }
        });
        // A moment is not kept back until the page has confirmed the one before.
        drop(stream.set_nodelay(true));
        let connection = http1::Builder::new()
            .keep_alive(false)
            .max_buf_size(HEAD)
            .max_header_size(HEAD)
            .timer(TokioTimer::new())
            .header_read_timeout(PATIENCE)
            .serve_connection(TokioIo::new(stream), service);
        let taken = async {
            is_answered.notified().await;
            sleep(PATIENCE).await;
        };
        tokio::select! {
            // Nobody is left to hear of an error of the connection.
            ended = connection => drop(ended),
            () = taken => {}
        }
    }

    async fn answer(&self, request: Request<Incoming>, until: Instant) -> Response<Body> {
        let mut response = match self.granted(request, until).await {
            Ok(response) => response,
            Err((status, sentence)) => said(status, &json!({ "error": sentence })),
        };
        let headers = response.headers_mut();
        let mut set = |name, value| drop(headers.insert(name, HeaderValue::from_static(value)));
        set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
        set(header::CACHE_CONTROL, "no-store");
        set(header::REFERRER_POLICY, "no-referrer");
        set(header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
        set(header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
        headers.insert(header::CONTENT_SECURITY_POLICY, self.policy.clone());
        response
    }

    async fn granted(
        &self,
        request: Request<Incoming>,
        until: Instant,
    ) -> Result<Response<Body>, Refusal> {
        let (head, body) = request.into_parts();
        let route = guard::route(&head, self.port)?;
        if route == Route::Page {
            return Ok(response(StatusCode::OK, "text/html; charset=utf-8", self.page.clone()));
        }
        let token = guard::token(&head.headers)?;
        let chair = self.chairs.iter().find(|chair| chair.token.is(token));
        let chair = chair.ok_or((StatusCode::FORBIDDEN, "the token is that of no seat"))?;
        if route == Route::Events {
            return Ok(stream(chair, Arc::clone(&self.board)));
        }
        let body = read(body, until).await?;
        let bad = (StatusCode::BAD_REQUEST, "the body is not as the page sends it");
        let body: Json = serde_json::from_slice(&body).map_err(|_| bad)?;
        let wish = Wish::of(route, &body).ok_or(bad)?;
        let moment = body["moment"].as_u64().ok_or(bad)?;
        if body["page"].as_u64().is_some_and(|page| page != chair.page()) {
            return Err((StatusCode::CONFLICT, "another window shows this seat now"));
        }
        let (reply, replied) = oneshot::channel();
        let order = Order { seat: chair.seat, moment, wish, reply };
        let newest = chair.moment();
        if newest.number != moment || newest.fields["state"] != "asks" {
            let (status, json) = super::game::stale(newest.number);
            return Ok(said(status, &json));
        }
        let over = (StatusCode::CONFLICT, "the game is over");
        self.orders.send(order).map_err(|_| over)?;
        let (status, json) = replied.await.map_err(|_| over)?;
        Ok(said(status, &json))
    }
}

/// Reads a body within its limits.
async fn read(body: Incoming, until: Instant) -> Result<Bytes, Refusal> {
    match timeout_at(until, Limited::new(body, BODY).collect()).await {
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "the request took longer than 5 seconds")),
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(e)) if e.is::<LengthLimitError>() => {
            Err((StatusCode::PAYLOAD_TOO_LARGE, "the body is longer than 64 KiB"))
        }
        Ok(Err(_)) => Err((StatusCode::BAD_REQUEST, "the body cannot be read")),
    }
}

fn response(status: StatusCode, kind: &'static str, body: Bytes) -> Response<Body> {
    let mut response = Response::new(Either::Left(Full::new(body)));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

fn said(status: StatusCode, json: &Json) -> Response<Body> {
    response(status, "application/json", json.to_string().into())
}

/// Begins the stream of moments of a seat, which takes over from an older one. The first one has the board.
fn stream(chair: &Chair, board: Arc<str>) -> Response<Body> {
    let mut board = Some(board);
    let (mut sender, body) = Channel::new(1);
    let own = chair.take_over();
    let mut news = chair.news.subscribe();
    tokio::spawn(async move {
        let (mut last, mut told) = (0, 0);
        loop {
            let now = news.borrow_and_update().clone();
            let is_taken = now.page != own;
            if is_taken || now.moment.number != last {
                let data =
                    if is_taken { taken() } else { now.moment.message(own, told, board.take()) };
                let sent = sender.send_data(format!("data: {data}\n\n").into()).await;
                if is_taken || sent.is_err() || now.moment.is_last() {
                    return;
                }
                (last, told) = (now.moment.number, now.moment.log.len());
            }
            if news.changed().await.is_err() {
                return;
            }
        }
    });
    let mut response = Response::new(Either::Right(body));
    let kind = HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
