// Wrong: updateUser() replaces all other metadata of the user.
'use server'

import { auth, clerkClient } from '@clerk/nextjs/server'
import { safeNextPath } from '@/lib/next-path'

export type OnboardingErrors = Partial<Record<'company' | 'team' | 'phone' | 'form', string>>

export type OnboardingResult = { ok: true; next: string } | { ok: false; errors: OnboardingErrors }

const COMPANY_LENGTH = 80
const TEAMS = ['engineering', 'design', 'sales']
const PHONE = /^[\d +]{6,20}$/

export async function completeOnboarding(form: FormData): Promise<OnboardingResult> {
  const { userId } = await auth()
  if (!userId) return { ok: false, errors: { form: 'Sign in first.' } }

  const [company, team, phone] = ['company', 'team', 'phone'].map((name) => String(form.get(name) ?? '').trim())
  const errors: OnboardingErrors = {}
  if (company === '' || company.length > COMPANY_LENGTH) errors.company = 'Please name your company.'
  if (!TEAMS.includes(team)) errors.team = 'Please choose one of the teams.'
  if (phone !== '' && !PHONE.test(phone)) errors.phone = 'This is no phone number.'
  if (Object.keys(errors).length > 0) return { ok: false, errors }

  try {
    const client = await clerkClient()
    await client.users.updateUser(userId, {
      publicMetadata: { onboardingComplete: true, company, team },
      privateMetadata: phone === '' ? {} : { phone },
    })
  } catch {
    return { ok: false, errors: { form: 'This could not be saved. Please try again.' } }
  }
  return { ok: true, next: safeNextPath(form.get('next')) }
}
