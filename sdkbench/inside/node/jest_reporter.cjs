// jest's reporter: loaded by jest in its parent process.
const { order, channel } = globalThis[Symbol.for('sdkbench.reporting')]
const helpers = import('./failures.mjs')

const STATUSES = { passed: 'passed', failed: 'failed' }

module.exports = class {
  async onTestCaseStart(test, info) {
    const { testId } = await helpers
    channel.send('start', { id: testId(order.workspace, test.path, [...info.ancestorTitles, info.title]) })
  }

  async onTestFileResult(test, result) {
    const { failure, fileId, testId } = await helpers
    const { workspace } = order
    if (result.testExecError) {
      const error = result.testExecError
      channel.send('run_error', {
        id: fileId(workspace, test.path),
        ...failure(workspace, { message: result.failureMessage ?? error.message, stack: error.stack }),
      })
    }
    for (const one of result.testResults) {
      const detail = one.failureDetails?.[0]
      const text = one.failureMessages?.[0]
      const error = text ? { message: text.split('\n    at ')[0], stack: text } : detail
      const where = one.location ? { path: fileId(workspace, test.path), line: one.location.line } : {}
      const told = one.status === 'failed' ? failure(workspace, error) : {}
      channel.send('case', {
        id: testId(workspace, test.path, [...one.ancestorTitles, one.title]),
        status: STATUSES[one.status] ?? 'skipped',
        expected_failure: Boolean(one.failing),
        seconds: (one.duration ?? 0) / 1000,
        reason: one.status === 'todo' ? 'todo' : '',
        ...(one.status === 'failed' ? { ...where, ...told, ...(told.path ? {} : where) } : {}),
      })
    }
  }

  async onRunComplete(_contexts, results) {
    const { failure } = await helpers
    if (results.runExecError) channel.send('run_error', failure(order.workspace, results.runExecError))
  }

  getLastError() {}
}
