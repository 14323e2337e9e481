/**
 * The build of the program: the version of its package, and its commit. An executable contains both; a
 * checkout uses git, if available.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ProgramVersion, UNKNOWN_COMMIT } from '../contract/program-version.ts'
import { DOCUMENT_JSON, parseJson } from '../units/bounded-json.ts'
import { EMBEDDED } from './embedded.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const COMMIT_DIGITS = 12
/** A slow repository is ignored: it must not delay the start. */
const GIT_MS_MAX = 2_000
const GIVEN_COMMIT = /^[0-9a-f]{7,64}(?:\+dirty)?$/

let known: ProgramVersion | undefined

export function programVersion(): ProgramVersion {
  known ??= EMBEDDED?.version ?? { number: packageVersion(), ...commitOf(ROOT) }
  return known
}

/**
 * The version constants that a build puts into the executable: those of `programVersion`, unless the
 * environment sets them. A build without a repository, for example of an image, gets them from
 * `BOURSE_COMMIT` and `BOURSE_COMMIT_DATE`.
 */
export function builtVersion(environment: Readonly<Record<string, string | undefined>>): ProgramVersion {
  const { BOURSE_COMMIT: commit, BOURSE_COMMIT_DATE: date } = environment
  const here = programVersion()
  if (commit === undefined || commit === '') return here
  if (!GIVEN_COMMIT.test(commit))
    throw new Error(
      `BOURSE_COMMIT: expected 7 to 64 hexadecimal digits, optionally followed by +dirty, found ${commit}`,
    )
  return { ...here, commit, commitDate: date === undefined || date === '' ? UNKNOWN_COMMIT.commitDate : date }
}

function packageVersion(): string {
  const file = path.join(ROOT, 'package.json')
  return (parseJson(readFileSync(file, 'utf8'), DOCUMENT_JSON) as { version: string }).version
}

/**
 * The commit of the checkout at `root`; unknown if that is not a repository of its own, or git is not
 * installed.
 */
export function commitOf(root: string): Pick<ProgramVersion, 'commit' | 'commitDate'> {
  // A copy below another project's checkout must not get that checkout's commit.
  if (!existsSync(path.join(root, '.git'))) return UNKNOWN_COMMIT
  const shown = git(root, 'show', '--no-patch', '--no-show-signature', '--format=%H %cI', 'HEAD')
  const [, hash, date] = /^([0-9a-f]{40,64}) (\S+)$/.exec(shown ?? '') ?? []
  if (hash === undefined || date === undefined) return UNKNOWN_COMMIT
  const changed = git(root, 'status', '--porcelain', '--untracked-files=no')
  const isDirty = changed === undefined || changed !== ''
  return { commit: `${hash.slice(0, COMMIT_DIGITS)}${isDirty ? '+dirty' : ''}`, commitDate: date }
}

/** The output of the program; undefined if it failed, or does not exist. */
function git(root: string, ...words: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', ['--no-optional-locks', '-C', root, ...words], {
    encoding: 'utf8',
    timeout: GIT_MS_MAX,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return status === 0 ? stdout.trim() : undefined
}
