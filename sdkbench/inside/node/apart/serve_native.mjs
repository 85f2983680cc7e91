// A process in which the solution runs as Node, or the loader in NODE_OPTIONS, loads it.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const order = JSON.parse(process.env.SDKBENCH_SOLUTION)
delete process.env.SDKBENCH_SOLUTION
const { serve } = createRequire(import.meta.url)('./solution.cjs')
const { load } = await import(pathToFileURL(order.importer).href)
await serve(order, {
  import: (name) => load(name.startsWith('/') ? pathToFileURL(name).href : name),
  require: createRequire(order.importer),
  called: () => process.send?.('called'),
})
process.exit(0)
