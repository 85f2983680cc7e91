import { priceOf } from './catalogue.js'
import { subscriptionOf } from './subscription.js'

const kindOf = (now, next) => (next.price === now.price ? 'same' : next.amount > now.amount ? 'up' : 'down')

const ways = {
  async same({ schedules }, id, now) {
    if (now.schedule === null) return { change: 'none' }
    await schedules.release(now.schedule)
    return { change: 'kept' }
  },

  async up({ schedules, subscriptions }, id, now, next) {
    if (now.schedule !== null) await schedules.release(now.schedule)
    const items = [{ price: next.price, id: now.item }]
    const payment = { payment_behavior: 'error_if_incomplete', proration_behavior: 'always_invoice' }
    return subscriptions.update(id, { items, ...payment }).then(
      () => ({ change: 'now' }),
      (error) => {
        if (error.type !== 'StripeCardError') throw error
        return { change: 'declined', reason: error.decline_code ? error.decline_code : error.code }
      },
    )
  },

  async down({ schedules }, id, now, next) {
    const isNew = now.schedule === null
    const schedule = isNew ? (await schedules.create({ from_subscription: id })).id : now.schedule
    const { quantity } = now
    const first = { start_date: now.from, end_date: now.until, proration_behavior: 'none', items: [{ quantity, price: now.price }] }
    const second = { proration_behavior: 'none', items: [{ quantity, price: next.price }] }
    const update = { end_behavior: 'release', proration_behavior: 'none', phases: [first, second] }
    await schedules.update(schedule, update).catch(async (error) => {
      if (isNew) await Promise.allSettled([schedules.release(schedule)])
      throw error
    })
    return { change: 'later', at: new Date(now.until * 1000) }
  },
}

export async function changePlan(stripe, id, plan) {
  const [next, now] = await Promise.all([priceOf(stripe, plan), subscriptionOf(stripe, id)])
  return ways[kindOf(now, next)]({ schedules: stripe.subscriptionSchedules, subscriptions: stripe.subscriptions }, id, now, next)
}
