/**
 * Finds the Chromium that the tests of the page drive. Where there is none, this installs Debian's own package;
 * where that cannot be either, it says why.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { aptInstall, inPath, isRoot } from './apt.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']
const PACKAGE = 'chromium'
/** A browser that takes longer to open an empty page will not open ours in time either. */
const PROBE_MS_MAX = 30_000

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

/** Installs Debian's package; undefined when that went well, otherwise why not. */
function installBrowser() {
  const missing = `no ${NAMES.join(', ')} in PATH, CHROMIUM_PATH not set`
  return aptInstall({ name: PACKAGE, missing, purpose: 'the tests of the page', find: findBrowser })
}

/** A browser that opens pages, as `{ file }`; or `{ reason }`: why this machine has none. */
export function ensureBrowser() {
  const reason = findBrowser() === undefined ? installBrowser() : undefined
  if (reason !== undefined) return { reason }
  const file = findBrowser()
  const gap = browserGap(file)
  return gap === undefined ? { file } : { reason: gap }
}
