'use client'

import { useCallback, useReducer } from 'react'
import { useSession } from '@clerk/nextjs'

type State = { kind: 'unknown' } | { kind: 'known'; plan: string } | { kind: 'failed' }

export function usePlan(): [State, () => void] {
  const { session } = useSession()
  const [state, setState] = useReducer((_: State, next: State) => next, { kind: 'unknown' })
  const load = useCallback(() => {
    const request = async () => {
      const headers = new Headers()
      headers.set('authorization', `Bearer ${await session?.getToken()}`)
      const response = await fetch(new Request(new URL('/api/plan', window.location.href), { headers }))
      if (!response.ok) return setState({ kind: 'failed' })
      setState({ kind: 'known', plan: (await response.json()).plan })
    }
    request().catch(() => setState({ kind: 'failed' }))
  }, [session])
  return [state, load]
}
