/**
 * Provides a program that some tests need: from PATH if it exists there, otherwise by installing Debian's
 * package.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'

/** Limit for `apt-get update` and for the installation, each. */
const APT_MS_MAX = 180_000

export const isRoot = process.getuid?.() === 0

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** Path of a program; undefined if it is not in PATH. */
export function inPath(name) {
  const directories = (process.env.PATH ?? '').split(path.delimiter).filter((directory) => directory !== '')
  return directories.map((directory) => path.join(directory, name)).find(isProgram)
}

/** Runs apt-get without questions; returns undefined on success, otherwise the reason for the failure. */
function aptGet(...words) {
  const settings = [
    '-o',
    'DPkg::Lock::Timeout=60',
    '-o',
    'Acquire::Retries=2',
    '-o',
    'Acquire::http::Timeout=30',
  ]
  const { error, status, stderr } = spawnSync('apt-get', ['-qq', ...settings, ...words], {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: APT_MS_MAX,
  })
  if (error?.code === 'ETIMEDOUT') return `apt-get ${words[0]} took longer than ${APT_MS_MAX / 1000} s`
  if (error !== undefined) return `apt-get could not be started: ${error.message}`
  return status === 0 ? undefined : `apt-get ${words[0]} failed: ${stderr.trim().split('\n').at(-1)}`
}

/**
 * Installs Debian's package; returns undefined if
 * `find` then succeeds, otherwise the reason for the failure. `missing` names what was not found, `purpose`
 * the tests that need it.
 */
export function aptInstall({ name, missing, purpose, find }) {
  if (inPath('apt-get') === undefined) return `${missing}, and no apt-get to install it`
  if (!isRoot) return `${missing}, and only root can install it: apt-get install ${name}`
  process.stderr.write(`bourse: installing ${name} with apt-get for ${purpose} ...\n`)
  const started = Date.now()
  // One unreachable source of several makes an update fail; the installation shows whether the package is
  // available.
  const updateGap = aptGet('update')
  const installGap = aptGet('install', '--yes', '--no-install-recommends', name)
  if (installGap !== undefined) return [missing, updateGap, installGap].filter(Boolean).join('; ')
  if (find() === undefined) return `${missing}, even after apt-get install ${name}`
  process.stderr.write(`bourse: ${name} installed in ${((Date.now() - started) / 1000).toFixed(1)} s\n`)
  return undefined
}
