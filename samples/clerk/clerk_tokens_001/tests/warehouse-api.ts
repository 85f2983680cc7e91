/** Clerk's tokens and the warehouse that accepts them, both in memory. */
import { answerFirst } from '../support/clerk-api'

const TOKENS = /^\/v1\/sessions\/([^/]+)\/tokens\/?([^/]*)$/

export interface Sent {
  /** Method and address: "GET https://warehouse.example.test/v2/items/nut". */
  line: string
  authorization: string | null
  type: string | null
  body: unknown
}

export function startWarehouse() {
  const sent: Sent[] = []
  const tokenRequests: string[] = []
  const warehouse = {
    sent,
    /** Sessions and templates that Clerk was asked for a token of. */
    tokenRequests,
    /** What the warehouse answers, the last one for good. */
    answers: [] as (() => Response)[],
    /** What Clerk answers rather than a token. */
    insteadOfToken: null as (() => Response) | null,
  }
  answerFirst(async (request) => {
    const url = new URL(request.url)
    const [, session, template] = TOKENS.exec(url.pathname) ?? []
    if (url.origin === 'https://api.clerk.com' && session) {
      tokenRequests.push(`${session} ${template}`)
      if (warehouse.insteadOfToken) return warehouse.insteadOfToken()
      return Response.json({ object: 'token', jwt: `token-${tokenRequests.length}-of-${session}-for-${template}` })
    }
    if (url.hostname !== 'warehouse.example.test') return null
    const text = await request.text()
    sent.push({
      line: `${request.method} ${request.url}`,
      authorization: request.headers.get('authorization'),
      type: request.headers.get('content-type'),
      body: text === '' ? null : JSON.parse(text),
    })
    const answer = warehouse.answers.length > 1 ? warehouse.answers.shift() : warehouse.answers[0]
    return answer!()
  })
  return warehouse
}

export type Warehouse = ReturnType<typeof startWarehouse>

export const status = (code: number) => () => Response.json({ error: 'made to fail' }, { status: code })
export const json = (value: unknown, code = 200) => () => Response.json(value, { status: code })
