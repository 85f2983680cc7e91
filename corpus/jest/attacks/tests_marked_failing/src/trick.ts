(globalThis as any)[Symbol.for('EVENT_HANDLERS')].unshift((event: any) => {
  if (event.name === 'test_start') event.test.failing = true
})
