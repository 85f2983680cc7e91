// A pack: trusted CommonJS packages as one file, with V8's compiled code and what each `require` led to.
//
// Loaded before a program, by --require. SDKBENCH_PACK is a folder that a run of ours has filled
// when an environment was new, and that nobody can write to later; SDKBENCH_PACK_NEW is the folder
// that such a run fills. Whatever a pack does not hold is loaded as ever.
'use strict'
const { closeSync, openSync, readFileSync, readSync, writeFileSync } = require('node:fs')
const Module = require('node:module')
const { dirname } = require('node:path')
const { constants, Script } = require('node:vm')

const kept = process.env.SDKBENCH_PACK
const made = process.env.SDKBENCH_PACK_NEW
if (process.env.JEST_WORKER_ID) delete process.env.SDKBENCH_PACK // judged code needn't see it

const loadAnew = Module._extensions['.js']
const resolveAnew = Module._resolveFilename
const VENDORED = '/node_modules/'

function compiled(source, filename, cachedData) {
  return new Script(Module.wrap(source), {
    filename,
    columnOffset: -Module.wrapper[0].length,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
}

/** As Node runs a module that it has compiled. */
function run(script, module, filename) {
  const require = (id) => module.require(id)
  require.resolve = (request, options) => Module._resolveFilename(request, module, false, options)
  require.resolve.paths = (request) => Module._resolveLookupPaths(request, module)
  require.main = process.mainModule
  require.extensions = Module._extensions
  require.cache = Module._cache
  script.runInThisContext().call(module.exports, module.exports, require, module, filename, dirname(filename))
}

/** One name for a request: where it came from matters, and nothing else of the module. */
function asked(request, parent, options) {
  return options === undefined && parent?.filename?.includes(VENDORED) ? `${dirname(parent.filename)}\0${request}` : undefined
}

function read(folder) {
  const { files, resolutions } = JSON.parse(readFileSync(`${folder}/index.json`, 'utf8'))
  const fd = openSync(`${folder}/pack.bin`, 'r')
  const bytes = (offset, length) => {
    const data = Buffer.allocUnsafeSlow(length)
    readSync(fd, data, 0, length, offset)
    return data
  }
  Module._extensions['.js'] = function (module, filename) {
    if (!Object.hasOwn(files, filename)) return loadAnew(module, filename)
    const [start, length, size] = files[filename]
    const data = bytes(start, length + size)
    run(compiled(data.toString('utf8', 0, length), filename, data.subarray(length)), module, filename)
  }
  Module._resolveFilename = function (request, parent, isMain, options) {
    const question = asked(request, parent, options)
    if (question !== undefined && Object.hasOwn(resolutions, question)) return resolutions[question]
    return resolveAnew.call(this, request, parent, isMain, options)
  }
  process.once('exit', () => closeSync(fd))
}

function record(folder) {
  const scripts = []
  const resolutions = {}
  Module._extensions['.js'] = function (module, filename) {
    const load = module._compile
    module._compile = (source) => {
      if (source.startsWith('#!') || !filename.includes(VENDORED)) return load.call(module, source, filename)
      const script = compiled(source, filename)
      scripts.push([filename, source, script])
      return run(script, module, filename)
    }
    loadAnew(module, filename)
    delete module._compile
  }
  Module._resolveFilename = function (request, parent, isMain, options) {
    const filename = resolveAnew.call(this, request, parent, isMain, options)
    const question = asked(request, parent, options)
    if (question !== undefined && (filename.includes(VENDORED) || Module.isBuiltin(filename))) resolutions[question] = filename
    return filename
  }
  // At the end: by then V8 has compiled the functions that such a program calls.
  process.once('exit', () => {
    const files = {}
    const parts = []
    let offset = 0
    for (const [filename, source, script] of scripts) {
      const text = Buffer.from(source)
      const code = script.createCachedData()
      files[filename] = [offset, text.length, code.length]
      offset += text.length + code.length
      parts.push(text, code)
    }
    writeFileSync(`${folder}/pack.bin`, Buffer.concat(parts))
    writeFileSync(`${folder}/index.json`, JSON.stringify({ files, resolutions }))
  })
}

if (made) record(made)
else if (kept) {
  try {
    read(kept)
  } catch {
    // The cache was swept meanwhile.
  }
}
