module.exports = new Proxy(function () {}, { get: () => module.exports, apply: () => module.exports })
