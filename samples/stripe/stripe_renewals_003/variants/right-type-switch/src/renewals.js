import { outcomeOf, outcomeOfCardError } from './outcomes.js'

export function renew(stripe, renewal) {
  const { id, attempt } = renewal
  const params = { confirm: true, off_session: true, amount: renewal.amount, currency: renewal.currency }
  params.customer = renewal.customer
  params.payment_method = renewal.paymentMethod
  params.metadata = { renewal: id }
  return stripe.paymentIntents.create(params, { idempotencyKey: ['renewal', id, attempt].join(':') }).then(outcomeOf, (error) => {
    if (error.type === 'StripeCardError') return outcomeOfCardError(error)
    throw error
  })
}

export async function renewAll(stripe, renewals) {
  const left = [...renewals]
  const results = []
  let stopped = null
  while (left.length > 0 && stopped === null) {
    const { id } = left[0]
    const result = await renew(stripe, left[0]).catch((error) => {
      if (error.type === 'StripeInvalidRequestError') return { status: 'failed', message: error.message }
      stopped = error.message
    })
    if (stopped === null) {
      results.push({ id, ...result })
      left.shift()
    }
  }
  return { results, left: left.map((renewal) => renewal.id), stopped }
}
