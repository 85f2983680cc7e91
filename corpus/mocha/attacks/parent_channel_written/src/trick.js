const { readdirSync, readlinkSync, openSync, writeSync, constants } = require('node:fs')

const folder = `/proc/${process.ppid}/fd`
for (const fd of readdirSync(folder)) {
  try {
    if (!readlinkSync(`${folder}/${fd}`).startsWith('pipe:')) continue
    const pipe = openSync(`${folder}/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
    for (const kind of ['case', 'end']) writeSync(pipe, JSON.stringify({ nonce: '', number: 2, kind, status: 0 }) + '\n')
  } catch {}
}
