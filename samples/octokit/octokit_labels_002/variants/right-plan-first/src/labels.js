const ROUTE = '/repos/{owner}/{repo}/labels'

export async function syncLabels(octokit, { owner, repo, wanted, prune, dryRun }) {
  const lower = wanted.map((label) => label.name.toLowerCase())
  const twice = wanted.find((label, index) => lower.indexOf(label.name.toLowerCase()) < index)
  if (twice) throw new Error(`Wanted twice: ${twice.name}`)

  const existing = []
  for await (const { data } of octokit.paginate.iterator(`GET ${ROUTE}`, { owner, repo })) existing.push(...data)
  const take = (name) => {
    const index = existing.findIndex((label) => label.name.toLowerCase() === name.toLowerCase())
    return index < 0 ? undefined : existing.splice(index, 1)[0]
  }

  const plan = []
  const report = { created: [], updated: [], deleted: [], unchanged: [] }
  for (const one of wanted) {
    const label = { color: one.color.replace(/^#/, '').toLowerCase(), description: one.description || '' }
    let old = take(one.name)
    for (const name of one.was ?? []) {
      if (!old && !lower.includes(name.toLowerCase())) old = take(name)
    }
    if (old === undefined) {
      report.created.push(one.name)
      plan.push([`POST ${ROUTE}`, { name: one.name, ...label }])
    } else if (old.name === one.name && old.color === label.color && (old.description || '') === label.description) {
      report.unchanged.push(one.name)
    } else {
      report.updated.push(one.name)
      plan.push([`PATCH ${ROUTE}/{name}`, { name: old.name, new_name: one.name, ...label }])
    }
  }
  if (prune) {
    for (const { name } of existing) {
      report.deleted.push(name)
      plan.push([`DELETE ${ROUTE}/{name}`, { name }])
    }
  }
  if (dryRun) return report
  for (const [route, parameters] of plan) await octokit.request(route, { owner, repo, ...parameters })
  return report
}
