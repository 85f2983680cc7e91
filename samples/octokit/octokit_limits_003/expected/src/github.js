import { Octokit } from '@octokit/rest'
import { oneByOne } from './one-by-one.js'
import { patience } from './patience.js'

const Patient = Octokit.plugin(patience, oneByOne)
const log = { debug() {}, info() {}, warn: console.warn, error() {} }

/** A client for our nightly jobs, which have time. `fetch` is what sends the requests. */
export function connect({ token, fetch, patience }) {
  return new Patient({ auth: token, request: { fetch }, patience, log })
}
