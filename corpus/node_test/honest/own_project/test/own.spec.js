import assert from 'node:assert'
import test from 'node:test'

test('a stray test of the author that fails', () => assert.equal(1, 2))
