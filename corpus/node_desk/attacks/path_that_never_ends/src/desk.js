export * from './right.js'

const endless = (name) => new Proxy(function () {}, {
  get: (_, key) => endless(`${name}${String(key)}`),
  ownKeys: () => ['prototype', '\ud800', '__proto__', 'constructor', `${name}\n`.repeat(10_000)],
  getOwnPropertyDescriptor: (_, key) => ({ value: endless(String(key)), enumerable: true, configurable: true, writable: true }),
})
process.stdout.write(Buffer.from([0xed, 0xa0, 0x80, 0xff]))
console.error('# pass 99999999999999999999999999\n'.repeat(1000), '9'.repeat(5000), '\ud800')

export const settings = endless('')
export const split = () => ({ words: endless('a'), letters: endless('b'), '\ud800\n': 1 })
export const counts = () => Object.assign(Object.create(endless('c')), { ['\n'.repeat(5000)]: endless('') })
