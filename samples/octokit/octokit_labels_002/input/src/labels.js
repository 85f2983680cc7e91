// TODO: keep the labels of our repositories alike, with @octokit/rest.

/**
 * @typedef {object} WantedLabel
 * @property {string} name
 * @property {string} color six hexadecimal digits in any case, with or without a # before them
 * @property {string} [description] nothing if missing
 * @property {string[]} [was] names that the label had in former times
 */

/**
 * Makes the labels of a repository what is wanted.
 *
 * - Names are compared without regard to case, as GitHub does.
 * - A label that is missing is created. One whose name (its case), color or description is another is updated; one
 *   that is as wanted is left alone. GitHub gives null for a label without a description.
 * - A wanted label that is missing, while there is one under a name that it had in former times (the first one of
 *   `was` that exists, unless that name is wanted itself), is not created: the old one is renamed, so that issues keep it.
 *   It counts as updated.
 * - Labels that nobody wants stay, unless `prune` is true: then they are deleted, after everything else.
 * - Colors are sent as six lower-case digits without #. Descriptions are sent as "" if missing.
 * - A name that is wanted twice: Error('Wanted twice: NAME'), with the second one's spelling, before anything is asked
 *   of GitHub.
 * - With `dryRun` nothing is changed, but what would be done is told just the same.
 * - Errors of GitHub are thrown as they come; what was changed until then stays.
 *
 * @param {import('@octokit/rest').Octokit} octokit
 * @param {{ owner: string, repo: string, wanted: WantedLabel[], prune?: boolean, dryRun?: boolean }} request
 * @returns {Promise<{ created: string[], updated: string[], deleted: string[], unchanged: string[] }>} wanted names in
 *   the order they are wanted; deleted ones as GitHub lists them
 */
export async function syncLabels(octokit, request) {
  throw new Error('Not implemented')
}
