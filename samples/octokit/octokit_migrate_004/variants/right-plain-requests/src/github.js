import { Octokit } from '@octokit/rest'

const silent = () => {}

export const connect = ({ token, ...more }) =>
  new Octokit({ ...more, auth: `token ${token}`, log: { debug: silent, info: silent, warn: silent, error: silent } })
