package main

// TODO: what a good token is. It is signed by the key that its header's `kid` names, with that very
// key's algorithm; its issuer is https://login.example.com, its audience has `notes`, it has an
// expiry and a subject that is not empty. Its scopes stand in the claim `scope`: one text, with
// blanks between them.
