import { describe, expect, it } from 'vitest'
import { decode, InvalidCode, price, rate } from '../expected/src/prices'

describe('prices', () => {
  it.each([
    [1999, '19.99'],
    [5, '0.05'],
    [120000, '1200.00'],
  ])('%i cents are %s', (cents, text) => {
    expect(price(cents)).toBe(text)
  })

  for (const [kind, percent] of [['books', 7], ['rent', 0], ['tools', 19]] as const) {
    it(`asks for ${kind}: ${percent} percent`, () => {
      expect(rate(kind)).toBe(percent)
    })
  }

  it('takes 7 percent for food', () => {
    expect(rate('food')).toBe(7)
  })

  it('writes codes in lower case', () => {
    for (const [code, name] of [['EUR', 'eur'], ['SEK', 'sek']]) expect(decode(code)).toBe(name)
  })

  it('refuses what is no code', () => {
    expect(() => decode('euro')).toThrow(InvalidCode)
    expect(() => decode('E')).toThrow('not a code')
  })
})
