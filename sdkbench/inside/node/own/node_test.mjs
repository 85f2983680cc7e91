// Loaded by `node --test`, whose events come as a stream.
import { resolve } from 'node:path'
import { NodeTestReporter } from '../reporters/node_test.mjs'
import events from './events.cjs'

const isFile = ({ nesting, name, file }) => nesting === 0 && (file === undefined || resolve(name) === file)

// eslint-disable-next-line require-yield -- what it yields would go to the console
export default async function* (source) {
  const reporter = new NodeTestReporter(events, isFile)
  for await (const event of source) reporter.handle(event)
  events.sendFinished()
}
