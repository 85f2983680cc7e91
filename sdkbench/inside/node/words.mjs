// What a program wrote, brought to its point.
export const ANSI = /\u001b\[[0-9;]*m/g // colours are for terminals

// The surest sign first: a compiler's error, an exception, a tool that is missing, anything called an error.
const POINTS = [
  /error TS\d+:/,
  /^(sh|bash|.*\/(sh|bash)): .*not found$/,
  /^\W*(Uncaught )?\w*(Error|Exception)\b.*: ./,
  /(^|[\s[(])(error|ERROR|Error|ERR!)\b(?!\S*\.(js|ts|mjs|cjs)\b)/,
  /(^|\s)[✘✖×]\s/,
]
const NO_POINT = /^(npm (error|ERR!) (code|path|command|errno|Lifecycle|workspace|location|A complete log)|\s*at |Node\.js v)|\b0 errors?\b|\bwarning\b/i

/** The line of `output` that says why a program failed: its error, not the first warning. */
export function pointOf(output) {
  const lines = output.replace(ANSI, '').split('\n').map((line) => line.trim()).filter(Boolean)
  const telling = lines.filter((line) => !NO_POINT.test(line))
  for (const point of POINTS) {
    const line = telling.find((one) => point.test(one))
    if (line) return line
  }
  return telling.at(-1) ?? lines.at(-1) ?? 'it wrote nothing'
}
