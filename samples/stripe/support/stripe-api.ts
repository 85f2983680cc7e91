/** A stand-in for Stripe's API on the loopback interface: it answers as a test says, and remembers what was asked. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  /** Method and path, without the query: "POST /v1/refunds". */
  line: string
  query: Record<string, string>
  /** The form's fields by the names that Stripe gives them: "items[0][price]". */
  fields: Record<string, string>
  /** The header Idempotency-Key. */
  key: string | undefined
  headers: Record<string, string | undefined>
}

export interface Answer {
  status?: number
  body: object
}

export async function startStripe(answer: (asked: Asked) => Answer) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const url = new URL(request.url ?? '/', 'http://stripe.example.test')
    const headers = request.headers as Record<string, string | undefined>
    const one: Asked = {
      line: `${request.method} ${url.pathname}`,
      query: Object.fromEntries(url.searchParams),
      fields: Object.fromEntries(new URLSearchParams(text)),
      key: headers['idempotency-key'],
      headers,
    }
    asked.push(one)
    const { status = 200, body } = answer(one)
    // A connection for each request: none is left open when the server stops.
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': `req_${asked.length}`, connection: 'close' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    asked,
    /** What a client is to be made with to reach this server. */
    connection: { apiKey: 'sk_test_123', host: '127.0.0.1', port, protocol: 'http' as const },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

export type StripeApi = Awaited<ReturnType<typeof startStripe>>

/** How Stripe says that a request is wrong. */
export function refusal(message: string, more: object = {}): Answer {
  return { status: 400, body: { error: { type: 'invalid_request_error', message, ...more } } }
}

/** How Stripe says that a card was declined. */
export function cardError(code: string, more: object = {}): Answer {
  return { status: 402, body: { error: { type: 'card_error', code, message: `The card says ${code}.`, ...more } } }
}

/** A page of a list as Stripe cuts it: ten items unless `limit` says otherwise, after the id `starting_after`. */
export function page(items: { id: string }[], { query, line }: Asked): Answer {
  const limit = Number(query.limit ?? 10)
  if (!(limit >= 1 && limit <= 100)) return refusal('Limits are numbers from 1 to 100.', { param: 'limit' })
  const start = query.starting_after === undefined ? 0 : items.findIndex(({ id }) => id === query.starting_after) + 1
  const data = items.slice(start, start + limit)
  return { body: { object: 'list', url: line.split(' ')[1], has_more: start + limit < items.length, data } }
}
