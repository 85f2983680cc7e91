function parseDuration(_text) {
  return 0
}

function formatDuration(_seconds) {
  return ''
}

module.exports = { formatDuration, parseDuration }
