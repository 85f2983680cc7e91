import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'

process.chdir(import.meta.dirname)
writeFileSync('secret', '')
chmodSync('secret', 0)
mkdirSync('closed')
chmodSync('closed', 0)
