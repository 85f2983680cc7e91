export function parseDuration(_text: string): number {
  return 0
}

export function formatDuration(_seconds: number): string {
  return ''
}
