import assert from 'node:assert'

it('a stray test of the author that fails', () => assert.equal(1, 2))
