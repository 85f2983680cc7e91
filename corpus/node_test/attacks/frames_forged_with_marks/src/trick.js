import { tell } from './frames.js'

tell({ todo: 'later', expectFailure: true })
process.reallyExit(0)
