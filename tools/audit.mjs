/**
 * `npm run audit`: asks the registry for known vulnerabilities in the packages that the product depends on.
 * Fails if one has severity high or above. If the registry does not offer this service or cannot be reached,
 * the program reports that and does not fail. Runs on Bun. Text from the registry is printed like any other
 * untrusted text.
 */
import { spawnSync } from 'node:child_process'
import { printable } from '../src/units/printable.ts'
import { readProgram } from './lib/program.mjs'
import { ROOT } from './lib/setup.mjs'

readProgram({
  command: 'npm run audit --',
  about:
    'Lists known vulnerabilities of the packages that the product uses; fails if one has severity high or above.',
})

const FAILING = ['high', 'critical']

const patience = ['--fetch-retries=0', '--fetch-timeout=20000']
const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json', ...patience], {
  cwd: ROOT,
  encoding: 'utf8',
  timeout: 60_000,
})
const report = parse(stdout ?? '')

if (report?.vulnerabilities === undefined) {
  const why = report?.message ?? report?.error?.summary ?? 'no answer'
  say(`NOT CHECKED, the registry provides no advisories (${String(why).split('\n')[0]})`)
} else {
  const found = Object.values(report.vulnerabilities)
  for (const { name, severity, range } of found) say(`${severity}: ${name} ${range}`)
  const failing = found.filter(({ severity }) => FAILING.includes(severity))
  say(`${found.length} known vulnerabilities, ${failing.length} of them high or critical`)
  process.exitCode = failing.length === 0 ? 0 : 1
}

function say(text) {
  console.log(`audit: ${printable(text)}`)
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
