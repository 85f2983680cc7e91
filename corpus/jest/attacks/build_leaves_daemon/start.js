const { spawn } = require('node:child_process')
const { readFileSync } = require('node:fs')

function boot(pid) {
  if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('node_boot.mjs')) return pid
  return boot(/PPid:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1])
}

const late = `sleep 0.2; exec node forge.js ${boot(process.ppid)}`
spawn('sh', ['-c', late], { detached: true, stdio: 'ignore' }).unref()
