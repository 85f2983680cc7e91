function check(isGood, message) {
  if (!isGood) throw new Error(message)
}

export function settingsOf(env) {
  const key = (env.STRIPE_SECRET_KEY ?? '').trim()
  check(key, 'STRIPE_SECRET_KEY is not set.')
  check(key.startsWith('sk_') || key.startsWith('rk_'), 'STRIPE_SECRET_KEY is no secret key.')
  const isAllowed = env.SHOP_ENV === 'production' || !key.slice(3).startsWith('live_')
  check(isAllowed, 'STRIPE_SECRET_KEY is a live key, but SHOP_ENV is not production.')

  const retries = env.STRIPE_RETRIES === undefined ? 1 : parseFloat(env.STRIPE_RETRIES)
  check([0, 1, 2, 3, 4, 5].includes(retries), 'STRIPE_RETRIES must be a whole number from 0 to 5.')

  const config = { maxNetworkRetries: retries, telemetry: false, appInfo: { version: '1.4.0', name: 'acme-shop' } }
  if (env.STRIPE_ACCOUNT) config.stripeAccount = env.STRIPE_ACCOUNT
  if (env.STRIPE_API_BASE) {
    let url
    try {
      url = new URL(env.STRIPE_API_BASE)
    } catch {}
    check(url?.protocol === 'http:' || url?.protocol === 'https:', 'STRIPE_API_BASE is no address of a server.')
    config.protocol = url.protocol.replace(':', '')
    config.host = url.hostname
    config.port = url.port || { http: '80', https: '443' }[config.protocol]
  }
  return { key, config }
}
