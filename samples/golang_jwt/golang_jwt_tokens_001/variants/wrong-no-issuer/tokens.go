// Package tokens issues and verifies access tokens.
package tokens

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

var (
	ErrExpired = errors.New("tokens: the token has expired")
	ErrInvalid = errors.New("tokens: the token is not valid")
	ErrScope   = errors.New("tokens: the scope is missing")
)

const leeway = 30 * time.Second

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

type claims struct {
	jwt.RegisteredClaims
	Scope string `json:"scope"`
}

// Issue signs a token with HS256.
func (a Authority) Issue(subject string, scopes []string, now time.Time) (string, error) {
	if subject == "" {
		return "", fmt.Errorf("%w: it needs a subject", ErrInvalid)
	}
	token := jwt.NewWithClaims(jwt.SigningMethodHS256, claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer:    a.Name,
			Subject:   subject,
			IssuedAt:  jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(now.Add(a.Lifetime)),
		},
		Scope: strings.Join(scopes, " "),
	})
	return token.SignedString(a.Secret)
}

// Verify reads a token of this authority.
func (a Authority) Verify(token string, now time.Time) (Identity, error) {
	var found claims
	_, err := jwt.ParseWithClaims(
		token,
		&found,
		func(*jwt.Token) (any, error) { return a.Secret, nil },
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
		jwt.WithExpirationRequired(),
		jwt.WithLeeway(leeway),
		jwt.WithTimeFunc(func() time.Time { return now }),
	)
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return Identity{}, ErrExpired
	case err != nil:
		return Identity{}, fmt.Errorf("%w: %v", ErrInvalid, err)
	case found.Subject == "":
		return Identity{}, fmt.Errorf("%w: it has no subject", ErrInvalid)
	}
	return Identity{Subject: found.Subject, Scopes: strings.Fields(found.Scope)}, nil
}

// Require tells whether the identity has the scope.
func (i Identity) Require(scope string) error {
	for _, one := range i.Scopes {
		if one == scope {
			return nil
		}
	}
	return fmt.Errorf("%w: %s", ErrScope, scope)
}
