//! What other processes tell the server, and the small requests that clients make beside the real ones.
//!
//! `POST /_loopback/script` adds a list of exchanges, `DELETE /_loopback/script` forgets script and
//! requests, `POST /_loopback/batches` says what becomes of batches, `GET /_loopback/requests` shows what came, `GET /_loopback/state` the connections.

use serde_json::json;

use super::batch::BatchScript;
use super::exchange::Exchange;
use super::play::Answer;
use super::server::{Recorded, State};

pub(super) fn answer(state: &State, request: &Recorded) -> Option<Answer> {
    let path = request.path.strip_prefix("/_loopback/")?;
    Some(match (request.method.as_str(), path) {
        ("POST", "script") => match serde_json::from_slice::<Vec<Exchange>>(&request.bytes) {
            Ok(exchanges) => {
                let count = exchanges.len();
                state.script(exchanges);
                Answer::json(200, &json!({"scripted": count}))
            }
            Err(error) => Answer::json(400, &json!({"error": error.to_string()})),
        },
        ("DELETE", "script") => {
            state.reset();
            Answer::json(200, &json!({}))
        }
        ("POST", "batches") => match serde_json::from_slice::<BatchScript>(&request.bytes) {
            Ok(script) => {
                state.batches().script = script;
                Answer::json(200, &json!({}))
            }
            Err(error) => Answer::json(400, &json!({"error": error.to_string()})),
        },
        ("GET", "requests") => Answer::json(200, &json!(state.seen().0)),
        ("GET", "state") => {
            let (requests, open, abandoned) = state.seen();
            Answer::json(200, &json!({"requests": requests.len(), "open": open, "abandoned": abandoned}))
        }
        _ => Answer::json(404, &json!({"error": "there is no such command"})),
    })
}

/// Requests for something else than a reply.
pub(super) fn beside(request: &Recorded) -> Answer {
    let path = request.path.as_str();
    if path.ends_with("/messages/count_tokens") {
        return Answer::json(200, &json!({"input_tokens": request.bytes.len() / 4}));
    }
    if path.ends_with("/models") {
        let models: Vec<_> = ["loopback-1", "loopback-2"]
            .into_iter()
            .map(|id| json!({"id": id, "object": "model", "created": 1_790_000_000, "owned_by": "loopback"}))
            .collect();
        return Answer::json(200, &json!({"object": "list", "data": models}));
    }
    match path {
        "/api/version" => Answer::json(200, &json!({"version": "0.23.4"})),
        "/api/tags" => Answer::json(200, &json!({"models": []})),
        "/" => Answer::whole(200, "text/plain", ""),
        _ => Answer::json(
            404,
            &json!({"error": {"message": format!("Invalid URL ({} {path})", request.method), "type": "invalid_request_error", "param": null, "code": null}}),
        ),
    }
}
