package main

// This was written for github.com/dgrijalva/jwt-go v3, which nobody looks after any more. go.mod
// names github.com/golang-jwt/jwt/v5 already.

import (
	"errors"
	"fmt"
	"time"

	"github.com/dgrijalva/jwt-go"
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

type invitation struct {
	Role string `json:"role"`
	jwt.StandardClaims
}

func (o Office) Invite(email, role string, at int64) (string, error) {
	token := jwt.NewWithClaims(jwt.SigningMethodHS256, invitation{
		Role: role,
		StandardClaims: jwt.StandardClaims{
			Issuer:    issuer,
			Audience:  audience,
			Subject:   email,
			NotBefore: at,
			ExpiresAt: at + lifetime,
		},
	})
	return token.SignedString(o.Secret)
}

func (o Office) Redeem(text string, at int64) (string, error) {
	jwt.TimeFunc = func() time.Time { return time.Unix(at, 0) }
	var told invitation
	_, err := jwt.ParseWithClaims(text, &told, func(token *jwt.Token) (interface{}, error) {
		if token.Method != jwt.SigningMethodHS256 {
			return nil, ErrNone
		}
		return o.Secret, nil
	})
	if problem, ok := err.(*jwt.ValidationError); ok {
		switch {
		case problem.Errors&jwt.ValidationErrorExpired != 0:
			return "", ErrExpired
		case problem.Errors&jwt.ValidationErrorNotValidYet != 0:
			return "", ErrNotYetValid
		}
	}
	if err != nil || !told.VerifyAudience(audience, true) || !told.VerifyIssuer(issuer, true) {
		return "", ErrNone
	}
	return fmt.Sprintf("%s %s", told.Subject, told.Role), nil
}
