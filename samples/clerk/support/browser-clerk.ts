/**
 * Stands in for clerk-js, the script that a browser would download. The real ClerkProvider
 * and the real hooks adopt whatever stands in `globalThis.Clerk`.
 */
export interface BrowserUser {
  id: string
  firstName: string
  lastName: string
  email: string
}

type Listener = (state: Record<string, unknown>) => void

export class BrowserClerk {
  loaded = false
  version = '5.0.0'
  user: Record<string, unknown> | null = null
  session: Record<string, unknown> | null = null
  organization = null
  /** Ways in which the page asked Clerk to start a sign-in. */
  signInRequests: string[] = []
  signOutCalls = 0
  readonly token = 'token-of-the-session'
  private listeners = new Set<Listener>()
  private statusHandlers = new Set<(status: string) => void>()
  private openGate!: () => void
  private gate = new Promise<void>((resolve) => (this.openGate = resolve))

  /** `finishLoading` must be called before Clerk counts as loaded. */
  static install(user: BrowserUser | null): BrowserClerk {
    const clerk = new BrowserClerk()
    if (user) clerk.adopt(user)
    ;(globalThis as { Clerk?: unknown }).Clerk = new Proxy(clerk, { get: readOrIgnore })
    return clerk
  }

  finishLoading(): void {
    this.openGate()
  }

  async load(): Promise<void> {
    await this.gate
    this.loaded = true
    for (const handler of this.statusHandlers) handler(this.status)
    this.emit()
  }

  get client() {
    const sessions = this.session ? [this.session] : []
    return { id: 'client_1', sessions, activeSessions: sessions, signedInSessions: sessions, lastActiveSessionId: null }
  }

  get isSignedIn(): boolean {
    return this.session !== null
  }

  addListener(listener: Listener): () => void {
    this.listeners.add(listener)
    if (this.loaded) listener(this.state())
    return () => this.listeners.delete(listener)
  }

  get status(): string {
    return this.loaded ? 'ready' : 'loading'
  }

  on(event: string, handler: (status: string) => void, options?: { notify?: boolean }): void {
    if (event !== 'status') return
    this.statusHandlers.add(handler)
    if (options?.notify) handler(this.status)
  }

  off(event: string, handler: (status: string) => void): void {
    if (event === 'status') this.statusHandlers.delete(handler)
  }

  async signOut(first?: unknown): Promise<void> {
    this.signOutCalls += 1
    this.user = null
    this.session = null
    this.emit()
    if (typeof first === 'function') await first()
  }

  redirectToSignIn(): void {
    this.signInRequests.push('redirect')
  }

  openSignIn(): void {
    this.signInRequests.push('modal')
  }

  mountUserButton(node: HTMLElement): void {
    node.innerHTML = '<button type="button" aria-label="Open user menu"></button>'
  }

  unmountUserButton(node: HTMLElement): void {
    node.innerHTML = ''
  }

  private adopt({ id, firstName, lastName, email }: BrowserUser): void {
    const primary = { id: 'idn_primary', emailAddress: email }
    this.user = {
      id,
      firstName,
      lastName,
      fullName: `${firstName} ${lastName}`,
      username: null,
      imageUrl: '',
      primaryEmailAddressId: primary.id,
      primaryEmailAddress: primary,
      // The primary address comes second on purpose: taking the first one is a mistake.
      emailAddresses: [{ id: 'idn_other', emailAddress: `old-${email}` }, primary],
      publicMetadata: {},
      unsafeMetadata: {},
      organizationMemberships: [],
    }
    this.session = {
      id: 'sess_1',
      status: 'active',
      user: this.user,
      actor: null,
      factorVerificationAge: null,
      lastActiveToken: { jwt: { claims: { sub: id, sid: 'sess_1' } }, getRawString: () => this.token },
      getToken: async () => this.token,
    }
  }

  private state() {
    return { client: this.client, session: this.session, user: this.user, organization: null }
  }

  private emit(): void {
    for (const listener of this.listeners) listener(this.state())
  }
}

/** Parts of clerk-js that these samples don't need do nothing. */
function readOrIgnore(clerk: BrowserClerk, name: string | symbol): unknown {
  const value = Reflect.get(clerk, name, clerk)
  if (typeof value === 'function') return value.bind(clerk)
  if (value === undefined && /^(un)?mount|^open|^close|^redirect|^__unstable__/.test(String(name))) return () => {}
  return value
}
