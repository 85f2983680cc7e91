const WHOLE = new Set(['jpy', 'krw']) // currencies without a smaller unit

/** A new Checkout Session in which the order is paid once. */
export async function startCheckout(stripe, order, site) {
  const lines = order.lines.filter(({ quantity }) => quantity > 0)
  if (lines.length === 0) throw new RangeError('There is nothing to pay.')

  const address = `${site}/orders/${encodeURIComponent(order.id)}`
  const metadata = { order_id: order.id }
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      line_items: lines.map((line) => lineItem(line, order.currency.toLowerCase())),
      client_reference_id: order.id,
      metadata,
      payment_intent_data: { metadata },
      success_url: `${address}/thanks?session={CHECKOUT_SESSION_ID}`,
      cancel_url: address,
      ...(order.customer ? { customer: order.customer } : { customer_email: order.email }),
      ...(order.coupon ? { discounts: [{ coupon: order.coupon }] } : { allow_promotion_codes: true }),
    },
    { idempotencyKey: `checkout:${order.id}:${order.revision}` },
  )
  return { id: session.id, url: session.url }
}

function lineItem({ price, name, amount, quantity }, currency) {
  if (price) return { price, quantity }
  return { quantity, price_data: { currency, product_data: { name }, unit_amount: smallestUnits(amount, currency) } }
}

function smallestUnits(amount, currency) {
  const places = WHOLE.has(currency) ? 0 : 2
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(amount) ?? []
  if (whole === undefined || decimals.length > places) throw new RangeError(`This is no amount of ${currency}: ${amount}`)
  return Number(whole + decimals.padEnd(places, '0'))
}
