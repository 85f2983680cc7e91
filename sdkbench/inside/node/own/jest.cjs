module.exports = require('../reporters/jest.cjs')(require('./events.cjs'))
