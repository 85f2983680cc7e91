// node:test in this very process: nothing of the solution runs where its tests run apart, so that a process of
// their own would protect nobody. For one file of tests, as each has a process to itself.
import { pathToFileURL } from 'node:url'
import { NodeTestReporter } from '../reporters/node_test.mjs'

let watch // what is done with the events of the run

/** node:test takes this file for its reporter. */
export default async function* (events) {
  await watch(events)
}

export async function run({ files: [file] }, channel) {
  const reporter = new NodeTestReporter(channel, () => false)
  let seen = false
  const over = new Promise((resolve, reject) => {
    watch = async (events) => {
      try {
        for await (const event of events) {
          seen = true
          reporter.handle(event)
        }
        resolve()
      } catch (error) {
        reject(error)
      }
    }
    process.once('beforeExit', () => seen || resolve()) // a file without tests
  })
  process.execArgv = []
  process.argv = [process.execPath, file]
  process.setSourceMapsEnabled(true)
  await import('./preload.mjs')
  try {
    await import(pathToFileURL(file).href)
  } catch (error) {
    channel.sendRunError(error, file)
    return 1
  }
  await over
  const isLost = Boolean(process.exitCode) && !reporter.failed
  if (isLost) channel.sendRunError({ message: 'something failed after its test had ended, or outside of any test' }, file)
  return isLost || reporter.failed ? 1 : 0
}
