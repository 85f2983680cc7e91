/** A part of Stripe's API on the loopback interface, and deliveries signed as Stripe signs them. */
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedRequest {
  line: string
  key: string | undefined
  fields: Record<string, string>
}

export async function startStripe(answer: () => { status: number; body: object }) {
  const requests: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const key = request.headers['idempotency-key'] as string | undefined
    requests.push({ line: `${request.method} ${request.url}`, key, fields: Object.fromEntries(new URLSearchParams(text)) })
    const { status, body } = answer()
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { port, requests, stop: () => new Promise((resolve) => server.close(resolve)) }
}

export function delivery(event: object, secret: string, sentSecondsAgo = 0): Request {
  const body = JSON.stringify(event, null, 2) // Stripe's bodies are indented
  const sent = Math.floor(Date.now() / 1000) - sentSecondsAgo
  const signature = createHmac('sha256', secret).update(`${sent}.${body}`).digest('hex')
  return new Request('https://shop.example.test/webhook', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${sent},v1=${signature}` },
    body,
  })
}
