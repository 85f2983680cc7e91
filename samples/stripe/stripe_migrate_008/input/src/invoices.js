// Written for stripe 11 (API version 2022-11-15).

/**
 * What an invoice was for and how it was paid: the ids of its subscription and of the PaymentIntent that paid it, each
 * null if there is none.
 */
export async function aboutInvoice(stripe, id) {
  const invoice = await stripe.invoices.retrieve(id)
  return { subscription: invoice.subscription, payment: invoice.payment_intent }
}
