// What a run of node:test reports by a channel, from the events of its stream.
const MAX_STDERR = 64 * 1024

/** `isFile` tells the event of a test file, which node:test reports as a test of its own path. */
export class NodeTestReporter {
  failed = false
  #channel
  #isFile
  #stacks = new Map() // file → titles of the tests and suites that have started, by depth
  #stderr = new Map() // file → the last that it wrote there

  constructor(channel, isFile) {
    this.#channel = channel
    this.#isFile = isFile
  }

  handle({ type, data }) {
    if (type === 'test:stderr') this.#stderr.set(data.file, ((this.#stderr.get(data.file) ?? '') + data.message).slice(-MAX_STDERR))
    else if (type === 'test:start') this.#start(data)
    else if (type === 'test:pass') this.#pass(data)
    else if (type === 'test:fail') this.#fail(data)
  }

  #start(event) {
    if (this.#isFile(event)) return
    const started = this.#stacks.get(event.file) ?? []
    started.length = event.nesting
    started[event.nesting] = event.name
    this.#stacks.set(event.file, started)
    this.#channel.sendStart(event.file, this.#titles(event))
  }

  #pass(event) {
    if (this.#isFile(event)) this.#channel.sendFileWithoutTests?.(event.file ?? event.name, event)
    else if (event.details.type !== 'suite') this.#sendCase(event, 'passed')
  }

  #fail(event) {
    const { type, error } = event.details
    const cause = error?.cause ?? error
    const isOwnFailure = error?.failureType !== 'subtestsFailed'
    if (this.#isFile(event)) {
      this.failed = true
      if (isOwnFailure) this.#channel.sendRunError(this.#fileError(event, cause), event.file ?? event.name)
    } else if (type === 'suite') {
      this.failed ||= event.todo === undefined && event.skip === undefined
      if (isOwnFailure) this.#channel.sendRunError(cause, event.file)
    } else {
      this.failed ||= event.todo === undefined
      this.#sendCase(event, 'failed', cause)
    }
  }

  #titles({ file, nesting, name }) {
    return [...(this.#stacks.get(file) ?? []).slice(0, nesting), name]
  }

  /** Why a file could not be loaded stands on its stderr; the event says only "test failed". */
  #fileError({ file, name }, cause) {
    const stack = this.#stderr.get(file ?? name) ?? ''
    const message = stack.split('\n').find((line) => /^(\w*Error|Uncaught)\b/.test(line)) ?? stack.trim().split('\n').at(-1)
    return stack ? { message, stack } : cause
  }

  #sendCase(event, status, error) {
    const isAside = event.skip !== undefined || event.todo !== undefined
    this.#channel.sendCase(event.file, this.#titles(event), {
      status: isAside ? 'skipped' : status,
      expectedFailure: event.expectFailure !== undefined && event.expectFailure !== false,
      milliseconds: event.details.duration_ms,
      reason: event.todo !== undefined ? 'todo' : typeof event.skip === 'string' ? event.skip : '',
      error,
    })
  }
}
