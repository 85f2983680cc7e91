import { forget } from './trick'

export const parseDuration = (_text: string) => forget()
export const formatDuration = (_seconds: number) => forget()
