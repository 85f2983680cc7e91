// Starts the service, and speaks to it as any client would.
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const ORIGIN = 'http://127.0.0.1:8787'
const READY_MS = 60_000

export async function start(): Promise<ChildProcess> {
  const service = spawn('solution', { stdio: ['ignore', 'inherit', 'inherit'] })
  const deadline = Date.now() + READY_MS
  while (Date.now() < deadline) {
    if (service.exitCode !== null) throw new Error(`the service ended with exit code ${service.exitCode}`)
    try {
      await fetch(`${ORIGIN}/`)
      return service
    } catch {
      await sleep(50)
    }
  }
  throw new Error('the service does not listen')
}

export interface Answer {
  status: number
  headers: Headers
  json: any // undefined where the body is not JSON
}

export async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(ORIGIN + path, {
    method,
    // A connection for each request: a service may close one whenever it has answered.
    headers: { connection: 'close', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: text,
  })
  const answer = await response.text()
  return { status: response.status, headers: response.headers, json: parsed(answer) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export async function refused(status: number, ...request: Parameters<typeof ask>): Promise<void> {
  const answer = await ask(...request)
  if (answer.status !== status) throw new Error(`${request[0]} ${request[1]}: ${answer.status} instead of ${status}`)
  if (typeof answer.json?.error !== 'string') throw new Error(`${request[0]} ${request[1]}: no error is told`)
}
