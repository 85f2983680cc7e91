/** Customers and invoices as Stripe keeps them. */
import { type Answer, type Asked, page, refusal } from '../support/stripe-api'

interface Invoice {
  id: string
  object: 'invoice'
  customer: string
  status: string
  number: string | null
  total: number
  hosted_invoice_url: string | null
  metadata: Record<string, string>
}

export class Books {
  customers: { id: string; email: string; name: string; created: number }[] = []
  invoices: Invoice[] = [] // newest first, as they are listed
  failing = new Set<string>() // the beginnings of requests
  #latest = 0

  customer(email: string, created: number): string {
    const id = `cus_${this.customers.length + 1}`
    this.customers.push({ id, email, name: 'Somebody', created })
    return id
  }

  invoice(customer: string, more: Partial<Invoice> = {}): Invoice {
    this.#latest += 1
    const id = `in_${this.#latest}`
    const made: Invoice = { id, object: 'invoice', customer, status: 'draft', number: null, total: 0, hosted_invoice_url: null, metadata: {}, ...more }
    this.invoices.unshift(made)
    return made
  }

  answer(asked: Asked): Answer {
    const { line, fields, query } = asked
    for (const failing of this.failing) if (line.startsWith(failing)) return refusal(`${failing} fails`, { code: 'made_to_fail' })
    if (line === 'GET /v1/customers') return page(this.customers.filter(({ email }) => email === query.email), asked)
    if (line === 'POST /v1/customers') return { body: { id: this.customer(fields.email, 9_999), object: 'customer' } }
    if (line === 'GET /v1/invoices') return page(this.invoices.filter(({ customer }) => customer === query.customer), asked)
    if (line === 'POST /v1/invoices') return { body: this.invoice(fields.customer, { metadata: { job: fields['metadata[job]'] } }) }
    if (line === 'POST /v1/invoiceitems') return this.#item(fields)
    return this.#change(line)
  }

  #item(fields: Record<string, string>): Answer {
    const invoice = this.invoices.find(({ id }) => id === fields.invoice)
    if (!invoice) return refusal('An item without its invoice')
    invoice.total += Number(fields.amount)
    return { body: { id: 'ii_1', object: 'invoiceitem' } }
  }

  #change(line: string): Answer {
    const [, method, id, action = ''] = /^(\w+) \/v1\/invoices\/(\w+)\/?(\w*)$/.exec(line) ?? []
    const invoice = this.invoices.find((one) => one.id === id)
    if (!invoice) return refusal(`Unknown: ${line}`)
    if (method === 'DELETE') {
      if (invoice.status !== 'draft') return refusal('Only drafts can be deleted')
      this.invoices.splice(this.invoices.indexOf(invoice), 1)
      return { body: { id, object: 'invoice', deleted: true } }
    }
    if (action === 'finalize') Object.assign(invoice, { status: 'open', number: `A-${id}`, hosted_invoice_url: `https://pay.example.test/${id}` })
    else if (action !== 'send' || invoice.status !== 'open') return refusal(`Not now: ${line}`)
    return { body: invoice }
  }
}
