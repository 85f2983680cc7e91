export const DEFAULT_PATH = '/dashboard'

const HERE = 'https://this.site'

/** `value`, if it is a path of this site that leads on from onboarding. */
export function safeNextPath(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith('/')) return DEFAULT_PATH
  // Browsers take more for a foreign address than one would think, so it is read as they do.
  const url = URL.canParse(value, HERE) ? new URL(value, HERE) : null
  if (url?.origin !== HERE || url.pathname === '/onboarding') return DEFAULT_PATH
  return value
}
