// Requests, responses, forms and abort signals. Bodies are read from the other side as they are needed.
'use strict'
const { ProtocolError } = require('./frames.cjs')
const { need, text } = require('./values.cjs')

const readers = new WeakMap() // request or response → the reader of its body
const controllers = new WeakMap() // peer → number of a signal of theirs → its controller here
const BODILESS = new Set([101, 103, 204, 205, 304])

function encode(peer, value, path) {
  switch (Object.prototype.toString.call(value)) {
    case '[object Request]':
      return ['request', peer.lend(value, path), value.url, value.method, [...value.headers], value.body !== null, value.redirect]
    case '[object Response]':
      if (value.status < 200) return peer.policy.sends(path, `a response of type ${value.type}`)
      return ['response', peer.lend(value, path), value.status, value.statusText, [...value.headers], value.body !== null, value.url]
    case '[object FormData]':
      if ([...value.values()].some((part) => typeof part !== 'string')) return peer.policy.sends(path, 'a form with files')
      return ['form', [...value]]
    case '[object AbortSignal]':
      return encodeSignal(peer, value, path)
    default:
      return undefined
  }
}

function encodeSignal(peer, signal, path) {
  const number = peer.lend(signal, path)
  signal.addEventListener('abort', () => peer.tell('abort', number, peer.encode(signal.reason, path)), { once: true })
  return ['signal', number, signal.aborted, signal.aborted ? peer.encode(signal.reason, path) : null]
}

function decode(peer, [tag, ...rest], path) {
  switch (tag) {
    case 'request': {
      const [number, url, method, headers, hasBody, redirect] = rest
      const body = hasBody === true ? { body: stream(peer, number), duplex: 'half' } : {}
      return peer.standIns.keep(number, path, () => new Request(text(url), { method: text(method), headers: pairs(headers), redirect: text(redirect), ...body }))
    }
    case 'response':
      return peer.standIns.keep(rest[0], path, () => response(peer, ...rest))
    case 'form': {
      const form = new FormData()
      for (const [name, value] of pairs(rest[0])) form.append(name, value)
      return form
    }
    case 'signal':
      return decodeSignal(peer, path, ...rest)
    default:
      throw new ProtocolError('a value of an unknown kind')
  }
}

function response(peer, number, status, statusText, headers, hasBody, url) {
  need(Number.isInteger(status), 'a response')
  const body = hasBody === true && !BODILESS.has(status) ? stream(peer, number) : null
  const made = new Response(body, { status, statusText: text(statusText), headers: pairs(headers) })
  if (text(url)) Object.defineProperty(made, 'url', { value: url })
  return made
}

function decodeSignal(peer, path, number, aborted, reason) {
  return peer.standIns.keep(number, path, () => {
    const controller = new AbortController()
    if (!controllers.has(peer)) controllers.set(peer, new Map())
    controllers.get(peer).set(number, controller)
    if (aborted === true) controller.abort(peer.decode(reason, path))
    return controller.signal
  })
}

function abort(peer, number, reason) {
  const controller = controllers.get(peer)?.get(number)
  need(controller !== undefined, 'a signal')
  controller.abort(peer.decode(reason, ''))
}

function stream(peer, number) {
  const take = async (controller) => {
    const bytes = await peer.ask('', 'chunk', number)
    if (bytes === null) controller.close()
    else {
      need(bytes instanceof Uint8Array, 'a part of a body')
      controller.enqueue(bytes)
    }
  }
  const leave = async () => {
    try {
      await peer.ask('', 'cancel', number)
    } catch {
      // The other side is gone, and its source with it.
    }
  }
  return new ReadableStream({ type: 'bytes', pull: take, cancel: leave }, { highWaterMark: 0 })
}

function reader(object) {
  need(['[object Request]', '[object Response]'].includes(Object.prototype.toString.call(object)) && object.body, 'a body')
  if (!readers.has(object)) readers.set(object, object.body.getReader())
  return readers.get(object)
}

/** The next part of the body of something of ours, null at its end. */
async function chunk(object) {
  const body = reader(object)
  for (;;) {
    const { done, value } = await body.read()
    if (done) return null
    if (value.length) return new Uint8Array(value)
  }
}

/** Nobody reads on: whoever makes the body of something of ours is told, and may stop. */
async function cancel(object) {
  await reader(object).cancel()
}

function pairs(nodes) {
  need(Array.isArray(nodes) && nodes.every((pair) => Array.isArray(pair) && pair.length === 2), 'pairs')
  return nodes.map(([name, value]) => [text(name), text(value)])
}

module.exports = { abort, cancel, chunk, decode, encode }
