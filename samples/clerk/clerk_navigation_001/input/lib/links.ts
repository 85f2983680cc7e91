/** The navigation's links in their order. Use them as they are: there will be others tomorrow. */
export type Audience =
  | { kind: 'everybody' }
  | { kind: 'signed-out' }
  | { kind: 'signed-in' }
  /** Those who have an active organisation. */
  | { kind: 'organization' }
  /** Those who have this role in the active organisation. */
  | { kind: 'role'; role: string }
  /** Those who have this permission in the active organisation, whatever their role is. */
  | { kind: 'permission'; permission: string }
  /** Our own people: their session has the role "staff" in its claim "metadata". */
  | { kind: 'staff' }

export interface NavigationLink {
  label: string
  href: string
  audience: Audience
}

export const LINKS: readonly NavigationLink[] = [
  { label: 'Home', href: '/', audience: { kind: 'everybody' } },
  { label: 'Pricing', href: '/pricing', audience: { kind: 'signed-out' } },
  { label: 'Sign in', href: '/sign-in', audience: { kind: 'signed-out' } },
  { label: 'Projects', href: '/workspace', audience: { kind: 'signed-in' } },
  { label: 'Team', href: '/workspace/team', audience: { kind: 'organization' } },
  { label: 'Billing', href: '/workspace/billing', audience: { kind: 'permission', permission: 'org:billing:manage' } },
  { label: 'Settings', href: '/workspace/settings', audience: { kind: 'role', role: 'org:admin' } },
  { label: 'Back office', href: '/staff', audience: { kind: 'staff' } },
]

export const ROLE_NAMES: Readonly<Record<string, string>> = {
  'org:admin': 'Administrator',
  'org:member': 'Member',
}
