'use server'

import { createClerkClient, currentUser } from '@clerk/nextjs/server'
import { safeNextPath } from '@/lib/next-path'

type Field = 'company' | 'team' | 'phone'
export type OnboardingErrors = { [name in Field | 'form']?: string }
export type OnboardingResult = { ok: true; next: string } | { ok: false; errors: OnboardingErrors }

const clerk = createClerkClient({ secretKey: process.env.CLERK_SECRET_KEY })

const checks: Record<Field, (text: string) => boolean> = {
  company: (text) => text.length > 0 && text.length <= 80,
  team: (text) => ['engineering', 'design', 'sales'].some((team) => team === text),
  phone: (text) => text === '' || /^[0-9+ ]{6,20}$/.test(text),
}

export async function completeOnboarding(form: FormData): Promise<OnboardingResult> {
  try {
    const user = await currentUser()
    if (user === null) return { ok: false, errors: { form: 'signed out' } }

    const read = (name: string) => (form.get(name) as string | null)?.trim() ?? ''
    const bad = (Object.keys(checks) as Field[]).filter((name) => !checks[name](read(name)))
    if (bad.length) return { ok: false, errors: Object.fromEntries(bad.map((name) => [name, `${name} is wrong`])) }

    const phone = read('phone')
    await clerk.users.updateUser(user.id, {
      publicMetadata: { ...user.publicMetadata, onboardingComplete: true, company: read('company'), team: read('team') },
      privateMetadata: { ...user.privateMetadata, ...(phone ? { phone } : null) },
    })
    return { ok: true, next: safeNextPath(form.get('next')) }
  } catch {
    return { ok: false, errors: { form: 'later, please' } }
  }
}
