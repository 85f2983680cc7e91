// What a run of vitest reports by a channel: a reporter for versions that tell each test, and one for older ones.
const STATES = { passed: 'passed', pass: 'passed', failed: 'failed', fail: 'failed' }

export function reporterOf(version, channel) {
  return Number(version.split('.')[0]) >= 3 ? modern(channel) : classic(channel)
}

/** vitest 3 and newer report each test as it ends. */
function modern(channel) {
  const titles = (test) => test.fullName.split(' > ')
  return {
    onTestModuleCollected(module) {
      channel.sendCollected(module.moduleId, [...module.children.allTests()].map(titles))
    },
    onTestCaseReady(test) {
      channel.sendStart(test.module.moduleId, titles(test))
    },
    onTestCaseResult(test) {
      const { state, errors, note } = test.result()
      channel.sendCase(test.module.moduleId, titles(test), {
        status: STATES[state] ?? 'skipped',
        expectedFailure: test.options.fails,
        milliseconds: test.diagnostic()?.duration,
        reason: test.options.mode === 'todo' ? 'todo' : (note ?? ''),
        error: errors?.[0],
      })
    },
    onTestSuiteResult(suite) {
      // A suite whose hooks failed has errors of its own.
      for (const error of suite.errors?.() ?? []) channel.sendRunError(error, suite.module.moduleId)
    },
    onTestRunEnd(modules, unhandled) {
      for (const module of modules) for (const error of module.errors()) channel.sendRunError(error, module.moduleId)
      for (const error of unhandled) channel.sendRunError(error)
      channel.sendFinished()
    },
  }
}

/** vitest 1 and 2 report everything at the end. */
function classic(channel) {
  return {
    onFinished(files = [], unhandled = []) {
      for (const file of files) {
        for (const error of file.result?.errors ?? []) channel.sendRunError(error, file.filepath)
        visit(file.tasks, file.filepath, [])
      }
      for (const error of unhandled) channel.sendRunError(error)
      channel.sendFinished()
    },
  }
  function visit(tasks, path, titles) {
    for (const { name, type, tasks: inner, result, fails, mode } of tasks) {
      if (type === 'suite') {
        visit(inner, path, [...titles, name])
        continue
      }
      channel.sendCase(path, [...titles, name], {
        status: STATES[result?.state] ?? 'skipped',
        expectedFailure: fails,
        milliseconds: result?.duration,
        reason: mode === 'todo' ? 'todo' : '',
        error: result?.errors?.[0],
      })
    }
  }
}
