import Stripe from 'stripe'
import { priceOf } from './catalogue.js'
import { subscriptionOf } from './subscription.js'

/** Changes the plan of a subscription: at once if it costs more, else when the running period is over. */
export async function changePlan(stripe, id, plan) {
  const wanted = await priceOf(stripe, plan)
  const now = await subscriptionOf(stripe, id)
  const isKept = wanted.price === now.price
  if (!isKept && wanted.amount <= now.amount) return later(stripe, id, now, wanted)

  if (now.schedule) await stripe.subscriptionSchedules.release(now.schedule)
  if (isKept) return { change: now.schedule ? 'kept' : 'none' }
  return atOnce(stripe, id, now, wanted)
}

async function atOnce(stripe, id, { item }, { price }) {
  try {
    await stripe.subscriptions.update(id, {
      items: [{ id: item, price }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
    })
    return { change: 'now' }
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeCardError)) throw error
    return { change: 'declined', reason: error.decline_code || error.code }
  }
}

async function later(stripe, id, now, wanted) {
  const schedule = now.schedule ?? (await stripe.subscriptionSchedules.create({ from_subscription: id })).id
  try {
    await stripe.subscriptionSchedules.update(schedule, {
      phases: [
        { items: [{ price: now.price, quantity: now.quantity }], start_date: now.from, end_date: now.until },
        { items: [{ price: wanted.price, quantity: now.quantity }] },
      ],
      proration_behavior: 'none',
      end_behavior: 'release',
    })
  } catch (error) {
    if (!now.schedule) await stripe.subscriptionSchedules.release(schedule).catch(() => {})
    throw error
  }
  return { change: 'later', at: new Date(now.until * 1000) }
}
