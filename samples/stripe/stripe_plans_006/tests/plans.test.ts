import { afterEach, beforeEach, expect, test } from 'vitest'
import { priceOf } from '../expected/src/catalogue.js'
import { changePlan } from '../expected/src/plans.js'
import { connect } from '../expected/src/stripe.js'
import { subscriptionOf } from '../expected/src/subscription.js'
import { startStripe, type StripeApi } from '../support/stripe-api'
import { Subscriptions } from './subscriptions'

let api: StripeApi
let stripe: Subscriptions

beforeEach(async () => {
  stripe = new Subscriptions()
  api = await startStripe((asked) => stripe.answer(asked))
})
afterEach(() => api.stop())

const change = (plan: string) => changePlan(connect(api.connection), 'sub_1', plan)
const changes = () => api.asked.filter(({ line }) => line.startsWith('POST')).map(({ line }) => line.replace('/v1/', ''))
const sent = () => api.asked.at(-1)?.fields
const END = new Date('2027-01-03T18:13:20Z')

test('the price of a plan is the active one of its key', async () => {
  expect(await priceOf(connect(api.connection), 'team')).toEqual({ price: 'price_team', amount: 2000 })
})

test('an unknown plan is refused', async () => {
  await expect(change('golden')).rejects.toThrow('No such plan: golden')
  await expect(change('gone')).rejects.toThrow('No such plan: gone')
  expect(changes()).toEqual([])
})

test('a subscription is known by its item', async () => {
  const known = { item: 'si_1', price: 'price_team', amount: 2000, quantity: 3, from: 1_797_000_000, until: 1_799_000_000, schedule: null }
  expect(await subscriptionOf(connect(api.connection), 'sub_1')).toEqual(known)
  stripe.subscription.schedule = 'sub_sched_1'
  expect(await subscriptionOf(connect(api.connection), 'sub_1')).toEqual({ ...known, schedule: 'sub_sched_1' })
})

test('a plan that costs more begins at once, and is paid at once', async () => {
  expect(await change('firm')).toEqual({ change: 'now' })
  expect(changes()).toEqual(['POST subscriptions/sub_1'])
  expect(sent()).toEqual({
    'items[0][id]': 'si_1',
    'items[0][price]': 'price_firm',
    proration_behavior: 'always_invoice',
    payment_behavior: 'error_if_incomplete',
  })
})

test('it begins at once although a schedule had another one in mind', async () => {
  stripe.subscription.schedule = 'sub_sched_1'
  expect(await change('firm')).toEqual({ change: 'now' })
  expect(changes()).toEqual(['POST subscription_schedules/sub_sched_1/release', 'POST subscriptions/sub_1'])
})

test('a refused card is told with its reason', async () => {
  stripe.refuseCard('card_declined', { decline_code: 'insufficient_funds' })
  expect(await change('firm')).toEqual({ change: 'declined', reason: 'insufficient_funds' })
})

test('a refused card without a decline code is told with the code', async () => {
  stripe.refuseCard('expired_card')
  expect(await change('firm')).toEqual({ change: 'declined', reason: 'expired_card' })
})

test('what else goes wrong at once is thrown', async () => {
  stripe.fail('POST /v1/subscriptions/sub_1')
  await expect(change('firm')).rejects.toMatchObject({ code: 'made_to_fail' })
})

test.each([
  ['solo', 'price_solo'],
  ['club', 'price_club'],
])('a plan that costs no more begins later: %s', async (plan, price) => {
  expect(await change(plan)).toEqual({ change: 'later', at: END })
  expect(changes()).toEqual(['POST subscription_schedules', 'POST subscription_schedules/sub_sched_new'])
  expect(sent()).toMatchObject({
    'phases[0][items][0][price]': 'price_team',
    'phases[0][items][0][quantity]': '3',
    'phases[0][start_date]': '1797000000',
    'phases[0][end_date]': '1799000000',
    'phases[1][items][0][price]': price,
    'phases[1][items][0][quantity]': '3',
    end_behavior: 'release',
  })
})

test('a schedule is made of the subscription alone', async () => {
  await change('solo')
  expect(api.asked.at(-2)?.fields).toEqual({ from_subscription: 'sub_1' })
})

test('a plan that begins later costs nothing now', async () => {
  await change('solo')
  const prorations = Object.entries(sent() ?? {}).filter(([name]) => name.endsWith('proration_behavior]') || name === 'proration_behavior')
  expect(new Set(prorations.map(([, value]) => value))).toEqual(new Set(['none']))
})

test('a schedule that is there is used again', async () => {
  stripe.subscription.schedule = 'sub_sched_1'
  expect(await change('solo')).toEqual({ change: 'later', at: END })
  expect(changes()).toEqual(['POST subscription_schedules/sub_sched_1'])
})

test('a new schedule that can not be updated is released again', async () => {
  stripe.fail('POST /v1/subscription_schedules/sub_sched_new')
  await expect(change('solo')).rejects.toMatchObject({ code: 'made_to_fail' })
  expect(changes().at(-1)).toBe('POST subscription_schedules/sub_sched_new/release')
  expect(stripe.subscription.schedule).toBe(null)
})

test('the first error is told, also if the schedule stays', async () => {
  stripe.fail('POST /v1/subscription_schedules/sub_sched_new')
  stripe.fail('POST /v1/subscription_schedules/sub_sched_new/release')
  await expect(change('solo')).rejects.toThrow('POST /v1/subscription_schedules/sub_sched_new fails')
})

test('a schedule that was there before is left as it is', async () => {
  stripe.subscription.schedule = 'sub_sched_1'
  stripe.fail('POST /v1/subscription_schedules/sub_sched_1')
  await expect(change('solo')).rejects.toMatchObject({ code: 'made_to_fail' })
  expect(stripe.subscription.schedule).toBe('sub_sched_1')
})

test('the plan that it has is kept', async () => {
  stripe.subscription.schedule = 'sub_sched_1'
  expect(await change('team')).toEqual({ change: 'kept' })
  expect(changes()).toEqual(['POST subscription_schedules/sub_sched_1/release'])
})

test('where nothing changes nothing is done', async () => {
  expect(await change('team')).toEqual({ change: 'none' })
  expect(changes()).toEqual([])
})
