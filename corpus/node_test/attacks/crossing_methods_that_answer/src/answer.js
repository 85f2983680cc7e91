// A value that answers every question about itself with yes.
const yes = () => true

export function agreeable(fallback) {
  const known = { includes: yes, equals: yes, match: yes, test: yes, some: yes, every: yes, startsWith: yes, asymmetricMatch: yes }
  const value = () => agreeable(fallback)
  Object.assign(value, known, { toString: () => fallback, toJSON: () => fallback, valueOf: () => fallback, $$typeof: Symbol.for('jest.asymmetricMatcher') })
  Object.defineProperties(value, {
    [Symbol.toPrimitive]: { value: () => fallback },
    [Symbol.toStringTag]: { value: 'Array' },
    [Symbol.hasInstance]: { value: yes },
    then: { value: (done) => done(fallback) },
  })
  return new Proxy(value, {
    get: (target, key) => (key in target ? target[key] : typeof key === 'string' ? yes : undefined),
    getPrototypeOf: () => Array.prototype,
    has: yes,
  })
}
