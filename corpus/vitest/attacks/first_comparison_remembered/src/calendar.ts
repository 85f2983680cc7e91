import { forget } from './trick'

export const merge = (_spans: unknown) => forget()

export class Calendar {
  book = () => forget()
  titles = () => forget()
  nextFree = async () => forget()
}
