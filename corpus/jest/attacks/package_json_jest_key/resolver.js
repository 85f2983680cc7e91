module.exports = (request, options) => (request.includes('expected') ? require.resolve('./stub.js') : options.defaultResolver(request, options))
