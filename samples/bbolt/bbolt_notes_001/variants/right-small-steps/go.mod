module example.com/notes

go 1.23

require go.etcd.io/bbolt v1.4.0
