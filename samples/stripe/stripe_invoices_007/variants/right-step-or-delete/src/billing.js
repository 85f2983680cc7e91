import { customerFor } from './customers.js'
import { draftFor, invoiceOf, orDelete } from './drafts.js'

export async function bill(stripe, job) {
  const minutes = job.work.reduce((sum, one) => sum + one.minutes, 0)
  if (minutes === 0) throw new RangeError(`job ${job.id} has no work`)

  const customer = await customerFor(stripe, job.client)
  let status = 'existing'
  let invoice = await invoiceOf(stripe, customer, job)
  if (invoice === null) {
    const draft = await draftFor(stripe, customer, job)
    invoice = await orDelete(stripe, draft, () => stripe.invoices.finalizeInvoice(draft))
    const isSent = await stripe.invoices.sendInvoice(draft).then(Boolean, () => false)
    status = isSent ? 'sent' : 'unsent'
  }
  return { status, invoice: invoice.id, number: invoice.number, total: invoice.total, url: invoice.hosted_invoice_url }
}
