// What may cross, and what is noted of it. The solution's side allows everything; the tests' side
// knows what the sample's reference did (see profile.cjs).
'use strict'

/** Something that cannot be done while tests and solution are apart. It counts once somebody meets it. */
class CrossingError extends Error {
  #note

  /** @param {() => void} note has written down that somebody met it @param {string} [mark] by which it is known in a report */
  constructor(message, note = () => {}, mark = '') {
    super(mark ? `${message} [${mark}]` : message)
    this.#note = note
  }

  get name() {
    return 'CrossingError'
  }

  /** Somebody has met it. */
  met() {
    this.#note()
    return this
  }
}

/** For the solution's side: nothing that it checks could be trusted. */
const ALLOW_ALL = {
  sends: (path, what) => ['!', what],
  arrives() {},
  same: () => true,
  lendable: () => true,
  uses() {},
  lends() {},
  mayChange: () => true,
  mayWrite: () => true,
  recorded: false,
  knows: () => false,
  traced() {},
  made() {},
  refuses: (path, what) => new CrossingError(`${what} did not cross`),
  threw: (error) => error,
}

/** A path goes one step on. One thing may have come by several ways: its paths stand line by line. */
function step(path, next) {
  return path.includes('\n') ? path.split('\n').map((way) => way + next).join('\n') : path + next
}

/** The step to a field. A solution chooses names: none of them may look like another path. */
function named(key) {
  if (typeof key === 'symbol') return `.@${JSON.stringify(key.description)}`
  return /^[\w$-]+$/.test(key) ? `.${key}` : `.${JSON.stringify(key)}`
}

/** A step to what the solution has put where the reference puts nothing. No name holds this sign.
 *
 * It is not held against the reference: a run in which it is not there must come to the same.
 */
const OWN_DOING = '\u0001'

module.exports = { ALLOW_ALL, CrossingError, named, OWN_DOING, step }
