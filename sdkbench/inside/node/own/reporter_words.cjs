// What makes each framework report to us, and to nobody else.
const { join } = require('path')

const here = (name) => join(__dirname, name)

module.exports = {
  mocha: ['--reporter', here('mocha.cjs')],
  jest: [`--reporters=${here('jest.cjs')}`, '--coverage=false', '--watchAll=false', '--testLocationInResults'],
  vitest: ['--run', `--reporter=${here('vitest.mjs')}`, '--coverage.enabled=false'],
  node_test: [`--test-reporter=${here('node_test.mjs')}`, '--test-reporter-destination=stdout'],
  /** The same for jest, where a program calls it as a function. */
  jestArguments: {
    reporters: [here('jest.cjs')],
    coverage: false,
    collectCoverage: false,
    watch: false,
    watchAll: false,
    testLocationInResults: true,
  },
}
