import { tell } from './frames.js'

tell()
for (;;);
