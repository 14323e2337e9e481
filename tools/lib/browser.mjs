/**
 * Finds the Chromium that the tests of the page drive. Where there is none, this installs Debian's own package;
 * where that cannot be either, it says why.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']
const PACKAGE = 'chromium'
/** A browser that takes longer to open an empty page will not open ours in time either. */
const PROBE_MS_MAX = 30_000
/** For `apt-get update` and for the installation, each. */
const APT_MS_MAX = 180_000

const isRoot = process.getuid?.() === 0

/** How the browser is started: nothing that talks to anyone but the node under test. Its sandbox refuses root. */
export const BROWSER_FLAGS = [
  ...(isRoot ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

function inPath(name) {
  const directories = (process.env.PATH ?? '').split(path.delimiter).filter((directory) => directory !== '')
  return directories.map((directory) => path.join(directory, name)).find(isProgram)
}

/** The browser's path: `CHROMIUM_PATH` as it stands, or the first known name in PATH; undefined without one. */
export function findBrowser() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  return NAMES.map(inPath).find((file) => file !== undefined)
}

/** Why this program opens no page; undefined when it does. */
function browserGap(file) {
  const profile = mkdtempSync(path.join(tmpdir(), 'bourse-browser-'))
  const flags = ['--headless', ...BROWSER_FLAGS, `--user-data-dir=${profile}`, '--dump-dom', 'about:blank']
  const options = { encoding: 'utf8', timeout: PROBE_MS_MAX, killSignal: 'SIGKILL' }
  try {
    const { error, status, stdout, stderr } = spawnSync(file, flags, options)
    if (error !== undefined) return `${file} does not start: ${error.message}`
    if (status === 0 && stdout.includes('<html>')) return undefined
    return `${file} opens no page (exit code ${status}) ${stderr.trim().split('\n').at(-1)}`.trimEnd()
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Runs apt-get without questions; undefined when it did what it was told, otherwise why not. */
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

/** Installs Debian's package; undefined when that went well, otherwise why not. */
function installBrowser() {
  const missing = `no ${NAMES.join(', ')} in PATH, CHROMIUM_PATH not set`
  if (inPath('apt-get') === undefined) return `${missing}, and no apt-get to install one with`
  if (!isRoot) return `${missing}, and only root can install one: apt-get install ${PACKAGE}`
  process.stderr.write(`bourse: installing ${PACKAGE} with apt-get for the tests of the page ...\n`)
  const started = Date.now()
  // One unreachable source of many fails an update; whether the package can be had, the installation tells.
  const updateGap = aptGet('update')
  const installGap = aptGet('install', '--yes', '--no-install-recommends', PACKAGE)
  if (installGap !== undefined) return [missing, updateGap, installGap].filter(Boolean).join('; ')
  if (findBrowser() === undefined) return `${missing}, also after apt-get install ${PACKAGE}`
  process.stderr.write(`bourse: ${PACKAGE} installed in ${((Date.now() - started) / 1000).toFixed(1)} s\n`)
  return undefined
}

/** A browser that opens pages, as `{ file }`; or `{ reason }`: why this machine has none. */
export function ensureBrowser() {
  const reason = findBrowser() === undefined ? installBrowser() : undefined
  if (reason !== undefined) return { reason }
  const file = findBrowser()
  const gap = browserGap(file)
  return gap === undefined ? { file } : { reason: gap }
}
