// Package tokens issues and verifies access tokens.
package tokens

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

var (
	ErrExpired = errors.New("tokens: the token has expired")
	ErrInvalid = errors.New("tokens: the token is not valid")
	ErrScope   = errors.New("tokens: the scope is missing")
)

// Authority issues tokens in its name, and verifies them.
type Authority struct {
	Name     string
	Secret   []byte
	Lifetime time.Duration
}

// Identity is what a verified token says.
type Identity struct {
	Subject string
	Scopes  []string
}

func (a Authority) Issue(subject string, scopes []string, now time.Time) (string, error) {
	if subject == "" {
		return "", ErrInvalid
	}
	claims := jwt.MapClaims{
		"iss":   a.Name,
		"sub":   subject,
		"iat":   now.Unix(),
		"exp":   now.Add(a.Lifetime).Unix(),
		"scope": strings.Join(scopes, " "),
	}
	return jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString(a.Secret)
}

func (a Authority) Verify(text string, now time.Time) (Identity, error) {
	claims := jwt.MapClaims{}
	parser := jwt.NewParser(jwt.WithoutClaimsValidation(), jwt.WithValidMethods([]string{"HS256"}))
	if _, err := parser.ParseWithClaims(text, claims, a.key); err != nil {
		return Identity{}, errors.Join(ErrInvalid, err)
	}
	issuer, _ := claims["iss"].(string)
	subject, _ := claims["sub"].(string)
	scope, _ := claims["scope"].(string)
	end, err := claims.GetExpirationTime()
	if err != nil || end == nil || issuer != a.Name || subject == "" {
		return Identity{}, ErrInvalid
	}
	if now.After(end.Add(30 * time.Second)) {
		return Identity{}, ErrExpired
	}
	return Identity{Subject: subject, Scopes: strings.Fields(scope)}, nil
}

func (a Authority) key(*jwt.Token) (any, error) { return a.Secret, nil }

func (i Identity) Require(scope string) error {
	if slices.Contains(i.Scopes, scope) {
		return nil
	}
	return ErrScope
}
