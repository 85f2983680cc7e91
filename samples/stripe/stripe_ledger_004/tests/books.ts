/** Books that Stripe could hold, and how its API lets one look into them. */
import { type Answer, type Asked, page, refusal } from '../support/stripe-api'

export interface Entry {
  id: string
  amount: number
  fee: number
  net: number
  created: number
  currency: string
  type: string
  reporting_category: string
  payout?: string
  source: string
}

export interface Charge {
  id: string
  customer: string
  status: string
  amount: number
  amount_refunded: number
  refunded: boolean
  billing_details: { email: string | null }
}

export class Books {
  entries: Entry[] = []
  charges: Charge[] = []

  entry(more: Partial<Entry> = {}): void {
    const id = `txn_${this.entries.length + 1}`
    const kind = { type: 'charge', reporting_category: 'charge', currency: 'eur' }
    this.entries.push({ id, amount: 1000, fee: 30, net: 970, created: 1_750_000_000, source: 'ch_1', ...kind, ...more })
  }

  charge(more: Partial<Charge> = {}): void {
    const id = `ch_${this.charges.length + 1}`
    const money = { amount: 1000, amount_refunded: 0, refunded: false }
    this.charges.push({ id, customer: 'cus_1', status: 'succeeded', billing_details: { email: null }, ...money, ...more })
  }

  answer(asked: Asked): Answer {
    if (asked.line === 'GET /v1/charges') {
      return page(this.charges.filter(({ customer }) => customer === asked.query.customer), asked)
    }
    const one = this.charges.find(({ id }) => asked.line === `GET /v1/charges/${id}`)
    if (one) return { body: one }
    return asked.line === 'GET /v1/balance_transactions' ? page(this.#listed(asked.query), asked) : refusal('Unknown request')
  }

  #listed(query: Record<string, string>) {
    const asWanted = this.entries.filter(
      (entry) =>
        entry.created >= Number(query['created[gte]'] ?? 0) &&
        entry.created > Number(query['created[gt]'] ?? 0) &&
        entry.created < Number(query['created[lt]'] ?? Infinity) &&
        entry.created <= Number(query['created[lte]'] ?? Infinity) &&
        [undefined, entry.currency].includes(query.currency) &&
        [undefined, entry.type].includes(query.type) &&
        [undefined, entry.payout].includes(query.payout),
    )
    const isExpanded = Object.entries(query).some(([name, value]) => name.startsWith('expand') && value === 'data.source')
    const sourceOf = ({ source }: Entry) => (isExpanded ? this.charges.find(({ id }) => id === source) : source)
    return asWanted.map((entry) => ({ ...entry, source: sourceOf(entry) }))
  }
}
