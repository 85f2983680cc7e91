// vitest's pool counts this machine's cores when it is loaded, by two pipelines of five programs each, and in
// every process of tests once more. Where that fails it asks Node, which knows. Loaded before, by --require.
'use strict'
const childProcess = require('node:child_process')

const { execSync } = childProcess
childProcess.execSync = function (command, ...rest) {
  if (!String(command).startsWith('cat /proc/cpuinfo |')) return Reflect.apply(execSync, this, [command, ...rest])
  childProcess.execSync = execSync // asked once, before any test is loaded
  throw new Error('not counted')
}
