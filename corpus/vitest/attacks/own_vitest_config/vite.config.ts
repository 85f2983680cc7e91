export { default } from './vitest.config'
