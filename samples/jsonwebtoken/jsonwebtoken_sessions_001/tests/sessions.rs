use std::time::{SystemTime, UNIX_EPOCH};

use expected::{Session, Sessions, TokenError};
use jsonwebtoken::{
    decode, decode_header, encode, Algorithm, DecodingKey, EncodingKey, Header, Validation,
};
use serde_json::{json, Value};

const SECRET: &[u8] = b"first secret of at least thirty-two bytes";
const OTHER: &[u8] = b"second secret of at least thirty-two bytes";

fn sessions() -> Sessions {
    let mut sessions = Sessions::new("https://id.example", "shop");
    sessions.add_key("k1", SECRET);
    sessions
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

/// Good claims, for tests to spoil.
fn claims() -> Value {
    json!({"iss": "https://id.example", "aud": "shop", "sub": "ada", "exp": now() + 60, "scope": "read"})
}

fn signed(algorithm: Algorithm, kid: Option<&str>, claims: &Value, secret: &[u8]) -> String {
    let header = Header { kid: kid.map(str::to_string), ..Header::new(algorithm) };
    encode(&header, claims, &EncodingKey::from_secret(secret)).unwrap()
}

fn verified(claims: &Value) -> Result<Session, TokenError> {
    sessions().verify(&signed(Algorithm::HS256, Some("k1"), claims, SECRET))
}

fn without(name: &str) -> Value {
    let mut claims = claims();
    claims.as_object_mut().unwrap().remove(name);
    claims
}

fn with(name: &str, value: Value) -> Value {
    let mut claims = claims();
    claims[name] = value;
    claims
}

fn is_invalid(result: Result<Session, TokenError>) -> bool {
    matches!(result, Err(TokenError::Invalid))
}

#[test]
fn a_token_carries_what_others_need_to_check_it() {
    let token: String = sessions().issue("ada", &["read", "write"], 90).unwrap();
    let mut validation = Validation::new(Algorithm::HS256);
    validation.set_audience(&["shop"]);
    validation.set_issuer(&["https://id.example"]);
    let key = DecodingKey::from_secret(SECRET);
    let claims: Value = decode::<Value>(&token, &key, &validation).unwrap().claims;
    let kid: Option<String> = decode_header(&token).unwrap().kid;
    let lifetime = claims["exp"].as_u64().unwrap() - claims["iat"].as_u64().unwrap();
    assert_eq!(kid, Some("k1".to_string()));
    assert_eq!(claims["scope"].as_str(), Some("read write"));
    assert_eq!(lifetime, 90);
    assert!(now() - claims["iat"].as_u64().unwrap() < 30);
}

#[test]
fn an_issued_token_verifies() {
    let sessions = sessions();
    let token: String = sessions.issue("ada", &["read", "write"], 60).unwrap();
    let session: Session = sessions.verify(&token).unwrap();
    let subject: String = session.subject;
    let scopes: Vec<String> = session.scopes;
    assert_eq!(subject, "ada");
    assert_eq!(scopes, vec!["read".to_string(), "write".to_string()]);
}

#[test]
fn an_expired_token_is_told_apart() {
    let expired: bool = matches!(verified(&with("exp", json!(now() - 1))), Err(TokenError::Expired));
    assert!(expired, "no leeway");
    let forged = signed(Algorithm::HS256, Some("k1"), &with("exp", json!(now() - 5)), OTHER);
    assert!(is_invalid(sessions().verify(&forged)));
}

#[test]
fn issuer_and_audience_must_be_ours() {
    let issuer: bool = is_invalid(verified(&with("iss", json!("https://other.example"))));
    let audience: bool = is_invalid(verified(&with("aud", json!("bank"))));
    let good: bool = verified(&claims()).is_ok();
    assert_eq!((issuer, audience, good), (true, true, true));
}

#[test]
fn no_claim_may_be_missing_but_the_scope() {
    let missing: Vec<bool> =
        ["exp", "sub", "iss", "aud"].iter().map(|name| is_invalid(verified(&without(name)))).collect();
    let scopes: Vec<String> = verified(&without("scope")).unwrap().scopes;
    assert_eq!(missing, vec![true; 4]);
    assert_eq!(scopes, Vec::<String>::new());
}

#[test]
fn other_algorithms_and_unsigned_tokens_are_invalid() {
    let sessions = sessions();
    let stronger = signed(Algorithm::HS512, Some("k1"), &claims(), SECRET);
    // {"alg":"none","kid":"k1"} and the claims of a good token, without a signature
    let good = signed(Algorithm::HS256, Some("k1"), &claims(), SECRET);
    let body: &str = good.split('.').nth(1).unwrap();
    let unsigned = format!("eyJhbGciOiJub25lIiwia2lkIjoiazEifQ.{body}.");
    assert!(is_invalid(sessions.verify(&stronger)));
    assert!(is_invalid(sessions.verify(&unsigned)));
    assert!(is_invalid(sessions.verify("not a token")));
}

#[test]
fn old_keys_verify_until_they_are_retired() {
    let mut sessions = sessions();
    let old: String = sessions.issue("ada", &[], 60).unwrap();
    sessions.add_key("k2", OTHER);
    let new: String = sessions.issue("ada", &[], 60).unwrap();
    let kid: Option<String> = decode_header(&new).unwrap().kid;
    assert_eq!(kid, Some("k2".to_string()));
    let both: bool = sessions.verify(&old).is_ok() && sessions.verify(&new).is_ok();
    assert!(both);
    sessions.retire_key("k1");
    assert!(is_invalid(sessions.verify(&old)));
    assert!(sessions.verify(&new).is_ok());
}

#[test]
fn the_key_is_found_by_its_id_alone() {
    let mut sessions = sessions();
    sessions.add_key("k2", OTHER);
    let swapped = signed(Algorithm::HS256, Some("k2"), &claims(), SECRET);
    let unnamed = signed(Algorithm::HS256, None, &claims(), SECRET);
    let without_keys: bool = Sessions::new("a", "b").issue("ada", &[], 60).is_err();
    assert!(is_invalid(sessions.verify(&swapped)));
    assert!(is_invalid(sessions.verify(&unnamed)));
    assert!(without_keys);
}

#[test]
fn a_scope_is_a_whole_word() {
    let sessions = sessions();
    let token: String = sessions.issue("ada", &["orders:read", "write"], 60).unwrap();
    let held: bool = sessions.require(&token, "write").is_ok();
    let part: bool = matches!(sessions.require(&token, "orders"), Err(TokenError::Forbidden));
    let invalid: bool = is_invalid(sessions.require("not a token", "write"));
    assert_eq!((held, part, invalid), (true, true, true));
}
