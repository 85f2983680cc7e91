/** Stands in for `next/headers`: what server code sees of the request being served. */
import type { NextRequest } from 'next/server'

let current: NextRequest | null = null

export function enterRequest(request: NextRequest): void {
  current = request
}

export function leaveRequest(): void {
  current = null
}

function activeRequest(caller: string): NextRequest {
  if (current === null) throw new Error(`\`${caller}\` was called outside a request scope.`)
  return current
}

export async function headers(): Promise<Headers> {
  return new Headers(activeRequest('headers').headers)
}

export async function cookies(): Promise<NextRequest['cookies']> {
  return activeRequest('cookies').cookies
}

export async function draftMode() {
  return { isEnabled: false, enable() {}, disable() {} }
}
