module example.com/invites

go 1.21

require github.com/golang-jwt/jwt/v5 v5.2.2
