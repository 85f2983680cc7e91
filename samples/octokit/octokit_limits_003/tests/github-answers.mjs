/** Answers of GitHub's, in the order in which they are to come, and what was asked for them. */
export class Answers {
  asked = []
  /** What is answered to these methods, rather than what is next. */
  to = {}
  #answers

  constructor(...answers) {
    this.#answers = answers
  }

  /** In place of `fetch`. An answer may be a promise of one; when there are no more, all is well. */
  fetch = async (address, { method }) => {
    const { pathname, search } = new URL(address)
    this.asked.push(`${method} ${pathname}${search}`)
    const answer = (await (this.to[method] ?? this.#answers.shift())) ?? ok()
    if (answer instanceof Error) throw answer
    const headers = { 'content-type': 'application/json', ...answer.headers }
    return new Response(JSON.stringify(answer.data), { status: answer.status, headers })
  }

  /** Until so many requests have come, or no longer can be hoped for. */
  async come(count) {
    for (let turn = 0; turn < 500 && this.asked.length < count; turn += 1) await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export function ok(data = { done: true }, headers = {}) {
  return { status: 200, data, headers }
}

export function failed(status, headers = {}, message = 'made to fail') {
  return { status, data: { message }, headers }
}

export function later() {
  let tell
  const answer = new Promise((resolve) => {
    tell = resolve
  })
  return { answer, tell }
}
