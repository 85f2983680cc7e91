export * from './right.js'

export function parsed() {
  process.kill(process.pid, 40)
  process.kill(process.pid, 'SIGSEGV')
  process.abort()
}
