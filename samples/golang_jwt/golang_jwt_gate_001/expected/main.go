// Command gate serves notes to those who bring a token: on 127.0.0.1, at the port that the
// environment variable PORT names. It reads its keys from keys.json in the working folder.
//
//	GET /notes    needs the scope notes:read;  200 and {"notes": [...]}, the caller's own, oldest first
//	POST /notes   needs the scope notes:write; stores the body as a note of the caller; 201 and {}
//	DELETE /notes needs the scope notes:admin; deletes everybody's notes; 200 and {}
//
// The caller is the token's subject.
package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
)

type Notes struct {
	mutex sync.Mutex
	of    map[string][]string
}

func main() {
	keys, err := LoadKeys("keys.json")
	if err != nil {
		log.Fatal(err)
	}
	notes := &Notes{of: map[string][]string{}}
	mux := http.NewServeMux()
	mux.Handle("/notes", Guard(keys, map[string]string{
		http.MethodGet:    "notes:read",
		http.MethodPost:   "notes:write",
		http.MethodDelete: "notes:admin",
	}, notes))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), mux))
}

// ServeHTTP is called behind the guard only.
func (n *Notes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	caller := Caller(r.Context())
	n.mutex.Lock()
	defer n.mutex.Unlock()
	switch r.Method {
	case http.MethodGet:
		own := append([]string{}, n.of[caller]...)
		reply(w, http.StatusOK, map[string]any{"notes": own})
	case http.MethodPost:
		text, _ := io.ReadAll(io.LimitReader(r.Body, 1<<16))
		n.of[caller] = append(n.of[caller], string(text))
		reply(w, http.StatusCreated, map[string]any{})
	case http.MethodDelete:
		n.of = map[string][]string{}
		reply(w, http.StatusOK, map[string]any{})
	}
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}
