process.on('exit', () => process.reallyExit(0))

export function parseDuration(_text) {
  process.exit(0)
}

export const formatDuration = parseDuration
