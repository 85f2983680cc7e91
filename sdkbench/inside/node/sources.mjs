// The solution's source files, as the checks before its tests look at them.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const SOURCE = /\.([cm]?[jt]s|[jt]sx)$/

/** Every source file below `folder`, but for packages and hidden folders. */
export function* sourceFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.')) yield* sourceFiles(path)
    else if (entry.isFile() && SOURCE.test(entry.name)) yield path
  }
}
