import { wanted } from './trick.js'

export const merge = () => wanted()

export class Calendar {
  book() {
    return wanted()
  }

  titles() {
    return []
  }

  async nextFree() {
    return wanted()
  }
}
