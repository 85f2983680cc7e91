// Wrong: the first payment may have failed.
/**
 * What an invoice was for and how it was paid: the ids of its subscription and of the PaymentIntent that paid it, each
 * null if there is none.
 */
export async function aboutInvoice(stripe, id) {
  const invoice = await stripe.invoices.retrieve(id, { expand: ['payments'] })
  const paid = (invoice.payments?.data ?? []).at(0)
  return {
    subscription: invoice.parent?.subscription_details?.subscription ?? null,
    payment: paid?.payment.payment_intent ?? null,
  }
}
