// Wrong: believes that every text with a slash at its beginning is a path of this site.
export const DEFAULT_PATH = '/dashboard'

/** `value`, if it is a path of this site that leads on from onboarding. */
export function safeNextPath(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith('/')) return DEFAULT_PATH
  if (value.split('?')[0] === '/onboarding') return DEFAULT_PATH
  return value
}
