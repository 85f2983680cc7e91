// Wrong: GitHub knows labels without regard to case.
/** Makes the labels of a repository what is wanted. */
export async function syncLabels(octokit, { owner, repo, wanted, prune = false, dryRun = false }) {
  refuseDuplicates(wanted)
  const repository = { owner, repo }
  const listed = await octokit.paginate(octokit.rest.issues.listLabelsForRepo, { ...repository, per_page: 100 })
  const left = new Map(listed.map((label) => [keyOf(label.name), label]))
  const report = { created: [], updated: [], deleted: [], unchanged: [] }
  const change = async (method, parameters) => {
    if (!dryRun) await method({ ...repository, ...parameters })
  }

  for (const { label, now } of matched(wanted, left)) {
    const { name, color, description } = label
    if (!now) {
      await change(octokit.rest.issues.createLabel, { name, color, description })
      report.created.push(name)
    } else if (now.name !== name || now.color !== color || (now.description ?? '') !== description) {
      await change(octokit.rest.issues.updateLabel, { name: now.name, new_name: name, color, description })
      report.updated.push(name)
    } else {
      report.unchanged.push(name)
    }
  }
  for (const { name } of prune ? left.values() : []) {
    await change(octokit.rest.issues.deleteLabel, { name })
    report.deleted.push(name)
  }
  return report
}

/** Each wanted label with the one there is, if any, which is taken out of `left`. */
function matched(wanted, left) {
  const names = new Set(wanted.map(({ name }) => keyOf(name)))
  return wanted.map(({ name, color, description = '', was = [] }) => {
    const former = was.map(keyOf).filter((old) => !names.has(old))
    const key = [keyOf(name), ...former].find((one) => left.has(one))
    const now = left.get(key)
    left.delete(key)
    return { label: { name, color: color.replace('#', '').toLowerCase(), description }, now }
  })
}

function refuseDuplicates(wanted) {
  const seen = new Set()
  for (const { name } of wanted) {
    if (seen.has(keyOf(name))) throw new Error(`Wanted twice: ${name}`)
    seen.add(keyOf(name))
  }
}

function keyOf(name) {
  return name
}
