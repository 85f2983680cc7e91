export const DEFAULT_PATH = '/dashboard'

// TODO: where to go after onboarding. `value` comes from the address, so anybody may have written it.
//   a path of this site, such as /reports?year=2024: itself
//   everything else, such as https://evil.test, //evil.test, /\evil.test or no text: DEFAULT_PATH
//   /onboarding itself, with or without a query: DEFAULT_PATH
export function safeNextPath(value: unknown): string {
  return DEFAULT_PATH
}
