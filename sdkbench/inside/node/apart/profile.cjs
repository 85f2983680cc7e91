// The tests' side's policy: what the sample's reference did is what may cross.
//
// A fact is a sentence such as `function src/tokens.createVerifier`: at this path of the tests' own
// making a function came. The reference's run writes facts down; every other run is held against them.
'use strict'
const childProcess = require('node:child_process')
const { randomUUID } = require('node:crypto')
const fs = require('node:fs')
const Module = require('node:module')
const vm = require('node:vm')
const workers = require('node:worker_threads')
const { CrossingError, OWN_DOING } = require('./policy.cjs')

const { appendFileSync } = fs

const MOST_NOTES = 50 // of one kind from one process; the first ones say it
const LINE = 500
const COPIES = 'copies' // instead of a fact: tests keep their own of what is changed

class Profile {
  hidesStacks = true // of errors that go to the solution: they tell of tests
  copiesProxies = true // of the tests, as what they look like; what one of the solution's says may change
  #facts
  #notes
  #count = { departure: 0, met: 0, change: 0, obstacle: 0, fault: 0 }
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
    if (this.#written.has(line)) return
    if (kind !== 'fact' && ++this.#count[kind] > MOST_NOTES) {
      if (kind !== 'met' || this.#count[kind] > MOST_NOTES + 1) return // one too many is in no report
    }
    this.#written.add(line)
    appendFileSync(this.#notes, `${line}\n`)
  }

  /** Each has a mark of its own: a test is decided only if no departure in it was caught. */
  #departure(sentence, told) {
    const mark = randomUUID()
    const note = () => {
      this.#note('met', mark)
      this.#note('departure', told)
    }
    return new CrossingError(sentence, note, mark)
  }

  fault(text) {
    this.#note('fault', text)
  }

  /** Something happens that the reference must have shown too. */
  #need(what, path, sentence) {
    for (const way of new Set(path.split('\n'))) {
      const fact = `${what} ${way}`.slice(0, LINE)
      if (this.#facts === null) this.#note('fact', fact)
      else if (way.includes(OWN_DOING)) continue
      else if (!this.#facts.has(fact)) {
        throw this.#departure(`${sentence}, which the reference does not do`, `${way}: ${sentence}`)
      }
    }
  }

  /** Whether it is known what the reference did; otherwise that is being found out. */
  get recorded() {
    return this.#facts !== null
  }

  /** Whether the reference shows this at one of the ways. While that is found out, nothing is known. */
  knows(what, path) {
    return this.#facts !== null && path.split('\n').some((way) => this.#facts.has(`${what} ${way}`.slice(0, LINE)))
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
    this.#keepsClosed(what, path, key)
    this.#met(() => this.#need(what, path, `the solution ${what} something that the tests made`))
  }

  /** Whether the solution may set a field of what the tests made: like a change of what both have. */
  mayWrite(path, key) {
    this.#keepsClosed('writes', path, key)
    try {
      this.#need('writes', path, '')
      return true
    } catch {
      this.#note('change', `${path.split('\n')[0]}: the solution sets it in what the tests made, which the reference does not`)
      return !this.#facts.has(COPIES)
    }
  }

  #keepsClosed(what, path, key) {
    if (key !== 'constructor' && key !== '__proto__' && key !== 'prototype') return
    throw this.#departure(`the solution ${what} ${String(key)} of something that the tests made`, `${path}: the solution ${what} it`).met()
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
      if (this.#facts === null) this.#note('fact', `error ${way}`)
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
    const sentence = "an error does not say what the tests gave it, as the reference's does"
    throw this.#departure(sentence, `${way}: an error that the tests make does not say what they gave it`).met()
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
    if (this.#facts !== null) return this.#departure(sentence, sentence)
    return new CrossingError(sentence, () => this.#note('obstacle', sentence))
  }

  /** What the solution is told of an error in code of the tests. A failed assertion is for us to tell. */
  threw(error) {
    if (error instanceof CrossingError) return new Error('it can not be had')
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
