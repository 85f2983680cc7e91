/** The part of Stripe's billing that a shop uses, as the API of the pinned version answers. */
import { type Answer, type Asked, refusal } from '../support/stripe-api'

const KNOWN: Record<string, RegExp> = {
  'GET /v1/subscriptions/sub_1': /^expand\[/,
  'POST /v1/subscriptions/sub_1': /^(cancel_at_period_end|discounts\[)/,
  'DELETE /v1/subscriptions/sub_1': /^(invoice_now|prorate|expand\[)/,
  'POST /v1/invoices/create_preview': /^(customer|subscription|subscription_details\[.*)$/,
  'POST /v1/billing/meter_events': /^(event_name|payload\[\w+\]|identifier|timestamp)$/,
  'GET /v1/invoices/in_1': /^expand\[/,
}

export class Billing {
  subscription = {
    id: 'sub_1',
    object: 'subscription',
    customer: 'cus_1',
    ended_at: null as number | null,
    items: { object: 'list', data: [{ id: 'si_1', current_period_start: 1_798_000_000, current_period_end: 1_800_000_000 }] },
  }
  invoice: object = {}
  payments: object[] = []
  isDown = false

  answer({ line, fields, query }: Asked): Answer {
    if (this.isDown) return { status: 500, body: { error: { type: 'api_error', message: 'Stripe is down' } } }
    const known = KNOWN[line]
    if (!known) return { status: 404, body: { error: { type: 'invalid_request_error', message: `Unrecognized request URL (${line}).` } } }
    const unknown = Object.keys({ ...fields, ...query }).find((name) => !known.test(name))
    if (unknown) return refusal(`Received unknown parameter: ${unknown}`, { code: 'parameter_unknown' })
    if (line === 'GET /v1/invoices/in_1') return { body: this.#invoice(Object.values(query)) }
    if (line.startsWith('DELETE')) this.subscription.ended_at = 1_799_000_000
    if (line.includes('/subscriptions/')) return { body: this.subscription }
    return { body: { object: 'invoice', amount_due: 1234, currency: 'eur', total: 2000 } }
  }

  #invoice(expanded: string[]) {
    const payments = expanded.some((name) => name.startsWith('payments')) && { payments: { object: 'list', has_more: false, data: this.payments } }
    return { id: 'in_1', object: 'invoice', parent: null, ...this.invoice, ...payments }
  }
}
