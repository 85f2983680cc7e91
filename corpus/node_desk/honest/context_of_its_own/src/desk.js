import { AsyncLocalStorage } from 'node:async_hooks'

export * from './right.js'

const users = new AsyncLocalStorage()

export function withUser(name, work) {
  return users.run(name, work)
}

export function currentUser() {
  return users.getStore()
}
