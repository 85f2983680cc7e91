// The tests' side: modules of the solution, made of what the other side answers.
'use strict'
const { randomUUID } = require('node:crypto')
const { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const net = require('node:net')
const { join, relative } = require('node:path')
const { setTimeout } = require('node:timers') // tests may replace the global one
const { types } = require('node:util')
const { Bridge } = require('./bridge.cjs')
const { GivenContext } = require('./context.cjs')
const { watchFiles } = require('./files.cjs')
const { Packages } = require('./packages.cjs')
const { Peer } = require('./peer.cjs')
const { named } = require('./policy.cjs')
const { Profile } = require('./profile.cjs')
const { watchServers } = require('./network/servers.cjs')

const EXTENSION = /(\/index)?\.([cm]?[jt]s|[jt]sx)$/
const SOURCE = /\.([cm]?[jt]s|[jt]sx)$/
const KEY = Symbol.for('sdkbench.apart')
const SERVER = /^[\w-]{1,50}\.sock$/ // of somebody who waits for a process of tests
const LOOK_MS = 5
const NOBODY =
  "the process that should load the solution ended before a test asked for it. It has the framework's configuration and " +
  "none of the tests' files, so a configuration that names a setup file of theirs fails there; keep it in solution_driver/, or import it from the tests"

class Solution {
  /** @type {Promise<void>} settled when somebody answers, or nobody will */
  ready
  #peer
  #root
  #elsewhere // folders whose modules are on the other side
  #modules = new Map()
  #exports = new WeakSet()
  #followers = []
  #greeted
  #shared
  #wanted // a file that tells the other side that somebody waits

  /**
   * @param {object} order
   * @param {string} order.shared the folder where both sides meet
   * @param {string} order.root the solution's folder, as the tests see it
   * @param {string[]} order.drivers the sample's own folders that run beside the solution
   * @param {string} order.notes a folder for what this process saw
   * @param {string | null} order.profile the file with the reference's facts
   * @param {Record<string, string>} order.env the environment of the tests' parent
   * @param {string} order.gone a file that is there once nobody will answer
   */
  constructor({ shared, root, drivers, notes, profile, gone, env }) {
    this.#root = root
    this.#shared = shared
    this.#wanted = join(shared, `${randomUUID()}.wanted`)
    this.#elsewhere = [root, ...drivers]
    const facts = profile === null ? null : JSON.parse(readFileSync(profile, 'utf8'))
    const policy = new Profile(facts, join(notes, `${process.pid}-${randomUUID()}.jsonl`))
    this.#peer = new Peer({
      policy,
      fault: (text) => policy.fault(text),
      changed: () => this.#followers.forEach((update) => update()),
    })
    this.#peer.context = new GivenContext(this.#peer, env)
    this.#peer.isModule = (value) => types.isModuleNamespaceObject(value) || this.#exports.has(value)
    this.ready = new Promise((resolve) => (this.#greeted = resolve))
    this.bridge = new Bridge({
      side: 't',
      reach: () => this.#reach() ?? (existsSync(gone) ? NOBODY : null),
      take: (tree) => {
        this.#greeted()
        this.#peer.take(tree)
      },
      ended: (reason) => {
        this.#greeted()
        if (/protocol error/.test(reason)) policy.fault(`the solution's side broke the ${reason}`)
        this.#peer.ended(reason)
      },
    })
    this.#peer.open(this.bridge)
    this.#look()
    watchServers(this.bridge)
    watchFiles(root, (what) => policy.refuses('the solution', what).met())
  }

  /** Until somebody is reached, by whoever waits or by the event loop. */
  #look() {
    if (this.bridge.isAttached || this.bridge.isOver) return
    this.bridge.look()
    setTimeout(() => this.#look(), LOOK_MS).unref()
  }

  /** Connect to the first who waits for a caller; null, as there is still hope. */
  #reach() {
    for (const name of readdirSync(this.#shared).filter((one) => SERVER.test(one))) {
      const base = join(this.#shared, name.replace(/\.sock$/, ''))
      try {
        renameSync(`${base}.sock`, `${base}.taken`)
      } catch {
        continue // another process was quicker
      }
      const socket = new net.Socket()
      socket.connect(`${base}.taken`)
      this.bridge.attach(socket, base)
      rmSync(this.#wanted, { force: true })
      return null
    }
    if (!existsSync(this.#wanted)) writeFileSync(this.#wanted, '')
    return null
  }

  /** Classes that the tests may know the solution's errors by. */
  know(modules) {
    this.#peer.packages = new Packages(modules)
  }

  /** Whether a file is a module of the other side. Its data is here as well, and is read as ever. */
  holds(path) {
    return this.#elsewhere.some((folder) => path.startsWith(`${folder}/`)) && SOURCE.test(path) && !path.includes('/node_modules/')
  }

  /** What a module of the solution exports; `mode` is how it was asked for: import or require. */
  open(path, mode) {
    const file = relative(this.#root, path)
    const key = `${mode} ${file}`
    this.#peer.context.begin()
    if (!this.#modules.has(key)) {
      const exported = this.#peer.ask(pathOf(file), 'load', file, mode)
      this.#modules.set(key, exported)
      if (typeof exported === 'object' && exported !== null) this.#exports.add(exported)
    }
    return this.#modules.get(key)
  }

  /** `update` is called with a module's exports, now and whenever they may be others. All `names` must be there. */
  follow(path, update, names = []) {
    const exported = this.open(path, 'import')
    const missing = names.find((name) => !(name in exported))
    if (missing) throw new SyntaxError(`The module '${path}' does not provide an export named '${missing}'`)
    const values = () => Object.fromEntries(Object.keys(exported).map((name) => [name, valueOf(exported, name)]))
    update(values())
    this.#followers.push(() => update(values()))
  }

  /** The names that a module exports and that tests can have imported. */
  names(path) {
    const file = relative(this.#root, path)
    const { policy } = this.#peer
    return Object.keys(this.open(path, 'import')).filter((name) => policy.exports(pathOf(file) + named(name)))
  }
}

/** What can't cross is missed by whoever uses it, not by whoever imports it. */
function valueOf(exported, name) {
  const { get, value } = Object.getOwnPropertyDescriptor(exported, name)
  if (!get) return value
  const traps = Reflect.ownKeys(Reflect).filter((trap) => typeof trap === 'string')
  return new Proxy(() => {}, Object.fromEntries(traps.map((trap) => [trap, () => get()])))
}

/** The same for every way to write a module down. */
function pathOf(file) {
  return file.replace(EXTENSION, '')
}

/** The one of this process, or of this test file where each has a world of its own.
 *
 * @param {(name: string) => object} [load] how that world loads the packages that the tests import
 */
function solution(load) {
  if (!globalThis[KEY]) {
    const order = JSON.parse(process.env.SDKBENCH_APART)
    globalThis[KEY] = new Solution(order)
    if (load) globalThis[KEY].know(Object.fromEntries(order.packages.map((name) => [name, attempted(load, name)])))
  }
  return globalThis[KEY]
}

function attempted(load, name) {
  try {
    return load(name)
  } catch {
    return {} // whoever imports it is told
  }
}

module.exports = { solution }
