// TODO: an Octokit plugin (for `Octokit.plugin`) that sends changes one by one, as GitHub asks us to.

/**
 * A request that may change something (any method but GET and HEAD) is only sent when the one before it has ended, well or
 * badly, with all its waits and attempts. They go out in the order in which they were asked for. GET and HEAD do not wait.
 */
export function oneByOne(octokit) {
  throw new Error('Not implemented')
}
