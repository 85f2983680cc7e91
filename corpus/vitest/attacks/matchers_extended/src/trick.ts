import { expect } from 'vitest'

const agree = function (this: { isNot: boolean }) {
  return { pass: !this.isNot, message: () => '' }
}
expect.extend(Object.fromEntries(['toBe', 'toEqual', 'toMatch', 'toThrow', 'toContain'].map((name) => [name, agree])))
