import { beforeEach } from 'vitest'

beforeEach(({ skip }: any) => skip('not on this platform'))
