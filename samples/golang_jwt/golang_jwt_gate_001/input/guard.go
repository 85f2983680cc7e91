package main

import (
	"context"
	"net/http"
)

// Guard lets a request through to `next` if its token is good and has the scope that its method
// needs. Everything else is answered here, with the header
//
//	WWW-Authenticate: Bearer error="CODE", error_description="REASON"
//
// and the body {"error": "REASON"}:
//
//	401 invalid_token       token missing: no header `Authorization: Bearer TOKEN` (the word Bearer
//	                        in any case)
//	401 invalid_token       token expired: its signature is right, but its time is over
//	401 invalid_token       token not active: the same, but it is not valid yet
//	401 invalid_token       token refused: whatever else is wrong with it
//	403 insufficient_scope  scope NAME needed
//
// A method without a scope is answered with 405 and {"error": "method not allowed"}, whatever the
// token, and without WWW-Authenticate.
func Guard(keys *Keys, scopes map[string]string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "not implemented", http.StatusNotImplemented)
	})
}

// Caller is the subject of the token of a request that came through the guard.
func Caller(ctx context.Context) string {
	return ""
}
