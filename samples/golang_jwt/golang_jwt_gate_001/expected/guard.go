package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

type callerKey struct{}

// Guard lets a request through to `next` if its token is good and has the scope that its method
// needs.
func Guard(keys *Keys, scopes map[string]string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scope, ok := scopes[r.Method]
		if !ok {
			reply(w, http.StatusMethodNotAllowed, map[string]any{"error": "method not allowed"})
			return
		}
		scheme, text, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") || text == "" {
			refuse(w, http.StatusUnauthorized, "invalid_token", "token missing")
			return
		}
		told, err := parse(text, keys)
		if err != nil {
			refuse(w, http.StatusUnauthorized, "invalid_token", err.Error())
			return
		}
		if !told.has(scope) {
			refuse(w, http.StatusForbidden, "insufficient_scope", fmt.Sprintf("scope %s needed", scope))
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, told.Subject)))
	})
}

// Caller is the subject of the token of a request that came through the guard.
func Caller(ctx context.Context) string {
	return ctx.Value(callerKey{}).(string)
}

func refuse(w http.ResponseWriter, status int, code, reason string) {
	header := fmt.Sprintf("Bearer error=%q, error_description=%q", code, reason)
	w.Header().Set("WWW-Authenticate", header)
	reply(w, status, map[string]any{"error": reason})
}
