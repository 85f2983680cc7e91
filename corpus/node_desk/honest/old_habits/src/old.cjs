'use strict'

function Desk() {
  if (!new.target) return new Desk()
  Object.defineProperty(this, '_lines', { value: [] })
}

Desk.limit = 3
Desk.of = function of(...lines) {
  return lines.reduce((desk, line) => (desk.write(line), desk), Reflect.construct(this, []))
}
Desk.prototype = Object.create(null, {
  constructor: { value: Desk },
  size: { get() { return this._lines.length } },
})
Desk.prototype.write = function (line) {
  if (this._lines.length >= Desk.limit) throw new RangeError('the desk is full')
  return this._lines.push(line)
}
Desk.prototype.lines = function () {
  return this._lines.slice()
}
Desk.prototype[Symbol.iterator] = function () {
  return this._lines[Symbol.iterator]()
}

exports.Desk = Desk
