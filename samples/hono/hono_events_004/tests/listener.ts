/** Reads server-sent events as a browser does. */
export interface Event {
  event: string
  id?: string
  data: unknown
}

export class Listener {
  #reader: ReadableStreamDefaultReader<Uint8Array>
  #decoder = new TextDecoder()
  #text = ''

  constructor(readonly response: Response) {
    this.#reader = response.body!.getReader()
  }

  /** The next event; null when the stream is over. */
  async next(): Promise<Event | null> {
    while (!this.#text.includes('\n\n')) {
      const { done, value } = await this.#reader.read()
      if (done) return null
      this.#text += this.#decoder.decode(value, { stream: true })
    }
    const end = this.#text.indexOf('\n\n')
    const lines = this.#text.slice(0, end).split('\n')
    this.#text = this.#text.slice(end + 2)
    const fields = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]))
    return { event: fields.event ?? 'message', ...(fields.id !== undefined && { id: fields.id }), data: JSON.parse(fields.data) }
  }

  async take(count: number): Promise<(Event | null)[]> {
    const events = []
    for (let taken = 0; taken < count; taken += 1) events.push(await this.next())
    return events
  }

  async leave(): Promise<void> {
    await this.#reader.cancel()
  }
}
