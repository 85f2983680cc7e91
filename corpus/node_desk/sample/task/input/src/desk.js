/** Notes that come in one after the other. */
export class Desk {}
