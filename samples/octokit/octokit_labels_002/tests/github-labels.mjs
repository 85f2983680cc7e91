/** The labels of one repository, as GitHub's REST API serves them on the loopback interface. */
import { createServer } from 'node:http'

const LABELS = '/repos/acme/engine/labels'
let latestId = 1000 // an id is never given twice
const same = (one, other) => one.toLowerCase() === other.toLowerCase()

/** @param {object[]} labels what the repository has; requests change it */
export async function startGitHub(labels) {
  const requests = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const url = new URL(request.url, `http://${request.headers.host}`)
    const body = text ? JSON.parse(text) : undefined
    requests.push({ line: `${request.method} ${url.pathname}`, body })
    const { status, data, link } = answer(labels, request.method, url, body)
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', connection: 'close', ...(link && { link }) })
    response.end(status === 204 ? undefined : JSON.stringify(data))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}`,
    requests,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

function answer(labels, method, url, body) {
  if (url.pathname === LABELS) return method === 'GET' ? page(labels, url) : created(labels, body)
  const index = labels.findIndex(({ name }) => same(name, decodeURIComponent(url.pathname.replace(`${LABELS}/`, ''))))
  if (index < 0) return { status: 404, data: { message: 'Not Found' } }
  if (method === 'DELETE') {
    labels.splice(index, 1)
    return { status: 204 }
  }
  const { new_name: name = labels[index].name, ...more } = body
  labels[index] = { ...labels[index], ...more, name }
  return { status: 200, data: labels[index] }
}

function created(labels, { name, color, description = null }) {
  if (labels.some((label) => same(label.name, name))) return { status: 422, data: { message: 'Validation Failed' } }
  if (!/^[0-9a-f]{6}$/.test(color)) return { status: 422, data: { message: 'color is invalid' } }
  latestId += 1
  labels.push({ id: latestId, name, color, description, default: false })
  return { status: 201, data: labels.at(-1) }
}

function page(labels, url) {
  const size = Math.min(Number(url.searchParams.get('per_page') ?? 30), 100)
  const number = Number(url.searchParams.get('page') ?? 1)
  const next = new URL(url)
  next.searchParams.set('page', String(number + 1))
  const hasMore = number * size < labels.length
  return { status: 200, data: labels.slice((number - 1) * size, number * size), link: hasMore ? `<${next.href}>; rel="next"` : undefined }
}
