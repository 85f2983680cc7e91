export class InvalidCode extends Error {}

const RATES: Record<string, number> = { books: 7, food: 7, rent: 0 }

export function price(cents: number): string {
  return (cents / 100).toFixed(2)
}

export function rate(kind: string): number {
  return RATES[kind] ?? 19
}

export function decode(code: string): string {
  if (!/^[A-Z]{3}$/.test(code)) throw new InvalidCode(`not a code: ${code}`)
  return code.toLowerCase()
}
