// TODO: send our customers to Stripe's Checkout page.

/**
 * @typedef {{ price: string, quantity: number }} CatalogueLine the id of a price that Stripe knows
 * @typedef {{ name: string, amount: string, quantity: number }} FreeLine what one piece costs, as customers
 *   read it: "19.99" of the order's currency
 * @typedef {object} Order
 * @property {string} id any text; in addresses it is percent-encoded
 * @property {number} revision counts the changes of the order
 * @property {string} currency three letters, upper or lower case
 * @property {(CatalogueLine | FreeLine)[]} lines
 * @property {string} [customer] id of a Stripe customer
 * @property {string} email of the customer
 * @property {string} [coupon] id of a Stripe coupon
 */

/**
 * A new Checkout Session in which the order is paid once (mode "payment").
 *
 * - A line with a price is bought at that price. Any other one gets price_data: the order's currency in
 *   lower case, a product of the line's name, and unit_amount in the currency's smallest unit: "19.99" EUR is
 *   1999. JPY and KRW have no smaller unit: "500" JPY is 500; every other currency of ours has a hundredth.
 * - An amount that is no plain decimal number ("12", "12.5" and "12.50" are), or has more decimals than its
 *   currency: RangeError, and nothing is asked of Stripe.
 * - Lines of quantity 0 are left out. No line left: RangeError.
 * - The order's id becomes client_reference_id, and order_id in the metadata of the session and of its
 *   payment intent.
 * - A known customer is named by id, any other one by customer_email: Stripe takes one of both.
 * - A coupon becomes the session's discount. Without one, customers may enter promotion codes
 *   (allow_promotion_codes); Stripe refuses the two together.
 * - Afterwards customers return to SITE/orders/ID/thanks?session={CHECKOUT_SESSION_ID}, where Stripe fills in
 *   the part in braces; if they give up, to SITE/orders/ID.
 * - The idempotency key is checkout:ID:REVISION, with the id as it is.
 * - What Stripe refuses is thrown as the SDK throws it.
 *
 * @param {import('stripe').default} stripe
 * @param {Order} order
 * @param {string} site address without a slash at its end
 * @returns {Promise<{ id: string, url: string }>}
 */
export async function startCheckout(stripe, order, site) {
  throw new Error('Not implemented')
}
