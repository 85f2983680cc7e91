/** Our mail service. It stands for a remote one; use it as it is. */
export interface Mail {
  to: string
  subject: string
}

const mails: Mail[] = []
let isDown = false

/** Rejects while the service is down; then nothing was sent. */
export async function sendWelcome(to: string): Promise<void> {
  if (isDown) throw new Error('The mail service is down.')
  mails.push({ to, subject: 'Welcome!' })
}

export async function sentMails(): Promise<Mail[]> {
  return [...mails]
}

/** Lets us see what happens when the service is down. */
export function setDown(down: boolean): void {
  isDown = down
}
