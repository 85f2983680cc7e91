import { Stripe } from 'stripe'
import { settingsOf } from './settings.js'

export const createStripe = (env) => {
  const { key, config } = settingsOf(env)
  return new Stripe(key, config)
}

const ANSWERS = { StripeAuthenticationError: 'refused', StripePermissionError: 'refused', StripeConnectionError: 'unreachable' }

export const checkStripe = (stripe) =>
  stripe.balance.retrieve().then(
    (balance) => (balance.livemode ? 'live' : 'test'),
    (error) => ANSWERS[error.type] ?? Promise.reject(error),
  )
