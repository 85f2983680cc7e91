package main

import (
	"errors"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

type Office struct {
	Secret []byte
}

const week = 7 * 24 * time.Hour

func (o Office) Invite(email, role string, at int64) (string, error) {
	return jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{
		"iss":  "invites",
		"aud":  "members",
		"sub":  email,
		"role": role,
		"nbf":  at,
		"exp":  at + int64(week/time.Second),
	}).SignedString(o.Secret)
}

func (o Office) Redeem(text string, at int64) (string, error) {
	none := errors.New("not an invitation")
	claims := jwt.MapClaims{}
	parser := jwt.NewParser(jwt.WithoutClaimsValidation(), jwt.WithValidMethods([]string{"HS256"}))
	if _, err := parser.ParseWithClaims(text, claims, func(*jwt.Token) (any, error) { return o.Secret, nil }); err != nil {
		return "", none
	}
	role, _ := claims["role"].(string)
	subject, _ := claims.GetSubject()
	exp, _ := claims.GetExpirationTime()
	validator := jwt.NewValidator(
		jwt.WithIssuer("invites"),
		jwt.WithAudience("members"),
		jwt.WithTimeFunc(func() time.Time { return time.Unix(at, 0) }),
	)
	err := validator.Validate(claims)
	switch {
	case role == "", subject == "", exp == nil,
		errors.Is(err, jwt.ErrTokenInvalidIssuer), errors.Is(err, jwt.ErrTokenInvalidAudience),
		errors.Is(err, jwt.ErrTokenRequiredClaimMissing):
		return "", none
	case errors.Is(err, jwt.ErrTokenExpired):
		return "", errors.New("invitation expired")
	case err != nil:
		return "", errors.New("invitation not yet valid")
	}
	return subject + " " + role, nil
}
