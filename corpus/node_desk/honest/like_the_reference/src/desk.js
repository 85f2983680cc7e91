export * from './right.js'
