// Puts programs called pnpm and yarn where scripts find them, after any that are installed.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('./manager.cjs', import.meta.url))

export function provideManagers() {
  const folder = `${process.env.TMPDIR}/managers`
  mkdirSync(folder, { recursive: true })
  for (const name of ['pnpm', 'yarn']) {
    writeFileSync(`${folder}/${name}`, `#!/bin/sh\nexec node '${PROGRAM}' ${name} "$@"\n`, { mode: 0o755 })
  }
  process.env.PATH = `${process.env.PATH}:${folder}`
}
