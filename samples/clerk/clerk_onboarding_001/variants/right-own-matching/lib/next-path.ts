export const DEFAULT_PATH = '/dashboard'

/** Paths begin with a slash and no second one of either kind, and have no control characters or blanks. */
const PATH = /^\/(?![/\\])[^\s\\\x00-\x1f]*$/

export const safeNextPath = (value: unknown): string => {
  const isPath = typeof value === 'string' && PATH.test(value) && !/^\/onboarding(?:[?#]|$)/.test(value)
  return isPath ? value : DEFAULT_PATH
}
