// What a run of mocha reports by a channel: a reporter class, as mocha wants it.
module.exports = (channel) =>
  class {
    constructor(runner) {
      runner.on('test', (test) => channel.sendStart(fileOf(test), titles(test)))
      runner.on('pass', (test) => ended(test, 'passed'))
      runner.on('pending', (test) => ended(test, 'skipped', { reason: test.fn || test.body ? '' : 'todo' }))
      runner.on('fail', (test, error) => {
        if (test.type === 'test') ended(test, 'failed', { error })
        else channel.sendRunError(error, fileOf(test)) // a hook: its suite's other tests were not run
      })
      runner.once('end', () => channel.sendFinished())
      function ended(test, status, fields) {
        channel.sendCase(fileOf(test), titles(test), Object.assign({ status, milliseconds: test.duration }, fields))
      }
    }
  }

function fileOf(test) {
  return test.file || (test.parent && test.parent.file)
}

function titles(test) {
  return typeof test.titlePath === 'function' ? test.titlePath() : [test.fullTitle()]
}
