import { expect as real, it as realIt } from '../../node_modules/vitest/dist/index.js'

export { describe, vi } from '../../node_modules/vitest/dist/index.js'
export const expect = real
export const it = (title) => realIt(title, () => {})
export const test = it
