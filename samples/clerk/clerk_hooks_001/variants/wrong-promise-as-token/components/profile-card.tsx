// Wrong: getToken() is not awaited, so the header carries [object Promise].
'use client'

import { useState } from 'react'
import { useAuth, useUser } from '@clerk/nextjs'

export function ProfileCard() {
  const { isLoaded, isSignedIn, user } = useUser()
  const { getToken, signOut } = useAuth()
  const [plan, setPlan] = useState<string | null>(null)
  const [failed, setFailed] = useState(false)

  if (!isLoaded) return <p role="status">Loading…</p>
  if (!isSignedIn) return <p>You are signed out.</p>

  async function showPlan() {
    setFailed(false)
    setPlan(null)
    try {
      const token = getToken()
      const response = await fetch('/api/plan', { headers: { Authorization: `Bearer ${token}` } })
      if (!response.ok) throw new Error(`status ${response.status}`)
      const body: { plan: string } = await response.json()
      setPlan(body.plan)
    } catch {
      setFailed(true)
    }
  }

  return (
    <section>
      <h2>{user.fullName}</h2>
      <p>{user.primaryEmailAddress?.emailAddress}</p>
      {plan !== null && <p>Plan: {plan}</p>}
      {failed && <p role="alert">Could not load the plan.</p>}
      <button type="button" onClick={showPlan}>
        Show plan
      </button>
      <button type="button" onClick={() => signOut()}>
        Sign out
      </button>
    </section>
  )
}
