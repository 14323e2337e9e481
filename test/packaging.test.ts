/**
 * Files for operators of an exchange (units, image, settings, alert rules): their paths, words and names
 * exist.
 */
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import path from 'node:path'
import { runConfig } from '../src/app/config.ts'
import { BACKUP } from '../src/app/maintenance/backup/backup.ts'
import { SERVE_DEFAULTS, type Settings } from '../src/app/settings/defaults.ts'
import { loadSettings, VARIABLES } from '../src/app/settings/load.ts'
import { parseArguments } from '../src/cli/arguments.ts'
import { FULL_SHARE } from '../src/server/access/limits/connection-policy.ts'
import { JOURNAL_NAME } from '../src/storage/sqlite/journal-file.ts'
import { ROOT } from './support/bourse-process.ts'

const PROGRAM = '/usr/local/bin/bourse'
const CONFIG = '/etc/bourse/bourse.json'

function packaged(name: string): string {
  return readFileSync(path.join(ROOT, 'packaging', name), 'utf8')
}

function settings(): Settings {
  return loadSettings(['--config', path.join(ROOT, 'packaging/bourse.json')], {}, SERVE_DEFAULTS)
}

/** The values of a key of a unit, in order. */
function unit(name: string, key: string): string[] {
  return [...packaged(`systemd/${name}`).matchAll(new RegExp(`^${key}=-?(.*)$`, 'gm'))].map(
    ([, value = '']) => value,
  )
}

/** The program's words in a unit's command. */
function words(name: string, key: string): string[] {
  const [program, ...line] = (unit(name, key)[0] ?? '').split(' ')
  expect(program).toBe(PROGRAM)
  return line
}

describe('the settings of the service', () => {
  test('they are consistent, and name where Prometheus scrapes', () => {
    const { monitoring, drainDelayMs, server } = settings()
    expect(packaged('prometheus/prometheus.yml')).toContain(`"${monitoring.host}:${monitoring.port}"`)
    expect([server.hostname, drainDelayMs > 0]).toEqual(['127.0.0.1', true])
  })
})

describe('the units of systemd', () => {
  test('the service runs valid commands, with the settings of the package', () => {
    const [verb, ...serve] = words('bourse.service', 'ExecStart')
    expect([verb, serve]).toEqual(['serve', ['--config', CONFIG]])
    const installed = (line: string[]) =>
      line.map((word) => (word === CONFIG ? path.join(ROOT, 'packaging/bourse.json') : word))
    const [config, ...check] = words('bourse.service', 'ExecStartPre')
    let out = ''
    const print = (text: string) => {
      out += text
    }
    expect([config, runConfig(installed(check), { print, printError: print, environment: {} })]).toEqual([
      'config',
      0,
    ])
    expect(out).toBe('The configuration is valid.')
  })

  test('a stop has the time that draining, answering and closing may take', () => {
    const { drainDelayMs, server } = settings()
    // The program itself gives up waiting for its end after a minute.
    const neededMs = drainDelayMs + server.stopTimeoutMs + 60_000
    expect(Number(unit('bourse.service', 'TimeoutStopSec')[0]) * 1_000).toBeGreaterThan(neededMs)
  })

  test.each(['bourse.service', 'bourse-gateway@.service', 'bourse-engine@.service'])(
    '%s has descriptors for all connections of the stream, and for as many others, before any is closed',
    (name) => {
      const { connectionsMax } = settings().stream
      expect(Number(unit(name, 'LimitNOFILE')[0]) * FULL_SHARE).toBeGreaterThan(2 * connectionsMax)
    },
  )

  test.each(['127.0.0.1', '::1'])('both may open a socket to an admin server at %s', (adminHost) => {
    const settings = loadSettings(['--data=d', '--admin-host', adminHost], {}, SERVE_DEFAULTS)
    const family = isIPv6(settings.adminHost) ? 'AF_INET6' : 'AF_INET'
    for (const name of ['bourse.service', 'bourse-backup.service']) {
      expect(unit(name, 'RestrictAddressFamilies')[0]?.split(' ')).toContain(family)
    }
  })

  test('the data directory is the one that the service may write', () => {
    expect(settings().dataDirectory).toBe(`/var/lib/${unit('bourse.service', 'StateDirectory')[0]}`)
    expect(path.dirname(CONFIG)).toBe(`/etc/${unit('bourse.service', 'ConfigurationDirectory')[0]}`)
  })

  test('neither unit starts where the disk of the exchange is not mounted, and neither creates a new exchange', () => {
    const { dataDirectory } = settings()
    for (const name of ['bourse.service', 'bourse-backup.service']) {
      expect(unit(name, 'RequiresMountsFor')[0]?.split(' ')).toContain(dataDirectory)
      expect(unit(name, 'AssertPathExists')).toEqual([path.join(dataDirectory, JOURNAL_NAME)])
    }
    expect(words('bourse.service', 'ExecStart')).not.toContain('--init')
  })

  test('the backup copies that directory into one that it may write', () => {
    const [verb, ...line] = words('bourse-backup.service', 'ExecStart')
    const { options } = parseArguments(line, BACKUP.forms)
    expect([verb, options.get('data')]).toEqual(['backup', settings().dataDirectory])
    const writable = unit('bourse-backup.service', 'ReadWritePaths')[0]?.split(' ')
    expect(writable).toEqual([options.get('into') as string, settings().dataDirectory])
    expect(unit('bourse-backup.service', 'User')).toEqual(unit('bourse.service', 'User'))
  })
})

describe('the image', () => {
  const file = packaged('Dockerfile').replaceAll(/\\\n/g, ' ')
  const lines = (word: string) =>
    [...file.matchAll(new RegExp(`^${word} (.*)$`, 'gm'))].map(([, rest = '']) => rest)

  test('the copied files exist, and are not excluded by .dockerignore', () => {
    const kept = [...readFileSync(path.join(ROOT, '.dockerignore'), 'utf8').matchAll(/^!(.*)$/gm)].map(
      ([, name = '']) => name,
    )
    const named = lines('COPY')
      .filter((rest) => !rest.startsWith('--from'))
      .flatMap((rest) => rest.split(' ').slice(0, -1))
    for (const name of [...kept, ...named])
      expect([name, existsSync(path.join(ROOT, name))]).toEqual([name, true])
    for (const name of named) if (name !== '.') expect(kept).toContain(name)
    // Inputs of `npm run build`.
    expect(kept).toEqual(expect.arrayContaining(['src', 'tools', 'package.json', 'package-lock.json']))
  })

  test('it builds and starts the program with valid commands', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    // The words before the command set variables.
    const run = lines('RUN')
      .map((rest) => rest.replace(/^(?:\w+=\S* )+/, ''))
      .find((rest) => rest.startsWith('npm run'))
    expect(Object.keys(scripts)).toContain(run?.split(' ')[2] as string)
    const target = run?.split(' ').at(-1)
    expect(lines('COPY')).toContain(`--from=build ${target} ${PROGRAM}`)
    expect([lines('ENTRYPOINT'), lines('CMD')]).toEqual([[`["${PROGRAM}"]`], ['["serve"]']])
  })

  test('its variables are settings, its ports those that it opens to clients or to Prometheus', () => {
    const variables = new Map(
      [...(lines('ENV')[0] ?? '').matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
    )
    for (const name of variables.keys()) expect(VARIABLES).toContain(name)
    const { server, monitoring, dataDirectory } = loadSettings(
      [],
      Object.fromEntries(variables),
      SERVE_DEFAULTS,
    )
    expect(lines('EXPOSE')).toEqual([`${server.port} ${monitoring.port}`])
    expect(lines('VOLUME')).toEqual([dataDirectory])
    expect(file).toContain(`http://127.0.0.1:${monitoring.port}`)
  })

  test('it does not run as root', () => {
    const [user] = lines('USER')
    expect([user, file.includes(`useradd --system --uid 10001 --home-dir /var/lib/bourse`)]).toEqual([
      'bourse',
      true,
    ])
  })
})

describe('the alert rules', () => {
  type Rule = { alert: string; expr: string; labels: { severity: string }; annotations: { summary: string } }
  const { groups } = Bun.YAML.parse(packaged('prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }
  const rules = groups.flatMap((group) => group.rules)

  test('alarms.md says of each alarm what it means and what to do, and of no other', () => {
    const alarms = readFileSync(path.join(ROOT, 'docs/alarms.md'), 'utf8')
    const documented = [...alarms.matchAll(/^\| `(Bourse\w+)` \| (page|ticket) \| [^|]+ \| [^|]+ \|$/gm)]
    expect(documented.map(([, name, severity]) => [name, severity]).toSorted()).toEqual(
      rules.map(({ alert, labels }) => [alert, labels.severity]).toSorted(),
    )
  })

  test('each has an expression and a summary', () => {
    expect(rules.length).toBeGreaterThan(10)
    for (const { expr, annotations } of rules)
      expect([Boolean(expr), annotations.summary.endsWith('.')]).toEqual([true, true])
  })
})
