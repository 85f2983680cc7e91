import vm from 'node:vm'

const scope = globalThis as any
const { compileFunction } = vm

if (!scope.again) {
  scope.again = true
  vm.compileFunction = ((code: string, words: string[], options: vm.CompileFunctionOptions) => {
    const isTest = options?.filename?.startsWith('/w/tests/')
    const emptied = isTest ? code.replace(/(\bit\)?\('[^']+', (?:async )?\(\)=>\{)/g, '$1return;') : code
    return compileFunction(emptied, words, options)
  }) as typeof compileFunction
  jest.isolateModules(() => require(scope.expect.getState().testPath))
  vm.compileFunction = compileFunction
  const symbol = Object.getOwnPropertySymbols(scope).find((one) => String(one) === 'Symbol(JEST_STATE_SYMBOL)')!
  scope[Symbol.for('EVENT_HANDLERS')].unshift((event: any) => {
    if (event.name === 'run_start') scope[symbol].rootDescribeBlock.children.length = 1
  })
}
