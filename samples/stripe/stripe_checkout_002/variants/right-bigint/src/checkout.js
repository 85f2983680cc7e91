import { toMinor } from './money.js'

export const startCheckout = async (stripe, order, site) => {
  const currency = order.currency.toLowerCase()
  const params = { mode: 'payment', line_items: [], client_reference_id: order.id }
  for (const line of order.lines) {
    if (line.quantity === 0) continue
    const item = { quantity: line.quantity }
    if ('price' in line) item.price = line.price
    else item.price_data = { unit_amount: toMinor(line.amount, currency), currency, product_data: { name: line.name } }
    params.line_items.push(item)
  }
  if (params.line_items.length < 1) throw new RangeError('empty order')

  params.metadata = { order_id: order.id }
  params.payment_intent_data = { metadata: { order_id: order.id } }
  const back = new URL(`${site}/orders/${encodeURIComponent(order.id)}`)
  params.cancel_url = back.href
  params.success_url = back.href + '/thanks?session={CHECKOUT_SESSION_ID}'
  if (order.customer !== undefined) params.customer = order.customer
  else params.customer_email = order.email
  if (order.coupon !== undefined) params.discounts = [{ coupon: order.coupon }]
  else params.allow_promotion_codes = true

  const { id, url } = await stripe.checkout.sessions.create(params, { idempotencyKey: ['checkout', order.id, order.revision].join(':') })
  return { id, url }
}
