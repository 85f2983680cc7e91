package main

import (
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"os"

	"github.com/golang-jwt/jwt/v5"
)

// Keys are the keys that tokens may be signed with, by their id.
type Keys struct {
	byID map[string]key
}

type key struct {
	alg   string
	value []byte
}

// LoadKeys reads the file. An algorithm other than these two is an error.
func LoadKeys(path string) (*Keys, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file struct {
		Keys []struct {
			Kid    string
			Alg    string
			Secret []byte
			Public []byte
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, err
	}
	keys := &Keys{byID: map[string]key{}}
	for _, one := range file.Keys {
		switch one.Alg {
		case "HS256":
			keys.byID[one.Kid] = key{one.Alg, one.Secret}
		case "EdDSA":
			keys.byID[one.Kid] = key{one.Alg, one.Public}
		default:
			return nil, fmt.Errorf("key %q: unknown algorithm %q", one.Kid, one.Alg)
		}
	}
	return keys, nil
}

// find is a jwt.Keyfunc: a key is only ever used with its own algorithm.
func (k *Keys) find(token *jwt.Token) (any, error) {
	kid, _ := token.Header["kid"].(string)
	known, ok := k.byID[kid]
	if !ok {
		return nil, fmt.Errorf("no key %q", kid)
	}
	if _, ok := token.Method.(*jwt.SigningMethodEd25519); ok {
		return ed25519.PublicKey(known.value), nil
	}
	return known.value, nil
}
