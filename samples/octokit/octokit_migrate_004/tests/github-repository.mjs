/** One repository, as GitHub's REST API serves it on the loopback interface. */
import { createServer } from 'node:http'

const ROOT = '/repos/acme/engine'
const notFound = { status: 404, data: { message: 'Not Found' } }

export class Repository {
  branches = { trunk: 'c0ffee' }
  files = {} // of the default branch, by path: { text, sha }
  pulls = []
  requests = []
  failing = new Map() // "GET /repos/…" → status

  /** What was asked to be changed. */
  get changes() {
    return this.requests.filter(({ line }) => !line.startsWith('GET')).map(({ line, body }) => ({ line: decodeURIComponent(line.replace(ROOT, '')), body }))
  }

  addPull(more = {}) {
    const number = this.pulls.length + 1
    this.pulls.push({ number, state: 'open', draft: false, labels: [{ name: 'bot' }], head: { sha: `5ad${number}` }, ...more })
    return number
  }

  async serve() {
    const server = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      const url = new URL(request.url, `http://${request.headers.host}`)
      const line = `${request.method} ${url.pathname}`
      const body = text ? JSON.parse(text) : undefined
      this.requests.push({ line, body, authorization: request.headers.authorization })
      const failure = this.failing.has(line) && { status: this.failing.get(line), data: { message: 'made to fail' } }
      const { status, data, link } = failure || this.#answer(line.replace(ROOT, ''), url, body)
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', connection: 'close', ...(link && { link }) })
      response.end(JSON.stringify(data))
    })
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    this.baseUrl = `http://127.0.0.1:${server.address().port}`
    this.stop = () => new Promise((resolve) => server.close(resolve))
  }

  #answer(line, url, body) {
    const [, method, path] = /^(\w+) (.*)$/.exec(decodeURIComponent(line))
    const [, area, rest] = /^\/?([a-z]*)\/?(.*)$/.exec(path)
    if (line === 'GET ') return { status: 200, data: { name: 'engine', default_branch: 'trunk' } }
    if (area === 'contents') return this.#contents(method, rest, body)
    if (area === 'git') return this.#git(method, rest, body)
    if (area === 'pulls') return this.#pulls(method, rest, url, body)
    if (area === 'statuses' && method === 'POST') return { status: 201, data: { state: body.state } }
    if (area === 'issues' && /^PUT \d+\/labels$|^POST \d+\/comments$/.test(`${method} ${rest}`)) return { status: 200, data: [] }
    return notFound
  }

  #contents(method, path, body) {
    const file = this.files[path]
    if (method === 'PUT') {
      if (file?.sha !== body.sha) return { status: 409, data: { message: 'the sha does not match' } }
      return { status: file ? 200 : 201, data: { content: { path }, commit: { sha: 'c0de01' } } }
    }
    if (!file) return notFound
    return { status: 200, data: { type: 'file', encoding: 'base64', sha: file.sha, content: inLines(file.text) } }
  }

  #git(method, path, body) {
    if (method === 'POST' && path === 'refs') return { status: 201, data: { ref: body.ref, object: { sha: body.sha } } }
    const sha = this.branches[path.replace('ref/heads/', '')]
    return method === 'GET' && sha ? { status: 200, data: { ref: path.replace('ref/', 'refs/'), object: { sha } } } : notFound
  }

  #pulls(method, path, url, body) {
    if (method === 'POST' && path === '') return { status: 201, data: this.pulls[this.addPull({ title: body.title }) - 1] }
    if (method === 'POST' && /^\d+\/requested_reviewers$/.test(path)) return { status: 201, data: {} }
    if (method !== 'GET') return notFound
    if (path === '') return this.#page(url)
    const pull = this.pulls.find(({ number }) => String(number) === path)
    return pull ? { status: 200, data: pull } : notFound
  }

  #page(url) {
    const size = Number(url.searchParams.get('per_page') ?? 30)
    const number = Number(url.searchParams.get('page') ?? 1)
    const state = url.searchParams.get('state') ?? 'open'
    const listed = this.pulls.filter((pull) => state === 'all' || pull.state === state)
    const next = new URL(url)
    next.searchParams.set('page', String(number + 1))
    const link = number * size < listed.length ? `<${next.href}>; rel="next"` : undefined
    return { status: 200, data: listed.slice((number - 1) * size, number * size), link }
  }
}

/** GitHub breaks the lines of what it encodes. */
function inLines(text) {
  return Buffer.from(text).toString('base64').replace(/.{60}/g, '$&\n')
}
