/**
 * Files for operators of a cluster: cluster files, units, containers, a chart, alerts. Everything that they
 * refer to exists, and the files agree with each other.
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

type Mount = { readonly name: string; readonly mountPath: string }
type Probe = { readonly httpGet: { readonly path: string; readonly port: string } }
type Pod = {
  readonly volumes: readonly {
    readonly name: string
    readonly secret?: { readonly items?: readonly { readonly key: string }[] }
  }[]
  readonly initContainers: readonly { readonly volumeMounts: readonly Mount[] }[]
  readonly containers: readonly {
    readonly args?: readonly string[]
    readonly volumeMounts: readonly Mount[]
    readonly startupProbe?: Probe
    readonly livenessProbe?: Probe
    readonly readinessProbe?: Probe
  }[]
}
/** A document of a template of the chart. */
type Document = { readonly kind: string; readonly spec: { readonly template?: { readonly spec: Pod } } }

describe('the file of a cluster on machines of its own', () => {
  const settings = loadCluster(path.join(PACKAGING, 'cluster/cluster.json'))

  test('it is consistent, and Prometheus asks the addresses that it names', () => {
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

  test('the units run its engines, gateways and customers processes, in the directory that they may write', () => {
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

  test('every process of the file has a container of its name that runs it, and there is no other', () => {
    for (const [role, list] of [
      ['engine', settings.engines],
      ['gateway', settings.gateways],
      ['customers', settings.customers?.processes ?? []],
    ] as const) {
      const running = Object.entries(services).filter(
        ([, { command }]) => command?.[0] === role && command[1] !== 'init',
      )
      expect(running.map(([name]) => name)).toEqual(list.map(({ name }) => name))
      for (const [name, { command, hostname, healthcheck }] of running) {
        expect(command).toEqual([role, '--config=/etc/bourse/cluster.json', `--name=${name}`])
        expect(hostname).toBe(name)
        expect(healthcheck?.test?.join(' ')).toContain(`/dev/tcp/${name}/9464;`)
      }
    }
    for (const { link, name } of [...settings.engines, ...(settings.customers?.processes ?? [])])
      expect(link.kind === 'TCP' ? link.host : name).toBe(name)
    for (const { customers, name } of settings.engines) expect(customers?.host).toBe(name)
  })

  test('everything that the file names is mounted where it is needed, made by the script, and private', () => {
    const { link, database, masterKeyFile } = settings
    const tls = link?.tls as Exclude<NonNullable<typeof link>['tls'], 'off'>
    const { exchangeSecretFile, gatewaySecretFile, store, keys } = settings.customers ?? {}
    const own = [tls.certFile, tls.keyFile]
    const ofLinks = [link?.secretFile, tls.caFile, masterKeyFile]
    const passwords = [store?.passwordFile, keys?.passwordFile]
    const needed: Readonly<Record<string, readonly (string | undefined)[]>> = {
      gateway: [...ofLinks, gatewaySecretFile],
      engine: [...ofLinks, ...own, database.passwordFile, exchangeSecretFile],
      customers: [tls.caFile, ...own, exchangeSecretFile, gatewaySecretFile, ...passwords],
    }
    for (const [name, service] of Object.entries(services)) {
      const files = inContainer(service)
      const [role = '', step] = service.command ?? []
      if (needed[role] === undefined || step === 'init') continue
      for (const file of needed[role]) {
        const from = files.get(file as string) ?? ''
        expect([name, file, from]).toEqual([name, file, expect.stringMatching(/^\.\/secrets\/bourse\//)])
        const made = path.join(secrets, path.relative('./secrets', from))
        expect(readFileSync(made).length).toBeGreaterThan(0)
      }
      // No other secret is mounted: a gateway has no role in a database, and a customers process reads no
      // journal.
      const mounted = [...files.keys()].filter((to) => /\.(secret|password|key|pem)$/.test(to))
      expect([name, mounted.toSorted()]).toEqual([name, needed[role].map(String).toSorted()])
    }
    for (const file of [
      ...['link.secret', 'engine.password', 'admin.password', 'customers-exchange.secret'],
      ...['customers-gateway.secret', 'customers.password', 'customer-keys.password'],
    ])
      expect(readPassword(path.join(secrets, 'bourse', file))).toMatch(/^[0-9a-f]{64}$/)
  })

  test('a job for each database makes its tables with the files that it needs, before what uses them starts', () => {
    const { store, keys } = settings.customers ?? {}
    for (const [name, word, files] of [
      ['init', 'cluster', [settings.database.passwordFile, settings.database.caFile]],
      ['init-customers', 'customers', [store?.passwordFile, keys?.passwordFile, store?.caFile, keys?.caFile]],
    ] as const) {
      const { command, ...service } = services[name] as Service
      const password = '/etc/bourse/admin.password'
      expect(command).toEqual([
        ...[word, 'init', '--config=/etc/bourse/cluster.json'],
        ...['--admin-user=postgres', `--admin-password-file=${password}`],
      ])
      for (const file of [password, ...files])
        expect([name, file, inContainer(service).has(file as string)]).toEqual([name, file, true])
    }
    const waits = read('cluster/compose/compose.yaml')
    for (const job of ['init', 'init-customers'])
      expect(waits).toContain(`\n      ${job}: { condition: service_completed_successfully }\n`)
  })

  test('the database lets each role into its own database alone, over TLS, and makes those of customers', () => {
    const { store, keys } = settings.customers ?? {}
    const rules = read('cluster/compose/db/pg_hba.conf')
      .split('\n')
      .filter((line) => line.startsWith('hostssl'))
      .map((line) => line.split(/\s+/))
    for (const { name, user } of [settings.database, store, keys].map((one) => one ?? settings.database)) {
      const allowed = rules.filter(([, , users = '']) => users.split(',').includes(user))
      expect([user, allowed]).toEqual([
        user,
        [['hostssl', name, `postgres,${user}`, 'samenet', 'scram-sha-256']],
      ])
    }
    const made = read('cluster/compose/db/primary.sh')
    for (const one of [store, keys]) expect(made).toContain(`CREATE DATABASE ${one?.name};`)
  })

  test('its standbys are those that the file declares, and the primary waits for the declared number', () => {
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
      ['bourse/customers-link.pem', (settings.customers?.processes ?? []).map(({ name }) => name)],
      ['db/db.pem', [settings.database.host, settings.customers?.store?.host ?? '']],
      ['mail/mail.pem', [String(settings.settings.get('customers.mailHost')?.value)]],
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

  test('every value that a template uses has a default, and every default is used', () => {
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

  test('the file that it generates is valid for the program', () => {
    // The output of the template "bourse.file" for the default values.
    const values = Bun.YAML.parse(readFileSync(path.join(chart, 'values.yaml'), 'utf8')) as {
      database: { host: string; port: number; name: string; user: string }
      durability: object
      leadership: object
      settings: object
      engines: { replicas: number }
      gateways: { replicas: number }
      customers: { replicas: number; store: object; keys: object; settings: object }
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
        customers: `${one}.demo-engine.trade.svc.cluster.local:7705`,
      })),
      gateways: names('gateway', values.gateways.replicas).map((one) => ({
        name: one,
        port: 8080,
        monitoring: `${one}.demo-gateway-pods.trade.svc.cluster.local:9464`,
      })),
      // The settings that customers.enabled adds.
      customers: {
        exchangeSecretFile: '/private/exchange.secret',
        gatewaySecretFile: '/private/gateway.secret',
        store: {
          passwordFile: '/private/store.password',
          caFile: '/private/store-ca.pem',
          ...values.customers.store,
        },
        keys: {
          passwordFile: '/private/keys.password',
          caFile: '/private/keys-ca.pem',
          ...values.customers.keys,
        },
        processes: names('customers', values.customers.replicas).map((one) => ({
          name: one,
          link: `${one}.demo-customers.trade.svc.cluster.local:7706`,
          monitoring: `${one}.demo-customers.trade.svc.cluster.local:9464`,
        })),
      },
      leadership: values.leadership,
      masterKeyFile: '/private/master.key',
      settings: { host: '0.0.0.0', ...values.settings, customers: values.customers.settings },
    }
    const written = path.join(directory, 'chart.json')
    writeFileSync(written, JSON.stringify(file))
    const made = loadCluster(written)
    expect(made.engines.map((one) => one.name)).toEqual(names('engine', 2))
    expect(made.customers?.processes.map((one) => one.name)).toEqual(names('customers', 2))
    const template = readFileSync(path.join(chart, 'templates/_helpers.tpl'), 'utf8')
    for (const text of [
      '"/private/link.pem"',
      '"%s:7701"',
      ...['"%s:9464"', '"%s:7705"', '"%s:7706"', '"/private/exchange.secret"', '"/private/gateway.secret"'],
      ...['"/private/store.password"', '"/private/store-ca.pem"', '"/private/keys.password"'],
      ...['"/private/keys-ca.pem"', '"port" 8080'],
      '"/private/master.key"',
    ])
      expect(template).toContain(text)
  })

  /** The documents of a template, with stand-ins for everything that the chart's values decide. */
  const documentsOf = (name: string): readonly Document[] =>
    readFileSync(path.join(chart, 'templates', name), 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(\{\{-? (if|end|with|range)\b|#)/.test(line))
      .map((line) =>
        line
          .replace(/\{\{- include "bourse\.copySecrets" .*\}\}/, 'name: secrets')
          .replace(/^(\s*)\{\{- include .*\}\}$/, '$1label: bourse')
          .replace(/: \{\{- .*nindent.*\}\}$/, ': {}')
          .replace(/\{\{.*?\}\}/g, 'x'),
      )
      .join('\n')
      .split(/^---$/m)
      .map((text) => Bun.YAML.parse(text) as Document)

  const podOf = (name: string, kind: string): Pod => {
    const found = documentsOf(name).find((each) => each.kind === kind)?.spec.template?.spec
    if (found === undefined) throw new Error(`${name} has no ${kind}`)
    return found
  }

  test('every pod copies its secrets, mounts only volumes that it has, and uses all of them', () => {
    for (const [name, kind] of [
      ['engine.yaml', 'StatefulSet'],
      ['gateway.yaml', 'StatefulSet'],
      ['customers.yaml', 'StatefulSet'],
      ['init.yaml', 'Job'],
      ['customers.yaml', 'Job'],
    ] as const) {
      const { volumes, initContainers, containers } = podOf(name, kind)
      const mounted = [...initContainers, ...containers].flatMap(({ volumeMounts }) => volumeMounts)
      // An engine's data is a volume claim.
      const there = [...volumes.map((volume) => volume.name), ...(name === 'engine.yaml' ? ['data'] : [])]
      expect([name, kind, [...new Set(mounted.map((mount) => mount.name))].toSorted()]).toEqual([
        name,
        kind,
        there.toSorted(),
      ])
      const secrets = volumes.filter(({ secret }) => secret !== undefined).map((volume) => volume.name)
      expect(initContainers.flatMap(({ volumeMounts }) => volumeMounts.map((mount) => mount.name))).toEqual(
        expect.arrayContaining(secrets),
      )
      const inside = containers.flatMap(({ volumeMounts }) => volumeMounts.map((mount) => mount.name))
      expect(inside.filter((mount) => secrets.includes(mount))).toEqual([])
    }
  })

  test('a process of customers is probed as a gateway is, and gets no secret of links and no master key', () => {
    const pod = podOf('customers.yaml', 'StatefulSet')
    const [container] = pod.containers
    expect([container?.startupProbe, container?.livenessProbe, container?.readinessProbe]).toMatchObject([
      ...['live', 'live', 'ready'].map((page) => ({
        httpGet: { path: `/health/${page}`, port: 'monitoring' },
      })),
    ])
    expect(container?.args?.[0]).toBe('customers')
    const items = (name: string, volume: string) =>
      podOf(name, 'StatefulSet')
        .volumes.find((one) => one.name === volume)
        ?.secret?.items?.map(({ key }) => key)
    expect(pod.volumes.map(({ name }) => name)).not.toContain('master-key')
    expect(items('customers.yaml', 'authority')).toEqual(['ca.pem'])
    expect(items('engine.yaml', 'customers')).toEqual(['exchange.secret'])
    expect(items('gateway.yaml', 'customers')).toEqual(['gateway.secret'])
  })
})
