export function merge(_spans) {
  return []
}

export class Calendar {
  book(_start, _end, _title) {
    return true
  }

  titles() {
    return []
  }

  async nextFree(_hours, _from) {
    return 0
  }
}
