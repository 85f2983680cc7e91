// What a run of jest reports by a channel: a reporter class, as jest wants it.
const STATUSES = { passed: 'passed', failed: 'failed' }
const HEADING = /^\s*●[^\n]*\n+/ // "● Test suite failed to run", above what it is about

module.exports = (channel) =>
  class {
    onTestCaseStart({ path }, { ancestorTitles, title }) {
      channel.sendStart(path, [...ancestorTitles, title])
    }

    onTestFileResult({ path }, { testExecError, failureMessage, testResults }) {
      if (testExecError) {
        const { message, stack } = testExecError
        channel.sendRunError({ message: failureMessage ? unheaded(failureMessage) : message, stack }, path)
      }
      for (const test of testResults) {
        const text = (test.failureMessages || [])[0]
        const detail = (test.failureDetails || [])[0]
        channel.sendCase(path, [...test.ancestorTitles, test.title], {
          status: STATUSES[test.status] || 'skipped',
          expectedFailure: test.failing,
          milliseconds: test.duration,
          reason: test.status === 'todo' ? 'todo' : '',
          error: text ? { message: text.split('\n    at ')[0], stack: text, cause: detail && detail.cause } : detail,
          place: test.location && { file: path, line: test.location.line },
        })
      }
    }

    /** What jest before 26 calls. */
    onTestResult(test, result) {
      this.onTestFileResult(test, result)
    }

    onRunComplete(_contexts, { runExecError }) {
      if (runExecError) channel.sendRunError(runExecError)
      channel.sendFinished()
    }

    getLastError() {}
  }

/** jest's own words, without its heading and the margin that it leaves for it. */
function unheaded(text) {
  const plain = text.replace(/\u001b\[[0-9;]*m/g, '')
  return HEADING.test(plain) ? plain.replace(HEADING, '').replace(/^ {4}/gm, '').trim() : plain
}
