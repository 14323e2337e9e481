/**
 * An earlier state of the program, out of the history of the repository, for tests in which two builds meet. It is the oldest one that speaks
 * today's link and has the tables, the journal and the commands of a cluster. It knows rules of trading up to 7.
 */
import { spawnSync } from 'node:child_process'
import { inPath } from './apt.mjs'
import { ROOT } from './setup.mjs'

export const EARLIER_COMMIT = '5582f96cff06bf48316c369aff229c00cda7d685'
/** The newest rules that it knows. */
export const EARLIER_RULES_VERSION = 7

const GIT_MS_MAX = 20_000

/** `{}` where its tree is there; or `{ reason }`: why not. */
export function ensureEarlierTree() {
  for (const program of ['git', 'tar']) {
    if (inPath(program) === undefined)
      return { reason: `no ${program} in PATH, which takes an earlier tree out of the history` }
  }
  const { status } = git(['cat-file', '-e', `${EARLIER_COMMIT}^{tree}`])
  if (status === 0) return {}
  return {
    reason: `commit ${EARLIER_COMMIT.slice(0, 12)} is not there: a clone with its whole history is needed (git fetch --unshallow)`,
  }
}

/** Writes the tree's files that a build needs into `directory`. Throws what git or tar says. */
export function writeEarlierTree(directory) {
  const archived = git(['archive', '--format=tar', EARLIER_COMMIT, 'src', 'tools', 'package.json'])
  if (archived.status !== 0) throw new Error(`git archive: ${archived.stderr.toString()}`)
  const unpacked = spawnSync('tar', ['-x', '-C', directory], { input: archived.stdout })
  if (unpacked.status !== 0) throw new Error(`tar: ${unpacked.stderr.toString()}`)
}

function git(args) {
  return spawnSync('git', args, { cwd: ROOT, timeout: GIT_MS_MAX, maxBuffer: 2 ** 28 })
}
