module.exports = require('../reporters/mocha.cjs')(require('./events.cjs'))
