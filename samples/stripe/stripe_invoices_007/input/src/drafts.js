// TODO: drafts of invoices.

/**
 * @typedef {object} Job
 * @property {string} id
 * @property {{ email: string, name: string }} client
 * @property {string} currency as Stripe writes it
 * @property {number} rate for an hour, in the currency's smallest unit
 * @property {{ text: string, minutes: number }[]} work whole minutes
 */

/**
 * The newest invoice of the job that is no longer a draft and not void, among all invoices of the customer; null if
 * there is none. Invoices of ours have the job's id in their metadata, as `job`.
 *
 * @returns {Promise<import('stripe').default.Invoice | null>}
 */
export async function invoiceOf(stripe, customer, job) {
  throw new Error('Not implemented')
}

/**
 * A draft for the job in its currency, with an item for each piece of work: its text as description, and as amount
 * its share of the hourly rate, rounded to the nearest smallest unit, halves up. Work of 0 minutes is left out.
 *
 * The invoice is sent by email (collection_method send_invoice) and to be paid within 14 days (days_until_due).
 * Stripe must not go on with it by itself (auto_advance), nor put in other items that wait for the customer
 * (pending_invoice_items_behavior: exclude). If an item can't be added, the draft is deleted, and the error is thrown
 * as the SDK throws it, even if the deletion fails as well.
 *
 * @returns {Promise<string>} its id
 */
export async function draftFor(stripe, customer, job) {
  throw new Error('Not implemented')
}
