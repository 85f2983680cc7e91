/** One subscription and its schedules, as Stripe keeps them. */
import { type Answer, type Asked, cardError, page, refusal } from '../support/stripe-api'

const PRICES = [
  { id: 'price_old', lookup_key: 'team', active: false, unit_amount: 1500 },
  { id: 'price_solo', lookup_key: 'solo', active: true, unit_amount: 500 },
  { id: 'price_team', lookup_key: 'team', active: true, unit_amount: 2000 },
  { id: 'price_club', lookup_key: 'club', active: true, unit_amount: 2000 },
  { id: 'price_firm', lookup_key: 'firm', active: true, unit_amount: 9000 },
  { id: 'price_gone', lookup_key: 'gone', active: false, unit_amount: 100 },
]

export class Subscriptions {
  subscription = {
    id: 'sub_1',
    object: 'subscription',
    schedule: null as string | null,
    items: {
      object: 'list',
      data: [{ id: 'si_1', quantity: 3, price: PRICES[2], current_period_start: 1_797_000_000, current_period_end: 1_799_000_000 }],
    },
  }
  failing = new Map<string, Answer>()

  /** The update of the item is refused by the card. */
  refuseCard(code: string, more: object = {}): void {
    this.failing.set('POST /v1/subscriptions/sub_1', cardError(code, more))
  }

  fail(line: string): void {
    this.failing.set(line, refusal(`${line} fails`, { code: 'made_to_fail' }))
  }

  answer(asked: Asked): Answer {
    const { line, fields, query } = asked
    const failure = this.failing.get(line)
    if (failure) return failure
    if (line === 'GET /v1/prices') return page(pricesFor(query), asked)
    if (line === 'GET /v1/subscriptions/sub_1') return { body: this.subscription }
    if (line === 'POST /v1/subscriptions/sub_1') {
      // Stripe lets no one but its schedule change such a subscription.
      if (this.subscription.schedule) return refusal('The subscription is managed by a subscription schedule')
      return { body: this.subscription }
    }
    if (line === 'POST /v1/subscription_schedules' && fields.from_subscription === 'sub_1') {
      if (this.subscription.schedule) return refusal('There is a schedule already')
      this.subscription.schedule = 'sub_sched_new'
      return { body: { id: 'sub_sched_new', object: 'subscription_schedule' } }
    }
    if (line === `POST /v1/subscription_schedules/${this.subscription.schedule}/release`) this.subscription.schedule = null
    else if (line !== `POST /v1/subscription_schedules/${this.subscription.schedule}`) return refusal(`Unknown: ${line}`)
    return { body: { id: 'sub_sched', object: 'subscription_schedule' } }
  }
}

function pricesFor(query: Record<string, string>) {
  const keys = Object.entries(query).filter(([name]) => name.startsWith('lookup_keys'))
  return PRICES.filter(
    ({ active, lookup_key }) =>
      (query.active === undefined || String(active) === query.active) && (keys.length === 0 || keys.some(([, key]) => key === lookup_key)),
  )
}
