/**
 * Files for operators of a cluster: cluster files, units, containers, a chart, alerts: everything that they
 * name exists, and fits together.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ClusterSettings, loadCluster, readPassword } from '../src/app/cluster/settings.ts'
import { parseStandbyNames } from '../src/storage/postgres/durability.ts'
import { ROOT } from './support/bourse-process.ts'

const PACKAGING = path.join(ROOT, 'packaging')
const COMPOSE = path.join(PACKAGING, 'cluster/compose')
const directory = mkdtempSync(path.join(tmpdir(), 'bourse-packaging-'))
const secrets = path.join(directory, 'secrets')

beforeAll(() => {
  const made = Bun.spawnSync(['sh', path.join(COMPOSE, 'make-secrets.sh'), secrets])
  expect([made.exitCode, made.stderr.toString().replace(/^not root: .*\n/, '')]).toEqual([0, ''])
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const read = (name: string): string => readFileSync(path.join(PACKAGING, name), 'utf8')

type Service = {
  readonly command?: readonly string[]
  readonly hostname?: string
  readonly volumes?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly healthcheck?: { readonly test?: readonly string[] }
}

describe('the file of a cluster on machines of its own', () => {
  const settings = loadCluster(path.join(PACKAGING, 'cluster/cluster.json'))

  test('it makes sense, and Prometheus asks the addresses that it names', () => {
    const asked = (
      Bun.YAML.parse(read('prometheus/cluster-prometheus.yml')) as {
        scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[]
      }
    ).scrape_configs
    const targets = (job: string) =>
      asked.find(({ job_name }) => job_name === job)?.static_configs.flatMap((one) => one.targets)
    const named = (list: ClusterSettings['gateways'] | ClusterSettings['engines']) =>
      list.map(({ monitoring }) => `${monitoring?.host}:${monitoring?.port}`)
    expect(targets('bourse-engines')).toEqual(named(settings.engines))
    expect(targets('bourse-gateways')).toEqual(named(settings.gateways))
  })

  test('the units run its engines, gateways and processes of customers, in the directory that they may write', () => {
    for (const [unit, role] of [
      ['bourse-engine@.service', 'engine'],
      ['bourse-gateway@.service', 'gateway'],
      ['bourse-customers@.service', 'customers'],
    ] as const) {
      const text = read(`systemd/${unit}`)
      const start = /^ExecStart=(.*)$/m.exec(text)?.[1]?.split(' ') ?? []
      expect(start.slice(0, 6)).toEqual([
        ...['/usr/local/bin/bourse', role],
        ...['--config', '/etc/bourse/cluster.json', '--name', '%i'],
      ])
      for (const line of ['User=bourse', 'ProtectSystem=strict', 'NoNewPrivileges=yes'])
        expect(text).toContain(line)
    }
    const engine = read('systemd/bourse-engine@.service')
    const [data] = settings.engines.map((one) => one.data)
    expect(engine).toContain(`--data ${data}\n`)
    expect(engine).toContain(`StateDirectory=${path.basename(data as string)}\n`)
  })
})

describe('the cluster in containers', () => {
  const services = (
    Bun.YAML.parse(read('cluster/compose/compose.yaml')) as { services: Record<string, Service> }
  ).services
  const settings = loadCluster(path.join(COMPOSE, 'cluster.json'))
  const inContainer = ({ volumes = [] }: Service) =>
    new Map(volumes.map((text) => text.split(':') as [string, string]).map(([from, to]) => [to, from]))

  test('every process of the file has a container of its name that runs it, and no other does', () => {
    for (const [role, list] of [
      ['engine', settings.engines],
      ['gateway', settings.gateways],
    ] as const) {
      const running = Object.entries(services).filter(([, { command }]) => command?.[0] === role)
      expect(running.map(([name]) => name)).toEqual(list.map(({ name }) => name))
      for (const [name, { command, hostname, healthcheck }] of running) {
        expect(command).toEqual([role, '--config=/etc/bourse/cluster.json', `--name=${name}`])
        expect(hostname).toBe(name)
        expect(healthcheck?.test?.join(' ')).toContain(`/dev/tcp/${name}/9464;`)
      }
    }
    for (const { link, name } of settings.engines) expect(link.kind === 'TCP' ? link.host : name).toBe(name)
  })

  test('what the file names is mounted where it is needed, made by the script, and private', () => {
    const { link, database, masterKeyFile } = settings
    const tls = link?.tls as Exclude<NonNullable<typeof link>['tls'], 'off'>
    const ofGateway = [link?.secretFile, tls.caFile, masterKeyFile]
    const ofEngine = [...ofGateway, tls.certFile, tls.keyFile, database.passwordFile]
    for (const [name, service] of Object.entries(services)) {
      const files = inContainer(service)
      const role = service.command?.[0]
      if (role !== 'engine' && role !== 'gateway') continue
      for (const file of role === 'engine' ? ofEngine : ofGateway) {
        const from = files.get(file as string) ?? ''
        expect([name, file, from]).toEqual([name, file, expect.stringMatching(/^\.\/secrets\/bourse\//)])
        const made = path.join(secrets, path.relative('./secrets', from))
        expect(readFileSync(made).length).toBeGreaterThan(0)
      }
      // A gateway has no role in the database.
      expect(files.has(database.passwordFile as string)).toBe(role === 'engine')
    }
    for (const file of ['link.secret', 'engine.password', 'admin.password'])
      expect(readPassword(path.join(secrets, 'bourse', file))).toMatch(/^[0-9a-f]{64}$/)
  })

  test('its standbys are those that the file declares, and the primary waits for as many', () => {
    const { durability } = settings
    if (durability.kind !== 'quorum') throw new Error('expected a quorum')
    const setting = services['db-primary']?.command?.find((one) =>
      one.startsWith('-csynchronous_standby_names='),
    )
    const names = parseStandbyNames(setting?.replace('-csynchronous_standby_names=', '') ?? '')
    expect(names).toEqual({ count: durability.confirmations, standbys: [...durability.standbys] })
    const standbys = Object.values(services).flatMap(({ environment }) => environment?.STANDBY_NAME ?? [])
    expect(standbys).toEqual([...durability.standbys])
  })

  test('certificates are valid for the hosts that the file names, by the authority that it names', () => {
    for (const [file, hosts] of [
      ['bourse/link.pem', settings.engines.map(({ name }) => name)],
      ['db/db.pem', [settings.database.host]],
    ] as const) {
      for (const host of hosts) {
        const checked = Bun.spawnSync([
          ...['openssl', 'verify', '-CAfile', path.join(secrets, 'bourse/ca.pem')],
          ...['-verify_hostname', host, path.join(secrets, file)],
        ])
        expect([host, checked.exitCode]).toEqual([host, 0])
      }
    }
  })

  test('the balancer knows every gateway and where to ask whether it is ready', () => {
    const proxy = read('cluster/compose/haproxy.cfg')
    for (const { name, port, monitoring } of settings.gateways) {
      expect(proxy).toContain(`server ${name} ${name}:${port}\n`)
      expect(proxy).toContain(`check port ${monitoring?.port} `)
    }
  })
})

describe('alerts and dashboard of a cluster', () => {
  /** Metrics of a cluster's processes, in addition to those of a node: docs/reference/monitoring.md. */
  const known = (expr: string) =>
    [...expr.matchAll(/\bbourse_\w+/g)].map(([name]) => name.replace(/_(bucket|count)$/, ''))

  test('every alert is in the guide, and all metrics that rules and panels ask for are documented', () => {
    const { groups } = Bun.YAML.parse(read('prometheus/cluster-alerts.yml')) as {
      groups: { rules: { alert: string; expr: string }[] }[]
    }
    const rules = groups.flatMap((group) => group.rules)
    const guide = readFileSync(path.join(ROOT, 'docs/cluster-operations.md'), 'utf8')
    for (const { alert } of rules) expect(guide).toContain(`| \`${alert}\` |`)
    const { panels } = JSON.parse(read('grafana/bourse-cluster.json')) as {
      panels: { targets?: { expr: string }[] }[]
    }
    const exprs = [
      ...rules.map(({ expr }) => expr),
      ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ]
    const documented = readFileSync(path.join(ROOT, 'docs/reference/monitoring.md'), 'utf8') + guide
    for (const name of new Set(exprs.flatMap(known)))
      expect([name, documented.includes(`\`${name}`)]).toEqual([name, true])
  })
})

describe('the chart', () => {
  const chart = path.join(PACKAGING, 'cluster/helm/bourse')
  const templates = readdirSync(path.join(chart, 'templates'))
    .map((name) => readFileSync(path.join(chart, 'templates', name), 'utf8'))
    .join('\n')

  test('every value that a template asks for has a default, and every default is asked for', () => {
    const values = Bun.YAML.parse(readFileSync(path.join(chart, 'values.yaml'), 'utf8')) as object
    const asked = new Set([...templates.matchAll(/\.Values\.([\w.]+)/g)].map(([, name = '']) => name))
    for (const name of asked) {
      const value = name
        .split('.')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], values)
      expect([name, value === undefined]).toEqual([name, false])
    }
    for (const name of Object.keys(values))
      expect([name, [...asked].some((one) => one === name || one.startsWith(`${name}.`))]).toEqual([
        name,
        true,
      ])
  })

  test('every template that is included is defined, once', () => {
    const defined = [...templates.matchAll(/define "([\w.]+)"/g)].map(([, name]) => name)
    const included = [...templates.matchAll(/include "([\w.]+)"/g)].map(([, name]) => name)
    expect(new Set(defined).size).toBe(defined.length)
    for (const name of included) expect(defined).toContain(name as string)
  })

  test('the file that it makes of its values is one that the program takes', () => {
    // The output of the template "bourse.file" for the default values.
    const values = Bun.YAML.parse(readFileSync(path.join(chart, 'values.yaml'), 'utf8')) as {
      database: { host: string; port: number; name: string; user: string }
      durability: object
      leadership: object
      settings: object
      engines: { replicas: number }
      gateways: { replicas: number }
    }
    const names = (role: string, count: number) =>
      Array.from({ length: count }, (_, i) => `demo-${role}-${i}`)
    const { host, port, name, user } = values.database
    const file = {
      database: {
        host,
        port,
        name,
        user,
        passwordFile: '/private/password',
        caFile: '/private/database-ca.pem',
      },
      durability: values.durability,
      link: {
        secretFile: '/private/secret',
        tls: { certFile: '/private/link.pem', keyFile: '/private/link.key', caFile: '/private/link-ca.pem' },
      },
      engines: names('engine', values.engines.replicas).map((one) => ({
        name: one,
        link: `${one}.demo-engine.trade.svc.cluster.local:7701`,
        data: '/var/lib/bourse',
        monitoring: `${one}.demo-engine.trade.svc.cluster.local:9464`,
      })),
      gateways: names('gateway', values.gateways.replicas).map((one) => ({
        name: one,
        port: 8080,
        monitoring: `${one}.demo-gateway-pods.trade.svc.cluster.local:9464`,
      })),
      leadership: values.leadership,
      masterKeyFile: '/private/master.key',
      settings: { host: '0.0.0.0', ...values.settings },
    }
    const written = path.join(directory, 'chart.json')
    writeFileSync(written, JSON.stringify(file))
    expect(loadCluster(written).engines.map((one) => one.name)).toEqual(names('engine', 2))
    const template = readFileSync(path.join(chart, 'templates/_helpers.tpl'), 'utf8')
    for (const text of [
      '"/private/link.pem"',
      '"%s:7701"',
      '"%s:9464"',
      '"port" 8080',
      '"/private/master.key"',
    ])
      expect(template).toContain(text)
  })
})
