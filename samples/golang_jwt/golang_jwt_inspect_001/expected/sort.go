package main

import (
	"errors"

	"github.com/golang-jwt/jwt/v5"
)

// Sort gives the token's word and, if that is ok, its subject.
func Sort(text string, secret []byte, audience string) (word, subject string) {
	var claims jwt.RegisteredClaims
	token, err := jwt.ParseWithClaims(text, &claims, func(*jwt.Token) (any, error) {
		return secret, nil
	}, jwt.WithValidMethods([]string{"HS256"}), jwt.WithAudience(audience))
	switch {
	case err == nil && claims.Subject == "":
		return "ok", "-"
	case err == nil:
		return "ok", claims.Subject
	case errors.Is(err, jwt.ErrTokenMalformed):
		return "broken", ""
	case token.Method.Alg() != "HS256":
		return "foreign", ""
	case errors.Is(err, jwt.ErrTokenSignatureInvalid):
		return "forged", ""
	case errors.Is(err, jwt.ErrTokenExpired):
		return "expired", ""
	case errors.Is(err, jwt.ErrTokenNotValidYet):
		return "early", ""
	}
	return "elsewhere", ""
}
