// The tests' side's policy: what the sample's reference did is what may cross.
//
// A fact is a sentence such as `function src/tokens.createVerifier`: at this path of the tests' own
// making a function came. The reference's run writes facts down; every other run is held against them.
'use strict'
const childProcess = require('node:child_process')
const fs = require('node:fs')
const Module = require('node:module')
const vm = require('node:vm')
const workers = require('node:worker_threads')
const { CrossingError } = require('./policy.cjs')

const { appendFileSync } = fs

const MOST_NOTES = 50 // of one kind from one process; the first ones say it
const LINE = 500
const COPIES = 'copies' // instead of a fact: tests keep their own of what is changed

class Profile {
  hidesStacks = true // of errors that go to the solution: they tell of tests
  #facts
  #notes
  #count = { departure: 0, change: 0, obstacle: 0, fault: 0 }
  #written = new Set()
  #reaching = null

  /**
   * @param {string[] | null} facts of the reference; null while they are being found out
   * @param {string} notes the file that says what was seen, a JSON array a line: [kind, text]
   */
  constructor(facts, notes) {
    this.#facts = facts && new Set(facts)
    this.#notes = notes
  }

  #note(kind, text) {
    const line = JSON.stringify([kind, text.slice(0, LINE)])
    if (this.#written.has(line) || (kind !== 'fact' && ++this.#count[kind] > MOST_NOTES)) return
    this.#written.add(line)
    appendFileSync(this.#notes, `${line}\n`)
  }

  fault(text) {
    this.#note('fault', text)
  }

  /** Something happens that the reference must have shown too. */
  #need(what, path, sentence) {
    for (const way of new Set(path.split('\n'))) {
      const fact = `${what} ${way}`.slice(0, LINE)
      if (this.#facts === null) this.#note('fact', fact)
      else if (!this.#facts.has(fact)) {
        throw new CrossingError(`${sentence}, which the reference does not do`, () => this.#note('departure', `${way}: ${sentence}`))
      }
    }
  }

  /** Something live has come. That is no harm until somebody uses it. */
  arrives(what, path) {
    if (this.#facts === null) this.#need(what, path, '')
  }

  /** Whether what came by these ways before is the same thing at `path`, as it is in the reference's run. */
  same(before, path) {
    // Which of the two comes first may change from run to run.
    const both = (way, other) => `same ${[way, other].sort().join(' = ')}`.slice(0, LINE)
    const facts = before.split('\n').flatMap((way) => path.split('\n').map((other) => both(way, other)))
    if (this.#facts !== null) return facts.every((fact) => this.#facts.has(fact))
    for (const fact of facts) this.#note('fact', fact)
    return true
  }

  /** @param {string} what `call`, `new` and `write`; or what it must be: a `function`, an `iterator` */
  uses(what, path) {
    const sentence = /^(call|new|write)$/.test(what) ? `the tests ${what} it` : `the solution gives a ${what}`
    this.#met(() => this.#need(what, path, sentence))
  }

  #met(check) {
    try {
      check()
    } catch (error) {
      throw error.met()
    }
  }

  /** A name that a module exports. What the reference does not export, no test can have imported. */
  exports(path) {
    try {
      this.#need('export', path, '')
      return true
    } catch {
      return false
    }
  }

  lends(what, path, key) {
    if (key === 'constructor' || key === '__proto__' || key === 'prototype') {
      throw new CrossingError(`the solution ${what} ${String(key)} of something that the tests made`, () =>
        this.#note('departure', `${path}: the solution ${what} it`),
      ).met()
    }
    this.#met(() => this.#need(what, path, `the solution ${what} something that the tests made`))
  }

  /** Whether the tests see a change of what both have.
   *
   * Where the reference changes nothing, a test may look at that, or work out what it expects from
   * what is left. So they see it, and it is told: a run in which they keep their own must come to the same.
   */
  mayChange(path) {
    try {
      this.#need('changes', path, '')
      return true
    } catch {
      this.#note('change', `${path.split('\n')[0]}: the solution changes a value that both have, which the reference does not`)
      return !this.#facts.has(COPIES)
    }
  }

  /** Tests compare errors with such as they make themselves: these must say what they were given.
   *
   * What of the reference's error is an argument as it was given is one of the solution's, too.
   */
  made(path, given, error) {
    for (const way of path.split('\n')) {
      for (const [index, argument] of given.entries()) {
        if (typeof argument !== 'string' && typeof argument !== 'number') continue
        const told = ['message', ...Object.keys(error)].filter((name) => error[name] === argument)
        if (this.#facts === null) for (const name of told) this.#note('fact', `tells ${way} ${index} ${name}`)
        else this.#compare(way, index, told)
      }
    }
  }

  #compare(way, index, told) {
    const start = `tells ${way} ${index} `
    const wanted = [...this.#facts].filter((fact) => fact.startsWith(start)).map((fact) => fact.slice(start.length))
    if (wanted.every((name) => told.includes(name))) return
    throw new CrossingError("an error does not say what the tests gave it, as the reference's does", () =>
      this.#note('departure', `${way}: an error that the tests make does not say what they gave it`),
    ).met()
  }

  /** The solution has changed something of its process that tests in the same process would see. */
  traced(word) {
    try {
      this.#need('leaves', word, 'the solution changes it in its process')
    } catch (error) {
      error.met()
    }
  }

  /** Whether the solution may call this function of the tests. */
  lendable(value) {
    this.#reaching ??= reachingFunctions()
    return !this.#reaching.has(value) && !(Object.hasOwn(value, 'resolve') && Object.hasOwn(value, 'cache')) // a `require`
  }

  /** A value of the tests that can't be handed to the solution. */
  sends(path, what) {
    throw this.refuses(path, what).met()
  }

  /** A value, or a way to use one, that can't be had while both are apart. */
  refuses(path, what) {
    const sentence = `${path.split('\n')[0]}: ${what} can't pass between tests and solution; pass plain data, or test what it does`
    return new CrossingError(sentence, () => this.#note(this.#facts === null ? 'obstacle' : 'departure', sentence))
  }

  /** What the solution is told of an error in code of the tests. A failed assertion is for us to tell. */
  threw(error) {
    if (!isAssertion(error)) return error
    this.#note('fault', `an assertion failed in a function that the solution called: ${error.message}`)
    return new Error('an assertion failed')
  }
}

/** Whoever may call one of these is not apart from what the tests' process has. */
function reachingFunctions() {
  const fields = [fs, fs.promises, childProcess, Module, vm, workers, process, Reflect].map((owner) => Object.getOwnPropertyDescriptors(owner))
  const values = fields.flatMap((owned) => Object.values(owned).map((field) => field.value))
  return new Set([...values, globalThis.eval, Function, Module, Module.prototype.require])
}

function isAssertion(error) {
  return error?.code === 'ERR_ASSERTION' || /Assertion/.test(String(error?.name)) || error?.matcherResult !== undefined
}

module.exports = { Profile }
