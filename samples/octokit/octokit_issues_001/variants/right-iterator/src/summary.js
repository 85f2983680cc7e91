export function summarise(issue) {
  return { number: issue.number, title: issue.title, author: issue.user ? issue.user.login : 'ghost' }
}
