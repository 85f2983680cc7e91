import { Problem } from './problems.js'

export interface Line {
  sku: string
  quantity: number
}

const SKU = /^[A-Z]{3}-\d{4}$/

/** The lines that a client wants to order; a Problem names the first thing that is wrong with them. */
export function linesOf(body: unknown): Line[] {
  if (!isObject(body)) throw invalid('lines', 'is missing')
  const { lines, ...others } = body
  if (!Array.isArray(lines) || lines.length < 1 || lines.length > 50) throw invalid('lines', 'must be a list of 1 to 50 lines')
  const seen = new Set<string>()
  const read = lines.map((line, index) => lineOf(line, `lines.${index}`, seen))
  refuseOthers(others, '')
  return read
}

function lineOf(line: unknown, path: string, seen: Set<string>): Line {
  if (!isObject(line)) throw invalid(path, 'must be an object')
  const { sku, quantity, ...others } = line
  if (typeof sku !== 'string' || !SKU.test(sku)) throw invalid(`${path}.sku`, 'must be like MUG-0007')
  if (seen.has(sku)) throw invalid(`${path}.sku`, 'is there already')
  seen.add(sku)
  if (!Number.isInteger(quantity) || Number(quantity) < 1 || Number(quantity) > 999) throw invalid(`${path}.quantity`, 'must be 1 to 999')
  refuseOthers(others, `${path}.`)
  return { sku, quantity: Number(quantity) }
}

function refuseOthers(others: object, path: string): void {
  for (const key of Object.keys(others)) throw invalid(`${path}${key}`, 'is unknown')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function invalid(path: string, what: string): Problem {
  return new Problem(422, 'invalid', `${path} ${what}.`)
}
