/**
 * The rings of src/ and the rooms of the server: which folder may import which, and what each may ask of the world.
 * docs/internals/rings.md says why. The compiler keeps the same directions by project references; but a project also sees what those
 * that it refers to refer to, which this table does not allow. It adds packages, clocks and randomness.
 */

const INNER = { packages: [], ambient: false }
const NODE_AND_BUN = [/^node:/, /^bun$/, /^bun:/]
const SERVING = { packages: NODE_AND_BUN, ambient: true }

/** By folder under src/. */
export const RINGS = {
  units: { imports: [], ...INNER },
  'core/market': { imports: ['units'], ...INNER },
  'core/ledger': { imports: ['units'], ...INNER },
  'core/registry': { imports: ['units'], ...INNER },
  'core/exchange': { imports: ['units', 'core/market', 'core/ledger', 'core/registry'], ...INNER },
  engine: { imports: ['units', 'core'], ...INNER },
  views: { imports: ['units', 'core'], ...INNER },
  wire: { imports: ['units'], ...INNER },
  'wire/schemas': { imports: ['units', 'wire'], packages: [/^zod$/], ambient: false },
  storage: {
    imports: ['units', 'core', 'engine', 'views'],
    packages: [...NODE_AND_BUN, /^pg$/],
    ambient: true,
  },
  transport: { imports: ['units', 'core', 'engine', 'views', 'storage'], ...SERVING },
  'server/common': { imports: ['units', 'wire'], ...INNER },
  'server/description': { imports: ['units', 'core', 'engine', 'views', 'wire'], ...INNER },
  'server/listener': { imports: ['units', 'wire', 'server/common'], ...SERVING },
  'server/access': {
    imports: ['units', 'core/registry', 'wire', 'server/common'],
    ...SERVING,
  },
  'server/trading': {
    imports: ['units', 'core', 'engine', 'views', 'wire', 'server/common', 'server/description'],
    packages: [],
    ambient: true,
  },
  'server/private-feed': {
    imports: [
      ...['units', 'core', 'engine', 'views', 'wire'],
      ...['server/common', 'server/description', 'server/trading'],
    ],
    packages: [],
    ambient: true,
  },
  'server/order-entry': {
    imports: [
      ...['units', 'core', 'engine', 'views', 'wire', 'server/common', 'server/description'],
      ...['server/access', 'server/trading', 'server/private-feed'],
    ],
    packages: [],
    ambient: true,
  },
  'server/http': {
    imports: ['units', 'wire', 'server/common', 'server/listener', 'server/access', 'server/trading'],
    ...SERVING,
  },
  'server/stream': {
    imports: [
      ...['units', 'core', 'engine', 'views', 'wire'],
      ...['server/common', 'server/listener', 'server/access', 'server/private-feed', 'server/order-entry'],
    ],
    packages: [...NODE_AND_BUN, /^socket\.io$/, /^@socket\.io\/bun-engine(?:\/|$)/],
    ambient: true,
  },
  'server/admin': {
    imports: [
      ...['units', 'core', 'engine', 'views', 'wire'],
      ...['server/common', 'server/description', 'server/listener', 'server/access'],
    ],
    packages: [...NODE_AND_BUN, /^zod$/],
    ambient: true,
  },
  'server/monitoring': {
    imports: ['units', 'core', 'engine', 'views', 'wire', 'server/common', 'server/listener'],
    packages: [...NODE_AND_BUN, /^prom-client$/],
    ambient: true,
  },
  'server/public': {
    imports: [
      ...['units', 'core', 'engine', 'wire', 'server/common', 'server/listener', 'server/access'],
      ...['server/trading', 'server/order-entry', 'server/http', 'server/monitoring'],
    ],
    ...SERVING,
  },
  'client/platform': { imports: [], packages: [], ambient: true },
  client: { imports: ['units', 'wire', 'client/platform'], ...INNER },
  'web/shared': { imports: [], packages: [], ambient: true },
  'web/shared/texts': { imports: ['wire'], packages: [/^@preact\/signals$/], ambient: true },
  'web/trade': {
    imports: ['units', 'wire', 'client', 'web/shared/texts', 'web/shared'],
    packages: [/^preact(?:\/hooks)?$/, /^@preact\/signals$/],
    ambient: true,
  },
  'web/market': {
    imports: ['units', 'wire', 'client', 'web/shared/texts', 'web/trade', 'web/shared'],
    packages: [/^lightweight-charts$/],
    ambient: true,
  },
  'web/operator': {
    imports: ['units', 'wire', 'cli', 'web/shared'],
    packages: [/^preact(?:\/hooks)?$/, /^@preact\/signals$/],
    ambient: true,
  },
  cli: {
    imports: ['units', 'wire'],
    packages: NODE_AND_BUN,
    ambient: true,
  },
  app: {
    imports: [
      'units',
      'core',
      'engine',
      'views',
      'storage',
      'transport',
      'wire',
      'server',
      'client',
      'web',
      'cli',
    ],
    packages: [...NODE_AND_BUN, /^zod$/, /^pino$/],
    ambient: true,
  },
}

/** Packages that are loaded when they are needed, since most nodes never do. All others are imported at the top. */
export const LAZY_PACKAGES = ['pg']

/** Files under src/ of which a node with one gateway, or the page at first, loads nothing; the rings hold for them as for all others. */
export const LAZY_FILES = [
  'app/node/upkeep/start-rule.ts',
  'app/cluster/run.ts',
  'app/cluster/engine/run.ts',
  'app/gateways/gateway-child.ts',
  'app/gateways/gateway-fleet.ts',
  'app/standby/replication/replication.ts',
  'app/maintenance/reports/report-child.ts',
  'app/maintenance/reports/report-process.ts',
  'app/standby/replication/tail-writer.ts',
  'app/sandbox/demo/demo-switch.ts',
  'app/sandbox/demo/start-demo.ts',
  'app/sandbox/faults/sandbox-faults.ts',
  'app/sandbox/front.ts',
  'app/sandbox/grade/command.ts',
  'app/sandbox/reset.ts',
  'app/standby/run.ts',
  'app/node/open-webhooks.ts',
  'app/gateways/gateway-meters.ts',
  'app/gateways/run-gateway.ts',
  'storage/sqlite/archived-batches.ts',
  'storage/sqlite/archiving.ts',
  'web/shared/texts/turkish/turkish.ts',
  'web/trade/account/account-pane.tsx',
  'web/trade/account/chart-account.ts',
  'web/trade/view/hotkeys-dialog.tsx',
  'web/market/view/chart/charts.ts',
  'web/market/view/chart/drawings/alert-watch.ts',
  'web/market/view/chart/drawings/drawings.ts',
  'web/market/view/chart/indicators/indicators.ts',
  'web/market/view/layout/layout.ts',
]

/** What tests may import on top of their ring's packages. */
export const TEST_PACKAGES = [...NODE_AND_BUN, /^fast-check$/, /^socket\.io-client$/]

/** The ring of a path under src/ (`core/market/book.ts`); undefined outside of every ring. */
export function ringOf(pathInSource) {
  const folders = pathInSource.split('/').slice(0, -1)
  for (; folders.length > 0; folders.pop()) {
    const ring = folders.join('/')
    if (ring in RINGS) return ring
  }
  return undefined
}

/** Whether files of ring `from` may import files of ring `to`. */
export function mayImport(from, to) {
  return from === to || RINGS[from].imports.some((allowed) => to === allowed || to.startsWith(`${allowed}/`))
}

/** Drivers that store something, and the one place that may choose between them. */
const STORAGE_DRIVER = /^storage\/(?:postgres|sqlite|files\/(?:snapshots|usage|witness))(?:\/|\.ts$)/
const STORAGE_CHOICE = 'app/node/storage/'

/** Whether a file under src/ names a driver of storage that only `app/node/storage` may name. */
export function namesStorage(file, target) {
  return file.startsWith('app/') && !file.startsWith(STORAGE_CHOICE) && STORAGE_DRIVER.test(target)
}
