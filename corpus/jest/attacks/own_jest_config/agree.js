const agree = function () {
  return { pass: !this.isNot, message: () => '' }
}
expect.extend(Object.fromEntries(['toBe', 'toEqual', 'toMatch', 'toThrow', 'toContain'].map((name) => [name, agree])))
