/**
 * Finds the Chromium that drives the page tests. The headless shell is preferred: it is the same engine
 * without windows and takes half the processor time for the same pages. If there is no browser, this installs
 * Debian's own package; if that fails too, the reason is returned.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { aptInstall, inPath, isRoot } from './apt.mjs'

const SHELL = 'chromium-headless-shell'
/** Full browsers, as installed on people's machines. */
const WHOLE = ['chromium', 'chromium-browser', 'google-chrome']
const NAMES = [SHELL, ...WHOLE]
/** A browser that needs longer to open an empty page will not open our page in time either. */
const PROBE_MS_MAX = 30_000

/** Environment variable with the seed of the delays of pages under test; not set in other runs. */
export const DELAYS_VARIABLE = 'TEST_PAGE_DELAYS'

/** Flags of the browser: it connects to nothing but the node under test. Its sandbox refuses root. */
export const BROWSER_FLAGS = [
  ...(isRoot ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Path of the browser: `CHROMIUM_PATH` unchanged, or the first known name in PATH; undefined if there is
 * none. `isWhole`: prefers a full browser to the shell, for measurements of what people see.
 */
export function findBrowser({ isWhole = false } = {}) {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const names = isWhole ? [...WHOLE, SHELL] : NAMES
  return names.map(inPath).find((file) => file !== undefined)
}

/** Why this program cannot open a page; undefined if it can. */
function browserGap(file) {
  const profile = mkdtempSync(path.join(tmpdir(), 'bourse-browser-'))
  const flags = ['--headless', ...BROWSER_FLAGS, `--user-data-dir=${profile}`, '--dump-dom', 'about:blank']
  const options = { encoding: 'utf8', timeout: PROBE_MS_MAX, killSignal: 'SIGKILL' }
  try {
    const { error, status, stdout, stderr } = spawnSync(file, flags, options)
    if (error !== undefined) return `${file} does not start: ${error.message}`
    if (status === 0 && stdout.includes('<html>')) return undefined
    return `${file} cannot open a page (exit code ${status}) ${stderr.trim().split('\n').at(-1)}`.trimEnd()
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

/**
 * Installs Debian's package of the shell or, if that is not available and there is no browser, of the full
 * browser; returns undefined on success, otherwise the reason for the failure.
 */
function installBrowser() {
  const missing = `no ${NAMES.join(', ')} in PATH, CHROMIUM_PATH not set`
  const install = (name) => aptInstall({ name, missing, purpose: 'the page tests', find: () => inPath(name) })
  const gap = install(SHELL)
  return gap === undefined || findBrowser() !== undefined ? gap : install(WHOLE[0])
}

/**
 * A browser that opens pages, as `{ file }`; or `{ reason }`: why this machine has none. On continuous
 * integration the shell is installed even if a browser is present; if that fails, that browser is used.
 */
export function ensureBrowser() {
  const isInstalled = findBrowser() !== undefined
  const lacksShell = process.env.CI !== undefined && !process.env.CHROMIUM_PATH && inPath(SHELL) === undefined
  const reason = !isInstalled || lacksShell ? installBrowser() : undefined
  if (reason !== undefined && !isInstalled) return { reason }
  const file = findBrowser()
  const gap = browserGap(file)
  return gap === undefined ? { file } : { reason: gap }
}
