// Classes of packages that both sides have, so that an error of such a class is one on the other side too.
'use strict'

const MAX_DEPTH = 3
const MOST = 5000
const ORDINARY = /^[A-Za-z_$][\w$]*$/

class Packages {
  #names = new Map() // class → "package name.export…"
  #classes = new Map()

  /** @param {Record<string, object>} modules by the name of their package */
  constructor(modules) {
    let left = MOST
    const seen = new Set()
    const visit = (value, name, depth) => {
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value) || --left < 0) return
      seen.add(value)
      if (typeof value === 'function' && value.prototype instanceof Error) {
        this.#names.set(value, name)
        this.#classes.set(name, value)
      }
      if (depth === MAX_DEPTH) return
      for (const [key, field] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
        if (ORDINARY.test(key) && key !== 'prototype' && (field.enumerable || typeof field.value === 'function')) {
          visit('value' in field ? field.value : undefined, `${name}.${key}`, depth + 1)
        }
      }
    }
    for (const [name, module] of Object.entries(modules)) visit(typeof module === 'function' ? module : { ...module }, name, 0)
  }

  nameOf(value) {
    return this.#names.get(value)
  }

  find(name) {
    return this.#classes.get(name)
  }
}

module.exports = { Packages }
