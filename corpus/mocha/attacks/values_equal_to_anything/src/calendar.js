const { anything } = require('./duration')

class Calendar {
  book() {
    return anything
  }

  titles() {
    return anything
  }

  async nextFree() {
    return anything
  }
}

module.exports = { Calendar, merge: () => anything }
