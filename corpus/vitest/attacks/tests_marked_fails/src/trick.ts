import { beforeEach } from 'vitest'

beforeEach(({ task }: any) => {
  task.fails = true
})
