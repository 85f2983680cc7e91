export default ['./vitest.config.ts']
