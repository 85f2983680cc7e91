// Two peers in one process: what one sends, the other takes at once. Frames are packed and parsed as ever.
'use strict'
const { mkdtempSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

const APART = join(__dirname, '../../../../sdkbench/inside/node/apart')
const { pack, parse, ProtocolError } = require(`${APART}/frames.cjs`)
const { Peer } = require(`${APART}/peer.cjs`)
const { ALLOW_ALL } = require(`${APART}/policy.cjs`)
const { Profile } = require(`${APART}/profile.cjs`)

const FOLDER = mkdtempSync(join(tmpdir(), 'apart-'))
process.on('exit', () => rmSync(FOLDER, { recursive: true, force: true }))
let pairs = 0

class Wire {
  ended = null

  constructor(self, other) {
    Object.assign(this, { self, other })
  }

  send(tree) {
    const frame = pack(tree).subarray(4)
    this.other().take(parse(frame))
  }

  close(reason) {
    this.ended ??= reason
    this.self().ended(reason)
  }

  wait() {}
  hold() {}
  release() {}
  rest() {}
}

/** `exported` is what the solution's module exports; `facts` is a profile, null to find one out. */
function pair(exported, facts = null) {
  const notes = join(FOLDER, `notes-${++pairs}`)
  const faults = []
  const tests = new Peer({ policy: new Profile(facts, notes), fault: (text) => faults.push(text) })
  const solution = new Peer({ policy: ALLOW_ALL })
  const wire = new Wire(() => tests, () => solution)
  tests.open(wire)
  solution.open(new Wire(() => solution, () => tests))
  const noted = (kind) =>
    readNotes(notes)
      .filter(([found]) => found === kind)
      .map(([, text]) => text)
  return { tests, solution, wire, faults, noted, zoo: tests.decode(solution.encode(exported, ''), 'zoo') }
}

function readNotes(path) {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line))
  } catch {
    return []
  }
}

/** What crosses when the reference is used so; then the same use of another solution. */
function compared(reference, other, use) {
  const first = pair(reference)
  use(first.zoo)
  const second = pair(other, first.noted('fact'))
  let error = null
  try {
    use(second.zoo)
  } catch (thrown) {
    error = thrown
  }
  return { error, departures: second.noted('departure'), changes: second.noted('change') }
}

module.exports = { APART, ProtocolError, compared, pair }
