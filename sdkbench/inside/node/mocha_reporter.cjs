// mocha's reporter: loaded by mocha in its parent process.
const { order, channel } = globalThis[Symbol.for('sdkbench.reporting')] ?? {}
const helpers = import('./failures.mjs')

module.exports = class {
  constructor(runner) {
    this.told = Promise.resolve()
    const then = (work) => {
      this.told = this.told.then(async () => work(await helpers))
    }
    runner.on('test', (test) => then(({ testId }) => channel.send('start', { id: id(testId, test) })))
    runner.on('pass', (test) => then((help) => this.case(help, test, 'passed')))
    runner.on('pending', (test) => then((help) => this.case(help, test, 'skipped')))
    runner.on('fail', (test, error) =>
      then((help) => {
        if (test.type === 'test') return this.case(help, test, 'failed', error)
        // A hook that failed: its suite's other tests were not run.
        const where = test.file ?? test.parent?.file
        channel.send('run_error', {
          id: where ? help.fileId(order.workspace, where) : '',
          ...help.failure(order.workspace, error),
        })
      }),
    )
  }

  case({ failure, testId }, test, status, error) {
    channel.send('case', {
      id: id(testId, test),
      status,
      expected_failure: false,
      seconds: (test.duration ?? 0) / 1000,
      reason: status === 'skipped' && !test.fn && !test.body ? 'todo' : '',
      ...(error ? failure(order.workspace, error) : {}),
    })
  }

  done(failures, finish) {
    this.told.then(() => finish(failures))
  }
}

function id(testId, test) {
  const titles = typeof test.titlePath === 'function' ? test.titlePath() : [test.fullTitle()]
  return testId(order.workspace, test.file ?? test.parent?.file, titles)
}
