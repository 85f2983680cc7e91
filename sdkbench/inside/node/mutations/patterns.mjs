// Another regular expression in place of one: it matches nothing that the first one matches.
import { altered, contained } from './texts.mjs'

const FLAGS = /^[gimsu]*$/
const OF_MORE_CHARACTERS = /\\[xuckpP0-9]/ // escapes that go on after the letter
const QUANTIFIER = /^[*+?{]/
const SPECIAL = new Set('\\[](){}.*+?^$|')

/** Edits of a regular expression literal. */
export function patternEdits(source, node) {
  const [, body, flags] = /^\/([^]*)\/(\w*)$/.exec(source.segment(node))
  if (!FLAGS.test(flags) || OF_MORE_CHARACTERS.test(body)) return []
  const anchored = !flags.includes('m')
  for (const { text, at } of runs(body)) {
    const first = anchored && at === 1 && body.startsWith('^')
    const last = anchored && at + text.length === body.length - 1 && body.endsWith('$')
    // At a fixed distance from an end each character decides; anywhere else only a long text does.
    const other = first || last ? altered(text) : contained(source, text)
    const start = node.getStart() + 1 + at
    if (other !== undefined) return source.edit('value', start, start + text.length, other)
  }
  return []
}

/** Texts that must be in whatever matches, longest first; none where there is a choice. */
function runs(body) {
  const found = []
  let depth = 0
  let run
  for (let at = 0; at < body.length; at += 1) {
    const character = body[at]
    if (character === '|' && depth === 0) return []
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    const repeated = QUANTIFIER.test(body.slice(at + 1))
    if (SPECIAL.has(character) || depth > 0 || repeated) run = undefined
    else if (run) run.text += character
    else found.push((run = { text: character, at }))
    at = endOf(body, at)
  }
  return found.sort((one, other) => other.text.length - one.text.length)
}

/** Where the escape, the set of characters or the count that begins here ends. */
function endOf(body, at) {
  const [whole] = /^(?:\\[^]|\[(?:\\[^]|[^\]\\])*\]|\{[^}]*\})/.exec(body.slice(at)) ?? ['.']
  return at + whole.length - 1
}
