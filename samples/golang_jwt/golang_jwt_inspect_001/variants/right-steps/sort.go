package main

import (
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Sort looks at one thing after the other.
func Sort(text string, secret []byte, audience string) (string, string) {
	parser := jwt.NewParser(jwt.WithoutClaimsValidation())
	unverified, _, err := parser.ParseUnverified(text, &jwt.RegisteredClaims{})
	if err != nil && (unverified == nil || unverified.Method == nil || unverified.Method.Alg() == "") {
		return "broken", ""
	}
	if unverified.Method.Alg() != jwt.SigningMethodHS256.Alg() {
		return "foreign", ""
	}
	claims := &jwt.RegisteredClaims{}
	if _, err := parser.ParseWithClaims(text, claims, func(*jwt.Token) (any, error) { return secret, nil }); err != nil {
		return "forged", ""
	}
	now := time.Now()
	if claims.ExpiresAt != nil && !now.Before(claims.ExpiresAt.Time) {
		return "expired", ""
	}
	if claims.NotBefore != nil && now.Before(claims.NotBefore.Time) {
		return "early", ""
	}
	for _, one := range claims.Audience {
		if one == audience {
			if claims.Subject == "" {
				return "ok", "-"
			}
			return "ok", claims.Subject
		}
	}
	return "elsewhere", ""
}
