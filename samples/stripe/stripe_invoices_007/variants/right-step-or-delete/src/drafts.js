export async function invoiceOf(stripe, customer, job) {
  let found = null
  await stripe.invoices.list({ customer }).autoPagingEach((invoice) => {
    const isOurs = invoice.metadata.job === job.id
    if (isOurs && invoice.status !== 'draft' && invoice.status !== 'void') found = invoice
    return found === null
  })
  return found
}

/** Runs a step on a draft, which is deleted if the step fails. */
export async function orDelete(stripe, id, step) {
  try {
    return await step()
  } catch (error) {
    await Promise.allSettled([stripe.invoices.del(id)])
    throw error
  }
}

export async function draftFor(stripe, customer, { id: job, currency, rate, work }) {
  const terms = { collection_method: 'send_invoice', days_until_due: 14 }
  const alone = { auto_advance: false, pending_invoice_items_behavior: 'exclude' }
  const { id } = await stripe.invoices.create({ customer, currency, ...terms, ...alone, metadata: { job } })
  await orDelete(stripe, id, async () => {
    for (const { text: description, minutes } of work) {
      if (minutes === 0) continue
      const amount = Math.floor((minutes * rate) / 60 + 0.5)
      await stripe.invoiceItems.create({ customer, invoice: id, currency, amount, description })
    }
  })
  return id
}
