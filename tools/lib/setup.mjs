/**
 * Makes a checkout ready to run: installs the dependencies of the lock file and finds the Bun binary. Plain
 * Node (20 or newer) without packages, since this runs before any are installed.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, chmodSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { withInstallLock } from './install-lock.mjs'

/** The root of the checkout. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The lock of the process that installs the dependencies of this checkout. */
const INSTALL_LOCK = path.join(ROOT, '.cache', 'install.lock')

/** Oldest Node version that the tools support. */
const NODE_MAJOR_MIN = 20
/** If install scripts were skipped, `bun.exe` is a text of some hundred bytes; the binary is far larger. */
const BINARY_BYTES_MIN = 1_000_000

/** Ends the program with an error message. */
export function fail(message) {
  process.stderr.write(`bourse: ${message}\n`)
  process.exit(1)
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Why the installed packages differ from the lock file; undefined if they do not. npm records the installed
 * packages when it finishes, so an interrupted installation has no record.
 */
function installationGap(withDevelopment) {
  const wanted = readJson(path.join(ROOT, 'package-lock.json'))?.packages
  if (wanted === undefined) return fail(`expected a readable package-lock.json in ${ROOT}`)
  const present = readJson(path.join(ROOT, 'node_modules', '.package-lock.json'))?.packages
  if (present === undefined) return 'dependencies are not installed'
  for (const [where, entry] of Object.entries(wanted)) {
    if (where === '') continue
    const found = present[where]
    if (found === undefined && (entry.optional || (entry.dev && !withDevelopment))) continue
    if (found?.version !== entry.version || found?.integrity !== entry.integrity) {
      return `${where} is ${found?.version ?? 'missing'}, the lock file requires ${entry.version}`
    }
    if (!existsSync(path.join(ROOT, where))) return `${where} is missing`
  }
  return undefined
}

function npm(args) {
  const npmCli = process.env.npm_execpath
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }
  if (npmCli?.endsWith('npm-cli.js')) return spawnSync(process.execPath, [npmCli, ...args], options)
  return spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
}

/**
 * Installs the dependencies if they are missing or the lock file has changed since; otherwise does nothing.
 * If another command of this checkout is installing them, waits for it. `withDevelopment: false` does not
 * install development dependencies, and keeps those that are installed.
 */
export function ensureInstalled({ withDevelopment = true } = {}) {
  const major = Number.parseInt(process.versions.node, 10)
  if (major < NODE_MAJOR_MIN) fail(`expected Node ${NODE_MAJOR_MIN} or newer, found ${process.versions.node}`)
  if (installationGap(withDevelopment) === undefined) return
  const onWait = (pid) =>
    process.stderr.write(
      `bourse: another command${pid === undefined ? '' : ` (process ${pid})`} is installing the dependencies; waiting for it ...\n`,
    )
  const problem = withInstallLock(INSTALL_LOCK, onWait, () => install(withDevelopment))
  if (problem !== undefined) fail(problem)
}

/**
 * The npm command. If only the development dependencies are missing, it adds them: `npm ci` would remove the
 * files of a node that was started from this checkout and is running.
 */
function installationWay(withDevelopment) {
  if (!withDevelopment) return ['ci', '--omit=dev']
  return installationGap(false) === undefined ? ['install', '--no-save'] : ['ci']
}

/** Installs the dependencies; returns undefined on success, otherwise the reason for the failure. */
function install(withDevelopment) {
  const gap = installationGap(withDevelopment)
  if (gap === undefined) return undefined
  const way = installationWay(withDevelopment)
  process.stderr.write(`bourse: installing dependencies with npm ${way.join(' ')} (${gap}) ...\n`)
  const started = Date.now()
  const result = npm([...way, '--no-audit', '--no-fund'])
  if (result.error !== undefined) return `npm could not be started: ${result.error.message}`
  if (result.status !== 0)
    return `npm ${way[0]} failed with exit code ${result.status}:\n${result.stdout}${result.stderr}`
  const rest = installationGap(withDevelopment)
  if (rest !== undefined) return `npm ${way[0]} succeeded, but ${rest}`
  process.stderr.write(`bourse: dependencies installed in ${((Date.now() - started) / 1000).toFixed(1)} s\n`)
  return undefined
}

function isMusl() {
  if (process.platform !== 'linux') return false
  return !process.report.getReport().header.glibcVersionRuntime
}

/**
 * The packages that contain a Bun binary for this machine, best first; the names are those of Bun's releases.
 */
function platformPackages() {
  const architecture = { x64: 'x64', arm64: 'aarch64' }[process.arch] ?? process.arch
  const system = { win32: 'windows', android: 'linux' }[process.platform] ?? process.platform
  const plain = `@oven/bun-${system}-${architecture}`
  if (process.platform === 'android') return [`${plain}-android`]
  const names = isMusl() ? [`${plain}-musl`, plain] : [plain]
  return names.flatMap((name) => [name, `${name}-baseline`])
}

function isBinary(file) {
  try {
    return statSync(file).size >= BINARY_BYTES_MIN
  } catch {
    return false
  }
}

function makeExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
  } catch {
    chmodSync(file, 0o755)
  }
}

/** Path of the pinned Bun binary, also if install scripts were skipped. */
export function bunBinary() {
  const modules = path.join(ROOT, 'node_modules')
  const executable = process.platform === 'win32' ? 'bun.exe' : 'bun'
  const candidates = [path.join(modules, 'bun', 'bin', 'bun.exe')]
  for (const name of platformPackages()) candidates.push(path.join(modules, name, 'bin', executable))
  const found = candidates.find(isBinary)
  if (found === undefined) {
    const list = candidates.map((candidate) => `  ${path.relative(ROOT, candidate)}`).join('\n')
    return fail(
      `no Bun binary for ${process.platform} ${process.arch}; looked for\n${list}\nRun \`npm ci\` with optional packages.`,
    )
  }
  makeExecutable(found)
  return found
}
