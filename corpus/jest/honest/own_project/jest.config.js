export default { testEnvironment: 'jsdom', bail: 1, testMatch: ['**/own.spec.ts'] }
