// Things of one side that the other one iterates or waits for, however they are written: as a generator,
// a class with Symbol.iterator, an object with `next`, a stream; a promise, or an object with `then`.
'use strict'
const { types } = require('node:util')
const { need } = require('./values.cjs')

const FLAGS = { iterable: 1, asyncIterable: 2, thenable: 4, collection: 8 }
const MOST_ITEMS = 100_000 // that are asked for at once

const begun = new WeakMap() // object → the generator that steps through it

/** What can be done with an instance, as flags. */
function flagsOf(value) {
  const has = (key) => typeof value[key] === 'function'
  return (has(Symbol.iterator) && FLAGS.iterable) | (has(Symbol.asyncIterator) && FLAGS.asyncIterable) | (has('then') && FLAGS.thenable)
}

/** A generator that begins anew. */
function started(object, isAsync) {
  need((typeof object === 'object' && object !== null) || typeof object === 'function', 'an iterable')
  return isAsync ? throughLater(object) : through(object)
}

function* through(object) {
  return yield* object
}

async function* throughLater(object) {
  return yield* object
}

/** One step of a generator; of anything else that can be iterated, of the one generator for it. */
function step(object, word, sent) {
  const isAsync = typeof object[Symbol.asyncIterator] === 'function'
  if (!types.isGeneratorObject(object) && !begun.has(object)) begun.set(object, started(object, isAsync))
  return (begun.get(object) ?? object)[word === 'return' ? 'return' : 'next'](sent)
}

/** All that is left of it, as an array or a promise of one. */
function items(object) {
  if (typeof object[Symbol.asyncIterator] === 'function') return laterItems(object)
  const found = []
  for (const item of object) keep(found, item)
  return found
}

async function laterItems(object) {
  const found = []
  for await (const item of object) keep(found, item)
  return found
}

function keep(found, item) {
  if (found.push(item) > MOST_ITEMS) throw new RangeError(`more than ${MOST_ITEMS} items, where the reference gives an array`)
}

/** A stand-in's generator. @param {(word: 'next' | 'return', sent?: unknown) => unknown} ask for a step, or a promise of one */
function* syncSteps(ask) {
  let sent
  let isDone = false
  try {
    for (;;) {
      const { done, value } = ask('next', sent)
      if ((isDone = done === true)) return value
      sent = yield value
    }
  } finally {
    if (!isDone) ask('return')
  }
}

async function* asyncSteps(ask) {
  let sent
  let isDone = false
  try {
    for (;;) {
      const { done, value } = await ask('next', sent)
      if ((isDone = done === true)) return value
      sent = yield value
    }
  } finally {
    if (!isDone) await ask('return')
  }
}

/** A promise of what an object with `then` comes to. */
function settled(object) {
  return new Promise((resolve, reject) => object.then(resolve, reject))
}

module.exports = { asyncSteps, FLAGS, flagsOf, items, settled, started, step, syncSteps }
