// Wrong: both fields have moved.
/**
 * What an invoice was for and how it was paid: the ids of its subscription and of the PaymentIntent that paid it, each
 * null if there is none.
 */
export async function aboutInvoice(stripe, id) {
  const invoice = await stripe.invoices.retrieve(id)
  return { subscription: invoice.subscription ?? null, payment: invoice.payment_intent ?? null }
}
