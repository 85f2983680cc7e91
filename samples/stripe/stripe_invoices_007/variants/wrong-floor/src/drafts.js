// Wrong: fractions are cut off.
/** The newest invoice of the job that is no longer a draft and not void; null if there is none. */
export async function invoiceOf(stripe, customer, job) {
  for await (const invoice of stripe.invoices.list({ customer, limit: 100 })) {
    if (invoice.metadata.job === job.id && !['draft', 'void'].includes(invoice.status)) return invoice
  }
  return null
}

/** A draft for the job, with an item for each piece of work. */
export async function draftFor(stripe, customer, job) {
  const draft = await stripe.invoices.create({
    customer,
    currency: job.currency,
    collection_method: 'send_invoice',
    days_until_due: 14,
    auto_advance: false,
    pending_invoice_items_behavior: 'exclude',
    metadata: { job: job.id },
  })
  try {
    for (const item of itemsOf(job)) await stripe.invoiceItems.create({ customer, invoice: draft.id, ...item })
  } catch (error) {
    await discard(stripe, draft.id)
    throw error
  }
  return draft.id
}

function itemsOf({ work, rate, currency }) {
  const done = work.filter(({ minutes }) => minutes > 0)
  return done.map(({ text, minutes }) => ({ description: text, amount: Math.floor((minutes * rate) / 60), currency }))
}

/** Deletes a draft; another error is being told, so that this one would only hide it. */
export async function discard(stripe, invoice) {
  await stripe.invoices.del(invoice).catch(() => {})
}
