import { expect, test } from 'vitest'

test('a stray test of the author that fails', () => {
  expect(1).toBe(2)
})
