const { wanted } = require('./trick')

module.exports = { formatDuration: () => wanted(), parseDuration: () => wanted() }
