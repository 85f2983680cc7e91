package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/golang-jwt/jwt/v5"
)

const (
	issuer   = "https://login.example.com"
	audience = "notes"
)

var (
	errExpired   = errors.New("token expired")
	errNotActive = errors.New("token not active")
	errRefused   = errors.New("token refused")
)

type claims struct {
	Scope string `json:"scope"`
	jwt.RegisteredClaims
}

func (c *claims) has(scope string) bool {
	return slices.Contains(strings.Fields(c.Scope), scope)
}

// parse gives the claims of a good token, else one of the three errors.
func parse(text string, keys *Keys) (*claims, error) {
	told := &claims{}
	_, err := jwt.ParseWithClaims(text, told, keys.find,
		jwt.WithIssuer(issuer),
		jwt.WithAudience(audience),
		jwt.WithExpirationRequired(),
	)
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return nil, errExpired
	case errors.Is(err, jwt.ErrTokenNotValidYet):
		return nil, errNotActive
	case err != nil || told.Subject == "":
		return nil, errRefused
	}
	return told, nil
}
