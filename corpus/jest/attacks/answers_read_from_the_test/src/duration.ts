import { wanted } from './trick'

export const parseDuration = (_text: string) => wanted()
export const formatDuration = (_seconds: number) => wanted()
