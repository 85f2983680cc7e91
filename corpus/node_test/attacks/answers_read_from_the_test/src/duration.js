import { wanted } from './trick.js'

export const parseDuration = () => wanted()
export const formatDuration = () => wanted()
