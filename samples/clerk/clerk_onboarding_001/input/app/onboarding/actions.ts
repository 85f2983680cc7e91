'use server'

export type OnboardingErrors = Partial<Record<'company' | 'team' | 'phone' | 'form', string>>

export type OnboardingResult = { ok: true; next: string } | { ok: false; errors: OnboardingErrors }

// TODO: finish the onboarding of the signed-in user. The first three fields count without blanks at
// their ends:
//   company  1 to 80 characters
//   team     engineering, design or sales
//   phone    may be missing or blank; otherwise 6 to 20 digits, blanks and + signs
//   next     where to go afterwards (lib/next-path.ts)
// Public metadata gets onboardingComplete: true, company and team; private metadata gets phone, if there is
// one. Phone numbers are nowhere else, and all other metadata of the user stays as it is.
//   signed out:                 { ok: false, errors: { form } }
//   bad fields:                 { ok: false, errors } with one text for each of them, and no others
//   Clerk answers with an error: { ok: false, errors: { form } }
//   otherwise:                  { ok: true, next }
// Where ok is false, nothing was saved.
export async function completeOnboarding(form: FormData): Promise<OnboardingResult> {
  return { ok: false, errors: { form: 'Not implemented' } }
}
