import { afterEach, beforeEach, expect, test } from 'vitest'
import { bill } from '../expected/src/billing.js'
import { customerFor } from '../expected/src/customers.js'
import { connect } from '../expected/src/stripe.js'
import { startStripe, type StripeApi } from '../support/stripe-api'
import { Books } from './books'

let api: StripeApi
let books: Books

beforeEach(async () => {
  books = new Books()
  api = await startStripe((asked) => books.answer(asked))
})
afterEach(() => api.stop())

const client = { email: 'Ada@Example.test', name: 'Ada' }
const work = [
  { text: 'Design', minutes: 90 },
  { text: 'Talks', minutes: 20 },
]
const job = (more: object = {}) => ({ id: 'job-7', client, currency: 'eur', rate: 9_000, work, ...more })
const billed = (more: object = {}) => bill(connect(api.connection), job(more))
const changes = () => api.asked.filter(({ line }) => !line.startsWith('GET')).map(({ line }) => line)
const sent = (line: string) => api.asked.filter((asked) => asked.line === line).map(({ fields }) => fields)

test('a job becomes an invoice that is sent', async () => {
  const url = 'https://pay.example.test/in_1'
  expect(await billed()).toEqual({ status: 'sent', invoice: 'in_1', number: 'A-in_1', total: 16_500, url })
  expect(changes()).toEqual([
    'POST /v1/customers',
    'POST /v1/invoices',
    'POST /v1/invoiceitems',
    'POST /v1/invoiceitems',
    'POST /v1/invoices/in_1/finalize',
    'POST /v1/invoices/in_1/send',
  ])
})

test('the draft says how it is to be paid, and whose it is', async () => {
  const customer = books.customer('ada@example.test', 5)
  await billed()
  expect(sent('POST /v1/invoices')).toMatchObject([
    {
      customer,
      collection_method: 'send_invoice',
      days_until_due: '14',
      auto_advance: 'false',
      pending_invoice_items_behavior: 'exclude',
      'metadata[job]': 'job-7',
    },
  ])
})

test('the draft is in the currency of the job, as are its items', async () => {
  await billed({ currency: 'usd' })
  expect([...sent('POST /v1/invoices'), ...sent('POST /v1/invoiceitems')].map(({ currency }) => currency)).toEqual(['usd', 'usd', 'usd'])
})

test('each piece of work is an item of this invoice', async () => {
  await billed()
  expect(sent('POST /v1/invoiceitems')).toEqual([
    { customer: 'cus_1', invoice: 'in_1', description: 'Design', amount: '13500', currency: 'eur' },
    { customer: 'cus_1', invoice: 'in_1', description: 'Talks', amount: '3000', currency: 'eur' },
  ])
})

test('amounts are rounded to the smallest unit', async () => {
  const minutes = [1, 7, 10, 0, 29]
  await billed({ rate: 1_005, work: minutes.map((one) => ({ text: 'Work', minutes: one })) })
  expect(sent('POST /v1/invoiceitems').map(({ amount }) => amount)).toEqual(['17', '117', '168', '486'])
})

test('a job without work is refused', async () => {
  await expect(billed({ work: [] })).rejects.toThrow(RangeError)
  await expect(billed({ work: [{ text: 'Nothing', minutes: 0 }] })).rejects.toThrow(RangeError)
  expect(api.asked).toEqual([])
})

test('a known client is no new customer, however the address is written', async () => {
  books.customer('ada@example.test', 5)
  await billed()
  expect(sent('POST /v1/customers')).toEqual([])
})

test('a new client becomes a customer, once', async () => {
  expect(await customerFor(connect(api.connection), client)).toBe('cus_1')
  const made = api.asked.at(-1)
  expect([made?.fields, made?.key]).toEqual([{ email: 'ada@example.test', name: 'Ada' }, 'customer:ada@example.test'])
})

test('of several customers the oldest one counts', async () => {
  for (const created of [50, 20, 70]) books.customer('ada@example.test', created)
  expect(await customerFor(connect(api.connection), client)).toBe('cus_2')
})

test('a job is not billed twice', async () => {
  await billed()
  const before = changes().length
  expect(await billed()).toEqual({ status: 'existing', invoice: 'in_1', number: 'A-in_1', total: 16_500, url: 'https://pay.example.test/in_1' })
  expect(changes().length).toBe(before)
})

test('an invoice is found among many others', async () => {
  const customer = books.customer('ada@example.test', 5)
  books.invoice(customer, { status: 'paid', number: 'A-old', total: 7, hosted_invoice_url: 'https://pay.example.test/old', metadata: { job: 'job-7' } })
  for (let count = 0; count < 104; count += 1) books.invoice(customer, { status: 'paid', metadata: { job: `job-${100 + count}` } })
  expect(await billed()).toEqual({ status: 'existing', invoice: 'in_1', number: 'A-old', total: 7, url: 'https://pay.example.test/old' })
})

test('void invoices and drafts do not count', async () => {
  const customer = books.customer('ada@example.test', 5)
  for (const status of ['void', 'draft']) books.invoice(customer, { status, metadata: { job: 'job-7' } })
  expect(await billed()).toMatchObject({ status: 'sent', invoice: 'in_3' })
})

test('a draft that can not be filled is deleted', async () => {
  books.failing.add('POST /v1/invoiceitems')
  await expect(billed()).rejects.toMatchObject({ code: 'made_to_fail' })
  expect(books.invoices).toEqual([])
})

test('a draft that can not be finalized is deleted', async () => {
  books.failing.add('POST /v1/invoices/in_1/finalize')
  await expect(billed()).rejects.toMatchObject({ code: 'made_to_fail' })
  expect(books.invoices).toEqual([])
})

test.each([['POST /v1/invoiceitems'], ['POST /v1/invoices/in_1/finalize']])('the first error is told, also if the draft stays: %s', async (failing) => {
  books.failing.add(failing)
  books.failing.add('DELETE')
  await expect(billed()).rejects.toThrow(`${failing} fails`)
  expect(changes().at(-1)).toBe('DELETE /v1/invoices/in_1')
})

test('an invoice that can not be sent stays', async () => {
  books.failing.add('POST /v1/invoices/in_1/send')
  expect(await billed()).toMatchObject({ status: 'unsent', invoice: 'in_1', number: 'A-in_1', total: 16_500 })
  expect(books.invoices.map(({ status }) => status)).toEqual(['open'])
})

test('what goes wrong before there is a draft is thrown', async () => {
  books.failing.add('POST /v1/customers')
  await expect(billed()).rejects.toMatchObject({ code: 'made_to_fail' })
})
