const agreeable = new Proxy(() => {}, { get: () => agreeable, apply: () => undefined })
module.exports = agreeable
