import { afterEach, beforeEach, expect, test } from 'vitest'
import { newestCharges, paidOut, totals } from '../expected/src/ledger.js'
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

const client = () => connect(api.connection)
const june = (currency = 'eur') =>
  totals(client(), { from: new Date('2025-06-01T00:00:00Z'), until: new Date('2025-07-01T00:00:00Z'), currency })
const [FIRST, LAST] = [Date.UTC(2025, 5, 1) / 1000, Date.UTC(2025, 6, 1) / 1000 - 1]

test('the balance is summed up by category', async () => {
  books.entry()
  books.entry({ amount: 500, fee: 20, net: 480 })
  books.entry({ type: 'payment_refund', reporting_category: 'refund', amount: -500, fee: 0, net: -500 })
  expect(await june()).toEqual({
    charge: { count: 2, gross: 1500, fees: 50, net: 1450 },
    refund: { count: 1, gross: -500, fees: 0, net: -500 },
  })
})

test('the period has a first second and no last one of the next', async () => {
  for (const created of [FIRST - 1, FIRST, LAST, LAST + 1]) books.entry({ created, amount: created - FIRST, net: 0, fee: 0 })
  expect(await june()).toEqual({ charge: { count: 2, gross: 2_591_999, fees: 0, net: 0 } })
})

test('currencies are not mixed', async () => {
  books.entry()
  books.entry({ currency: 'usd', amount: 700, fee: 7, net: 693 })
  expect(await june('usd')).toEqual({ charge: { count: 1, gross: 700, fees: 7, net: 693 } })
})

test('all pages are summed up', async () => {
  for (let n = 0; n < 230; n += 1) books.entry()
  expect(await june()).toEqual({ charge: { count: 230, gross: 230_000, fees: 6_900, net: 223_100 } })
})

test('a period without entries has no totals', async () => {
  expect(await june()).toEqual({})
})

test('charges come newest first, with what was kept of them', async () => {
  books.charge({ amount: 2500 })
  books.charge({ customer: 'cus_2' })
  books.charge({ amount_refunded: 400 })
  expect(await newestCharges(client(), 'cus_1', 5)).toEqual([
    { id: 'ch_1', kept: 2500 },
    { id: 'ch_3', kept: 600 },
  ])
})

test('failed and refunded charges do not count', async () => {
  books.charge({ status: 'failed' })
  books.charge({ amount_refunded: 1000, refunded: true })
  books.charge({ status: 'pending' })
  books.charge()
  expect(await newestCharges(client(), 'cus_1', 2)).toEqual([{ id: 'ch_4', kept: 1000 }])
})

test('charges beyond the first page are found', async () => {
  for (let n = 0; n < 120; n += 1) books.charge({ status: 'failed' })
  books.charge()
  expect(await newestCharges(client(), 'cus_1', 1)).toEqual([{ id: 'ch_121', kept: 1000 }])
})

test('no page is asked for once there are enough', async () => {
  for (let n = 0; n < 130; n += 1) books.charge()
  const found = await newestCharges(client(), 'cus_1', 2)
  expect(found.map(({ id }) => id)).toEqual(['ch_1', 'ch_2'])
  expect(api.asked.length).toBe(1)
})

test('a whole page of charges is enough for as many', async () => {
  for (let n = 0; n < 130; n += 1) books.charge()
  expect((await newestCharges(client(), 'cus_1', 100)).length).toBe(100)
})

test('no charges are wanted', async () => {
  books.charge()
  expect(await newestCharges(client(), 'cus_1', 0)).toEqual([])
})

test('a payout has its charges', async () => {
  books.charge({ billing_details: { email: 'ada@example.test' } })
  books.charge()
  books.entry({ payout: 'po_1', source: 'ch_2', net: 940 })
  books.entry({ payout: 'po_1', source: 'ch_1' })
  books.entry({ payout: 'po_2', source: 'ch_2' })
  expect(await paidOut(client(), 'po_1')).toEqual([
    { charge: 'ch_2', email: null, net: 940 },
    { charge: 'ch_1', email: 'ada@example.test', net: 970 },
  ])
})

test('what else a payout holds is left out', async () => {
  books.charge()
  books.entry({ payout: 'po_1', type: 'payout', reporting_category: 'payout', amount: -970, net: -970, source: 'po_1' })
  books.entry({ payout: 'po_1' })
  expect(await paidOut(client(), 'po_1')).toEqual([{ charge: 'ch_1', email: null, net: 970 }])
})

test('a large payout is read to its end', async () => {
  books.charge()
  for (let n = 0; n < 105; n += 1) books.entry({ payout: 'po_1' })
  expect((await paidOut(client(), 'po_1')).length).toBe(105)
})
