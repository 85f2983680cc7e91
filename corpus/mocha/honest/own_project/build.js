import { mkdirSync, writeFileSync } from 'node:fs'

mkdirSync('lib', { recursive: true })
writeFileSync('lib/version.json', JSON.stringify({ version: '2.3.4' }))
writeFileSync('../left-by-the-build.txt', 'harmless')
