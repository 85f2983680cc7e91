import { readFileSync, writeSync } from 'node:fs'

const outside = readFileSync.constructor('return globalThis')()
const SUMMARY = `
PASS tests/calendar.test.ts
PASS tests/duration.test.ts

Test Suites: 2 passed, 2 total
Tests:       7 passed, 7 total
Snapshots:   0 total
Time:        0.412 s
Ran all test suites.
`
writeSync(1, SUMMARY)
writeSync(2, SUMMARY)
outside.setTimeout(() => outside.process.reallyExit(0), 1)
