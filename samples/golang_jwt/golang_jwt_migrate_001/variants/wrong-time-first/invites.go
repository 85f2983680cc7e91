package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

var (
	ErrExpired     = errors.New("invitation expired")
	ErrNotYetValid = errors.New("invitation not yet valid")
	ErrNone        = errors.New("not an invitation")
)

const (
	issuer   = "invites"
	audience = "members"
	lifetime = 7 * 24 * 60 * 60
)

type Office struct {
	Secret []byte
}

// invitation writes its audience as a plain text, which RegisteredClaims would write as a list.
type invitation struct {
	Issuer    string           `json:"iss"`
	Audience  string           `json:"aud"`
	Subject   string           `json:"sub"`
	Role      string           `json:"role"`
	NotBefore *jwt.NumericDate `json:"nbf"`
	ExpiresAt *jwt.NumericDate `json:"exp"`
}

func (i invitation) GetIssuer() (string, error)                   { return i.Issuer, nil }
func (i invitation) GetSubject() (string, error)                  { return i.Subject, nil }
func (i invitation) GetAudience() (jwt.ClaimStrings, error)       { return jwt.ClaimStrings{i.Audience}, nil }
func (i invitation) GetNotBefore() (*jwt.NumericDate, error)      { return i.NotBefore, nil }
func (i invitation) GetExpirationTime() (*jwt.NumericDate, error) { return i.ExpiresAt, nil }
func (i invitation) GetIssuedAt() (*jwt.NumericDate, error)       { return nil, nil }

// Validate is called by the parser beside its own checks.
func (i invitation) Validate() error {
	if i.Subject == "" || i.Role == "" {
		return jwt.ErrTokenRequiredClaimMissing
	}
	return nil
}

func (o Office) Invite(email, role string, at int64) (string, error) {
	token := jwt.NewWithClaims(jwt.SigningMethodHS256, invitation{
		Role:      role,
		Issuer:    issuer,
		Audience:  audience,
		Subject:   email,
		NotBefore: jwt.NewNumericDate(time.Unix(at, 0)),
		ExpiresAt: jwt.NewNumericDate(time.Unix(at+lifetime, 0)),
	})
	return token.SignedString(o.Secret)
}

func (o Office) Redeem(text string, at int64) (string, error) {
	var told invitation
	_, err := jwt.ParseWithClaims(text, &told,
		func(*jwt.Token) (any, error) { return o.Secret, nil },
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
		jwt.WithTimeFunc(func() time.Time { return time.Unix(at, 0) }),
		jwt.WithIssuer(issuer),
		jwt.WithAudience(audience),
		jwt.WithExpirationRequired(),
	)
	return fmt.Sprintf("%s %s", told.Subject, told.Role), problem(err)
}

// problem finds the one to tell among those that the parser joined.
func problem(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, jwt.ErrTokenExpired) {
		return ErrExpired
	}
	if errors.Is(err, jwt.ErrTokenNotValidYet) {
		return ErrNotYetValid
	}
	return ErrNone
}
