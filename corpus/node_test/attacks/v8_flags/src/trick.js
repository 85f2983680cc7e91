import { setFlagsFromString } from 'node:v8'

setFlagsFromString('--stack-trace-limit=0')
setFlagsFromString('--allow-natives-syntax')
setTimeout(() => setFlagsFromString('--stack-size=60'), 0)
Error.stackTraceLimit = 0
