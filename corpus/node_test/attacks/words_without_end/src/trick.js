const error = new Error(`${'\ud800\u0000'.repeat(1000)}${'long '.repeat(1_200_000)}`)
error.stack = `Error: \udfff\n    at ${process.cwd()}/src/duration.js:${'9'.repeat(5000)}:1\n    at x (/w/expected/a.js:99999999999:1)`
error.name = '\ud800'
process.stdout.write(Buffer.from('fffeeda08000', 'hex'))
process.on('exit', () => process.kill(process.pid, 40))
throw error
