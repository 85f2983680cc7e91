/** A small part of GitHub's REST API on the loopback interface. */
import { createServer } from 'node:http'

const REPOSITORY = '/repos/acme/engine'

/** @param {object[]} issues what the repository holds; it is changed by the requests */
export async function startGitHub(issues) {
  const requests = []
  const failures = new Map()
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const url = new URL(request.url, `http://${request.headers.host}`)
    const line = `${request.method} ${url.pathname}`
    const body = text === '' ? undefined : JSON.parse(text)
    requests.push({ line, body, authorization: request.headers.authorization })
    const { status, data, link } = failures.has(line)
      ? { status: failures.get(line), data: { message: 'made to fail' } }
      : answer(issues, request.method, url, body)
    const headers = { 'content-type': 'application/json; charset=utf-8', connection: 'close' }
    if (link) headers.link = link
    response.writeHead(status, headers).end(JSON.stringify(data))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}`,
    requests,
    fail: (line, status) => failures.set(line, status),
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

function answer(issues, method, url, body) {
  const match = /^\/issues(?:\/(\d+)(\/comments)?)?$/.exec(url.pathname.replace(REPOSITORY, ''))
  if (!url.pathname.startsWith(REPOSITORY) || !match) return { status: 404, data: { message: 'Not Found' } }
  if (!match[1]) return listPage(issues, url)
  const issue = issues.find(({ number }) => number === Number(match[1]))
  if (!issue) return { status: 404, data: { message: 'Not Found' } }
  if (match[2]) {
    issue.comments = [...(issue.comments ?? []), body.body]
    return { status: 201, data: { id: 1, body: body.body } }
  }
  if (method === 'PATCH') Object.assign(issue, body)
  return { status: 200, data: issue }
}

function listPage(issues, url) {
  const wanted = url.searchParams
  const label = wanted.get('labels')
  const state = wanted.get('state') ?? 'open'
  const found = issues.filter((issue) => (state === 'all' || issue.state === state) && (!label || issue.labels.includes(label)))
  const size = Number(wanted.get('per_page') ?? 30)
  const page = Number(wanted.get('page') ?? 1)
  const last = Math.max(1, Math.ceil(found.length / size))
  const addressOf = (number) => {
    const address = new URL(url)
    address.searchParams.set('page', String(number))
    return address.href
  }
  const link = page < last ? `<${addressOf(page + 1)}>; rel="next", <${addressOf(last)}>; rel="last"` : undefined
  return { status: 200, data: found.slice((page - 1) * size, page * size), link }
}
