// For mocha's workers, which have no option for it: the tests of each suite run backwards.
const { createRequire } = require('node:module')

const { Suite } = createRequire(`${process.cwd()}/package.json`)('mocha')
const { addTest } = Suite.prototype

Suite.prototype.addTest = function (test) {
  addTest.call(this, test)
  this.tests.unshift(this.tests.pop())
  return this
}
