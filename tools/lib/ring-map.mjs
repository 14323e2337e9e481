/**
 * The rings of src/ and the rooms of the server: which folder may import which, and which outside packages
 * and modules each may use. docs/internals/rings.md says why. The compiler enforces the same directions by
 * project references; but a project can also import what its references refer to, which this table does not
 * allow. The table also covers packages, clocks and randomness.
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
  core: { imports: ['units', 'core/market', 'core/ledger', 'core/registry'], ...INNER },
  engine: { imports: ['units', 'core'], ...INNER },
  views: { imports: ['units', 'core'], ...INNER },
  contract: { imports: ['units'], ...INNER },
  'contract/publish': { imports: ['units', 'contract'], packages: [/^zod$/], ambient: false },
  storage: {
    imports: ['units', 'core', 'engine', 'views'],
    packages: [...NODE_AND_BUN, /^pg$/],
    ambient: true,
  },
  transport: { imports: ['units', 'core', 'engine', 'views', 'storage'], ...SERVING },
  'server/common': { imports: ['units', 'contract'], ...INNER },
  'server/description': { imports: ['units', 'core', 'engine', 'views', 'contract'], ...INNER },
  'server/listener': { imports: ['units', 'contract', 'server/common'], ...SERVING },
  'server/access': {
    imports: ['units', 'core/registry', 'contract', 'server/common'],
    ...SERVING,
  },
  'server/trading': {
    imports: ['units', 'core', 'engine', 'views', 'contract', 'server/common', 'server/description'],
    packages: [],
    ambient: true,
  },
  'server/private-feed': {
    imports: [
      ...['units', 'core', 'engine', 'views', 'contract'],
      ...['server/common', 'server/description', 'server/trading'],
    ],
    packages: [],
    ambient: true,
  },
  'server/order-entry': {
    imports: [
      ...['units', 'core', 'engine', 'views', 'contract', 'server/common', 'server/description'],
      ...['server/access', 'server/trading', 'server/private-feed'],
    ],
    packages: [],
    ambient: true,
  },
  'server/http': {
    imports: ['units', 'contract', 'server/common', 'server/listener', 'server/access', 'server/trading'],
    ...SERVING,
  },
  'server/stream': {
    imports: [
      ...['units', 'core', 'engine', 'views', 'contract'],
      ...['server/common', 'server/listener', 'server/access', 'server/private-feed', 'server/order-entry'],
    ],
    packages: [...NODE_AND_BUN, /^socket\.io$/, /^@socket\.io\/bun-engine(?:\/|$)/],
    ambient: true,
  },
  'server/admin': {
    imports: [
      ...['units', 'core', 'engine', 'views', 'contract'],
      ...['server/common', 'server/description', 'server/listener', 'server/access'],
    ],
    packages: [...NODE_AND_BUN, /^zod$/],
    ambient: true,
  },
  'server/monitoring': {
    imports: ['units', 'core', 'engine', 'views', 'contract', 'server/common', 'server/listener'],
    packages: [...NODE_AND_BUN, /^prom-client$/],
    ambient: true,
  },
  'server/public': {
    imports: [
      ...['units', 'core', 'engine', 'contract', 'server/common', 'server/listener', 'server/access'],
      ...['server/trading', 'server/order-entry', 'server/http', 'server/monitoring'],
    ],
    ...SERVING,
  },
  'server/binance': {
    imports: [
      ...['units', 'core', 'engine', 'views', 'contract', 'server/common', 'server/description'],
      ...['server/listener', 'server/access', 'server/trading', 'server/http', 'server/monitoring'],
      ...['server/private-feed', 'server/order-entry', 'server/public'],
    ],
    ...SERVING,
  },
  customers: {
    imports: ['units', 'contract'],
    packages: [...NODE_AND_BUN, /^@simplewebauthn\/server$/, /^reflect-metadata$/, /^otpauth$/],
    ambient: false,
  },
  'client/platform': { imports: [], packages: [], ambient: true },
  client: { imports: ['units', 'contract', 'client/platform'], ...INNER },
  'web/shared': { imports: [], packages: [], ambient: true },
  'web/shared/texts': { imports: ['contract'], packages: [/^@preact\/signals$/], ambient: true },
  'web/trade': {
    imports: ['units', 'contract', 'client', 'web/shared/texts', 'web/shared'],
    packages: [/^preact(?:\/hooks)?$/, /^@preact\/signals$/, /^@simplewebauthn\/browser$/, /^uqr$/],
    ambient: true,
  },
  'web/market': {
    imports: ['units', 'contract', 'client', 'web/shared/texts', 'web/trade', 'web/shared'],
    packages: [/^lightweight-charts$/],
    ambient: true,
  },
  'web/operator': {
    imports: ['units', 'contract', 'cli', 'web/shared/texts', 'web/shared'],
    packages: [/^preact(?:\/hooks)?$/, /^@preact\/signals$/],
    ambient: true,
  },
  cli: {
    imports: ['units', 'contract'],
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
      'contract',
      'server',
      'customers',
      'client',
      'web',
      'cli',
    ],
    packages: [...NODE_AND_BUN, /^zod$/, /^pino$/, /^nodemailer$/],
    ambient: true,
  },
}

/**
 * Packages that are loaded on demand, since most nodes never need them. All others are imported at the top.
 */
export const LAZY_PACKAGES = ['pg']

/**
 * Files under src/ that are not loaded by a node with one gateway, or not at the first load of the page; the
 * rings apply to them as to all others.
 */
export const LAZY_FILES = [
  'app/node/upkeep/start-rule.ts',
  'app/cluster/run.ts',
  'app/cluster/engine/run.ts',
  'app/customers/customers-child.ts',
  'app/maintenance/backup/customers-copy.ts',
  'app/customers/customers-process.ts',
  'app/gateways/gateway-child.ts',
  'app/gateways/gateway-fleet.ts',
  'app/standby/replication/replication.ts',
  'app/maintenance/reports/report-child.ts',
  'app/maintenance/reports/report-process.ts',
  'app/standby/replication/tail-writer.ts',
  'app/sandbox/clients.ts',
  'app/sandbox/demo/demo-switch.ts',
  'app/sandbox/demo/start-demo.ts',
  'app/sandbox/faults/sandbox-faults.ts',
  'app/sandbox/front.ts',
  'app/sandbox/grade/command.ts',
  'app/sandbox/reset.ts',
  'app/standby/run.ts',
  'app/node/open-webhooks.ts',
  'server/binance/binance-requests.ts',
  'server/binance/binance-server.ts',
  'app/gateways/gateway-meters.ts',
  'app/customers/run-customers.ts',
  'app/gateways/run-gateway.ts',
  'storage/sqlite/archived-batches.ts',
  'storage/sqlite/archiving.ts',
  'web/shared/texts/turkish/turkish.ts',
  'web/trade/customer/account-api.ts',
  'web/trade/account/account-pane.tsx',
  'web/trade/account/chart-account.ts',
  'web/trade/customer/panes/account-dialog.tsx',
  'web/trade/customer/panes/factors/qr-path.ts',
  'web/trade/view/hotkeys-dialog.tsx',
  'web/market/view/chart/charts.ts',
  'web/market/view/chart/drawings/alert-watch.ts',
  'web/market/view/chart/drawings/drawings.ts',
  'web/market/view/chart/indicators/indicators.ts',
  'web/market/view/layout/layout.ts',
  'web/operator/texts/turkish/turkish.ts',
]

/** Packages that tests may import in addition to those of their ring. */
export const TEST_PACKAGES = [...NODE_AND_BUN, /^fast-check$/, /^socket\.io-client$/]

/** The ring of a path under src/ (`core/market/book.ts`); undefined for a path outside every ring. */
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

/** Storage drivers, and the only place that may choose between them. */
const STORAGE_DRIVER = /^storage\/(?:postgres|sqlite|files\/(?:snapshots|usage|witness))(?:\/|\.ts$)/
const STORAGE_CHOICE = 'app/node/storage/'

/** Whether a file under src/ imports a driver of storage that only `app/node/storage` may import. */
export function namesStorage(file, target) {
  return file.startsWith('app/') && !file.startsWith(STORAGE_CHOICE) && STORAGE_DRIVER.test(target)
}
