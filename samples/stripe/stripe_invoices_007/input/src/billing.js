// TODO: from a job to a paid invoice.

/**
 * Bills a job: the client's customer, a draft, then the draft is finalized and sent.
 *
 * - Work of no minutes at all: RangeError, before anything is asked of Stripe.
 * - A job that has an invoice already (see `invoiceOf`) is not billed again: the result is about that one, with "existing".
 * - If the draft can't be finalized, it is deleted, and the error is thrown as the SDK throws it, even if the deletion
 *   fails as well.
 * - If it can't be sent once it is final, it stays, and the result says "unsent".
 *
 * @param {import('stripe').default} stripe
 * @param {import('./drafts.js').Job} job
 * @returns {Promise<{ status: 'sent' | 'unsent' | 'existing', invoice: string, number: string, total: number,
 *   url: string }>} url: where the client can pay (hosted_invoice_url)
 */
export async function bill(stripe, job) {
  throw new Error('Not implemented')
}
