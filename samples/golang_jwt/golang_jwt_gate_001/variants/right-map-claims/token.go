package main

import (
	"errors"
	"strings"

	"github.com/golang-jwt/jwt/v5"
)

type claims struct {
	Subject string
	scopes  map[string]bool
}

func (c claims) has(scope string) bool { return c.scopes[scope] }

func parse(text string, keys *Keys) (claims, error) {
	parser := jwt.NewParser(
		jwt.WithValidMethods([]string{"HS256", "EdDSA"}),
		jwt.WithIssuer("https://login.example.com"),
		jwt.WithAudience("notes"),
		jwt.WithExpirationRequired(),
	)
	token, err := parser.Parse(text, keys.find)
	if errors.Is(err, jwt.ErrTokenExpired) {
		return claims{}, errors.New("token expired")
	}
	if errors.Is(err, jwt.ErrTokenNotValidYet) {
		return claims{}, errors.New("token not active")
	}
	refused := errors.New("token refused")
	if err != nil {
		return claims{}, refused
	}
	subject, err := token.Claims.GetSubject()
	if err != nil || subject == "" {
		return claims{}, refused
	}
	told := claims{subject, map[string]bool{}}
	scope, _ := token.Claims.(jwt.MapClaims)["scope"].(string)
	for _, word := range strings.Fields(scope) {
		told.scopes[word] = true
	}
	return told, nil
}
