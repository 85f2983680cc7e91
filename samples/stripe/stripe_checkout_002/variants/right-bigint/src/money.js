const DECIMALS = { jpy: 0, krw: 0 }

export function toMinor(text, currency) {
  const decimals = DECIMALS[currency] ?? 2
  if (!/^\d+(\.\d+)?$/.test(text)) throw new RangeError(`not an amount: ${text}`)
  const point = text.indexOf('.')
  const digits = point < 0 ? '' : text.slice(point + 1)
  if (digits.length > decimals) throw new RangeError(`too many decimals: ${text}`)
  const scale = 10n ** BigInt(decimals)
  return Number(BigInt(point < 0 ? text : text.slice(0, point)) * scale + BigInt(digits.padEnd(decimals, '0') || '0'))
}
