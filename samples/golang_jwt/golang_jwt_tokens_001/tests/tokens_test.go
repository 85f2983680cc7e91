package tests

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"example.com/tokens"
)

var (
	now       = time.Unix(1_700_000_000, 0)
	authority = tokens.Authority{Name: "shop", Secret: []byte("a secret of the shop"), Lifetime: time.Hour}
)

func issue(t *testing.T, subject string, scopes ...string) string {
	t.Helper()
	token, err := authority.Issue(subject, scopes, now)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// signed is a token made without the code under test.
func signed(t *testing.T, method jwt.SigningMethod, key any, changes jwt.MapClaims) string {
	t.Helper()
	claims := jwt.MapClaims{
		"iss": "shop", "sub": "ada", "iat": now.Unix(), "exp": now.Add(time.Hour).Unix(), "scope": "read",
	}
	for name, value := range changes {
		claims[name] = value
		if value == nil {
			delete(claims, name)
		}
	}
	token, err := jwt.NewWithClaims(method, claims).SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestIssueSignsTheClaims(t *testing.T) {
	claims := jwt.MapClaims{}
	token, err := jwt.ParseWithClaims(
		issue(t, "ada", "read", "write"),
		claims,
		func(*jwt.Token) (any, error) { return authority.Secret, nil },
		jwt.WithTimeFunc(func() time.Time { return now }),
	)
	if err != nil {
		t.Fatal(err)
	}
	if token.Method.Alg() != "HS256" {
		t.Errorf("signed with %s", token.Method.Alg())
	}
	want := jwt.MapClaims{
		"iss": "shop", "sub": "ada", "scope": "read write",
		"iat": float64(now.Unix()), "exp": float64(now.Add(time.Hour).Unix()),
	}
	if !reflect.DeepEqual(claims, want) {
		t.Errorf("got %v, want %v", claims, want)
	}
}

func TestIssueNeedsASubject(t *testing.T) {
	token, err := authority.Issue("", []string{"read"}, now)
	if !errors.Is(err, tokens.ErrInvalid) {
		t.Errorf("got %q, %v", token, err)
	}
}

func TestVerifyReadsWhatWasIssued(t *testing.T) {
	identity, err := authority.Verify(issue(t, "ada", "read", "write"), now.Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	want := tokens.Identity{Subject: "ada", Scopes: []string{"read", "write"}}
	if !reflect.DeepEqual(identity, want) {
		t.Errorf("got %v, want %v", identity, want)
	}
}

func TestVerifyKnowsWhenATokenEnds(t *testing.T) {
	token := issue(t, "ada", "read")
	if _, err := authority.Verify(token, now.Add(time.Hour+29*time.Second)); err != nil {
		t.Errorf("within the leeway: %v", err)
	}
	_, err := authority.Verify(token, now.Add(time.Hour+31*time.Second))
	if !errors.Is(err, tokens.ErrExpired) {
		t.Errorf("after the leeway: %v", err)
	}
	if errors.Is(err, tokens.ErrInvalid) {
		t.Error("expired is not invalid")
	}
}

func TestVerifyRefusesOtherAlgorithms(t *testing.T) {
	other := signed(t, jwt.SigningMethodHS512, authority.Secret, nil)
	if _, err := authority.Verify(other, now); !errors.Is(err, tokens.ErrInvalid) {
		t.Errorf("HS512: %v", err)
	}
	none := signed(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, nil)
	if _, err := authority.Verify(none, now); !errors.Is(err, tokens.ErrInvalid) {
		t.Errorf("none: %v", err)
	}
}

func TestVerifyRefusesForgeries(t *testing.T) {
	forged := signed(t, jwt.SigningMethodHS256, []byte("another secret"), nil)
	if _, err := authority.Verify(forged, now); !errors.Is(err, tokens.ErrInvalid) {
		t.Errorf("another secret: %v", err)
	}
	parts := strings.Split(issue(t, "ada", "read"), ".")
	parts[1] = strings.Split(issue(t, "eve", "read"), ".")[1]
	if _, err := authority.Verify(strings.Join(parts, "."), now); !errors.Is(err, tokens.ErrInvalid) {
		t.Errorf("exchanged claims: %v", err)
	}
	if _, err := authority.Verify("no token", now); !errors.Is(err, tokens.ErrInvalid) {
		t.Errorf("no token: %v", err)
	}
}

func TestVerifyChecksTheClaims(t *testing.T) {
	for name, changes := range map[string]jwt.MapClaims{
		"another issuer": {"iss": "bank"},
		"no end":         {"exp": nil},
		"no subject":     {"sub": nil},
	} {
		token := signed(t, jwt.SigningMethodHS256, authority.Secret, changes)
		if _, err := authority.Verify(token, now); !errors.Is(err, tokens.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	identity, err := authority.Verify(signed(t, jwt.SigningMethodHS256, authority.Secret, nil), now)
	if err != nil {
		t.Fatal(err)
	}
	if identity.Subject != "ada" {
		t.Errorf("got %v", identity)
	}
}

func TestRequire(t *testing.T) {
	identity := tokens.Identity{Subject: "ada", Scopes: []string{"read", "write"}}
	if err := identity.Require("write"); err != nil {
		t.Errorf("a scope that is there: %v", err)
	}
	if err := identity.Require("writ"); !errors.Is(err, tokens.ErrScope) {
		t.Errorf("half a scope: %v", err)
	}
}
