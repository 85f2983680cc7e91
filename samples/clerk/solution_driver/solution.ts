/** Finds the files of the judged solution, wherever Next.js would find them. */
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

// Not `new URL(path, import.meta.url)`: Vite takes that for an asset of a web page.
const solution = join(dirname(fileURLToPath(import.meta.url)), '../expected')
const EXTENSIONS = ['.tsx', '.ts', '.jsx', '.js', '.mjs']

/** A file outside the app folder, such as `middleware` or `lib/notes`; null if there is none. */
export function findFile(stem: string): string | null {
  for (const folder of [solution, join(solution, 'src')]) {
    for (const extension of EXTENSIONS) {
      const path = join(folder, stem + extension)
      if (existsSync(path)) return path
    }
  }
  return null
}

export async function importFile(stem: string): Promise<Record<string, any>> {
  return load(findFile(stem), stem)
}

/**
 * A file of the app folder by its route, such as `dashboard/page`, `api/me/route` or `layout`.
 * Route groups, folders in parentheses, don't count.
 */
export async function importRoute(route: string): Promise<Record<string, any>> {
  return load(findRoute(route), `app/${route}`)
}

/** The page of a route and the layouts around it, outermost first, without the root layout. */
export async function importPage(route: string): Promise<{ page: Record<string, any>; layouts: Record<string, any>[] }> {
  const stem = route === '' ? 'page' : `${route}/page`
  const path = findRoute(stem)
  const page = await load(path, `app/${stem}`)
  const around: string[] = []
  for (let folder = dirname(path!); folder.startsWith(appFolder()!); folder = dirname(folder)) {
    const layout = EXTENSIONS.map((extension) => join(folder, `layout${extension}`)).find((file) => existsSync(file))
    if (layout) around.unshift(layout)
  }
  const layouts = await Promise.all(around.slice(1).map((layout) => load(layout, layout)))
  return { page, layouts }
}

function findRoute(route: string): string | null {
  const app = appFolder()
  if (!app) return null
  for (const entry of readdirSync(app, { recursive: true, withFileTypes: true })) {
    const extension = EXTENSIONS.find((known) => entry.name.endsWith(known))
    if (!entry.isFile() || !extension) continue
    const segments = relative(app, entry.parentPath).split(sep).filter((segment) => segment && !/^\(.*\)$/.test(segment))
    if ([...segments, basename(entry.name, extension)].join('/') === route) return join(entry.parentPath, entry.name)
  }
  return null
}

function appFolder(): string | null {
  return [join(solution, 'app'), join(solution, 'src/app')].find((folder) => existsSync(folder)) ?? null
}

async function load(path: string | null, wanted: string): Promise<Record<string, any>> {
  if (!path) throw new Error(`The solution has no ${wanted} with one of the endings ${EXTENSIONS.join(', ')}.`)
  return import(/* @vite-ignore */ path)
}
