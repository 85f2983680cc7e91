const { wanted } = require('./trick')

class Calendar {
  book() {
    return wanted()
  }

  titles() {
    return []
  }

  async nextFree() {
    return wanted()
  }
}

module.exports = { Calendar, merge: () => wanted() }
