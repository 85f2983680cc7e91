'use client'

import { ClerkLoaded, ClerkLoading, SignedIn, SignedOut, SignOutButton, useUser } from '@clerk/nextjs'
import { usePlan } from '@/components/use-plan'

export function ProfileCard() {
  return (
    <>
      <ClerkLoading>
        <output>Loading…</output>
      </ClerkLoading>
      <ClerkLoaded>
        <SignedOut>You are signed out.</SignedOut>
        <SignedIn>
          <Details />
        </SignedIn>
      </ClerkLoaded>
    </>
  )
}

function Details() {
  const { user } = useUser()
  const [plan, loadPlan] = usePlan()
  return (
    <article>
      <h1>{[user?.firstName, user?.lastName].join(' ')}</h1>
      <a href={`mailto:${user?.primaryEmailAddress}`}>{user?.primaryEmailAddress?.emailAddress}</a>
      <button onClick={loadPlan}>Show plan</button>
      {plan.kind === 'known' && <span>{`Plan: ${plan.plan}`}</span>}
      {plan.kind === 'failed' && <div role="alert">Could not load the plan.</div>}
      <SignOutButton>
        <button>Sign out</button>
      </SignOutButton>
    </article>
  )
}
