import { customerFor } from './customers.js'
import { discard, draftFor, invoiceOf } from './drafts.js'

/** Bills a job: the client's customer, a draft, then the draft is finalized and sent. */
export async function bill(stripe, job) {
  if (!job.work.some(({ minutes }) => minutes > 0)) throw new RangeError('There is no work to be billed.')
  const customer = await customerFor(stripe, job.client)
  const existing = await invoiceOf(stripe, customer, job)
  if (existing) return told('existing', existing)

  const invoice = await finalized(stripe, await draftFor(stripe, customer, job))
  try {
    return told('sent', await stripe.invoices.sendInvoice(invoice.id))
  } catch {
    return told('unsent', invoice)
  }
}

async function finalized(stripe, draft) {
  try {
    return await stripe.invoices.finalizeInvoice(draft)
  } catch (error) {
    await discard(stripe, draft)
    throw error
  }
}

function told(status, { id, number, total, hosted_invoice_url: url }) {
  return { status, invoice: id, number, total, url }
}
