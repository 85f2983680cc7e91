'use client'

import { useAuth } from '@clerk/nextjs'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { completeOnboarding, type OnboardingErrors } from '@/app/onboarding/actions'

export function OnboardingForm({ next }: { next: string }) {
  const { getToken } = useAuth()
  const router = useRouter()
  const [errors, setErrors] = useState<OnboardingErrors>({})

  async function submit(form: FormData) {
    const result = await completeOnboarding(form)
    if (!result.ok) return setErrors(result.errors)
    // The token at hand still has the old claims.
    await getToken({ skipCache: true })
    router.push(result.next)
  }

  return (
    <form action={submit}>
      <input type="hidden" name="next" value={next} />
      <label>
        Company <input name="company" /> {errors.company}
      </label>
      <label>
        Team <input name="team" /> {errors.team}
      </label>
      <label>
        Phone <input name="phone" /> {errors.phone}
      </label>
      <button>Continue</button>
      {errors.form && <p role="alert">{errors.form}</p>}
    </form>
  )
}
