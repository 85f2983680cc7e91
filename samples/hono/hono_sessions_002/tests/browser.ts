/** What browsers do with cookies, and cookies signed as Hono signs them. */
import { createHmac } from 'node:crypto'

export interface SetCookie {
  value: string
  attributes: string[] // in lower case, sorted
}

/** The cookies that an answer sets, by name. */
export function cookiesOf(response: Response): Record<string, SetCookie> {
  const set = response.headers.getSetCookie().map((line) => {
    const [pair, ...attributes] = line.split(/; */)
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
    return [name, { value: decodeURIComponent(value), attributes: attributes.map((one) => one.toLowerCase()).sort() }]
  })
  return Object.fromEntries(set)
}

/** The header for a session that was signed with the secret. */
export function session(value: string, secret: string): string {
  const signature = createHmac('sha256', secret).update(value).digest('base64')
  return `session=${encodeURIComponent(`${value}.${signature}`)}`
}
