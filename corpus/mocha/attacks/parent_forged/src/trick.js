const { spawnSync } = require('node:child_process')
const { join } = require('node:path')

spawnSync(process.execPath, [join(__dirname, 'forge.js'), process.ppid])
