/**
 * An engine in a separate process that leads and serves links, for tests that kill it: its journal is on
 * disk, so that another one continues where it stopped. It reports the positions that gateways have presented
 * as remembered.
 */
import { randomBytes } from 'node:crypto'
import { startMemoryEngine } from '../../../sim/memory/engine.ts'
import { followedHistory } from '../../../sim/memory/followed-history.fixture.ts'
import { RULES_VERSION } from '../../core/exchange/rules.ts'
import { account, asset, credit, limit, symbol } from '../../engine/writer/commands.fixture.ts'
import { MemoryNonces } from '../../server/access/auth/memory-nonces.ts'
import { createSecretBox } from '../../server/access/auth/secret-box.ts'
import { DEFAULT_LIMITS } from '../../server/access/limits/limits-config.ts'
import { LinkServer } from '../../transport/link/serving/link-server.ts'
import type { AccountId } from '../../units/ids.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { prepareStorage, storageOf } from '../node/storage/storage.ts'
import { CountHub } from './count-hub.ts'

export type EngineProcessOptions = {
  readonly dataDirectory: string
  readonly name: string
  readonly epoch: number
  readonly port: number
  /** The journal's name. */
  readonly journal: string
  readonly secret: string
  /** In hex. */
  readonly masterKey: string
  /** API keys by account, with one secret. */
  readonly keys: Readonly<Record<number, string>>
  readonly keySecret: string
  /** Prices of sell orders placed before it serves. */
  readonly places: readonly number[]
}

const options = JSON.parse(process.argv[2] ?? '') as EngineProcessOptions
const { dataDirectory, name, epoch, port, journal, secret, masterKey, keys, keySecret, places } = options
prepareStorage()
const storage = storageOf({ dataDirectory }).openEngine()
const engine = await startMemoryEngine(storage)
const now = (): TimeMs => Date.now() as TimeMs
const operator = { actor: 'test', note: '' }

async function seed(): Promise<void> {
  const box = createSecretBox(Buffer.from(masterKey, 'hex'), (size) => randomBytes(size))
  await engine.port.submit({ kind: 'SetRulesVersion', operator, version: RULES_VERSION })
  const commands = [asset('BTC'), asset('USDT'), symbol('BTC', 'USDT'), account('alice'), account('bob')]
  for (const command of commands) await engine.port.submit(command)
  for (const [id, apiKey] of Object.entries(keys)) {
    const accountId = Number(id) as AccountId
    await engine.port.submit(credit(accountId, 'BTC', 10n ** 12n, `btc-${id}`))
    await engine.port.submit(credit(accountId, 'USDT', 10n ** 15n, `usdt-${id}`))
    const sealedSecret = box.seal(keySecret, apiKey)
    const terms = { permissions: ['TRADE', 'USER_DATA', 'WALLET'], addresses: [], label: '' } as const
    await engine.port.submit({ kind: 'CreateApiKey', operator, accountId, apiKey, sealedSecret, ...terms })
  }
}

if (storage.journal.tail.seq === 0) await seed()
for (const price of places) await engine.port.submit(limit(3, 'SELL', price, 10_000_000))
const counts = new CountHub({
  ...{ limits: DEFAULT_LIMITS, orderTerms: () => undefined, nonces: new MemoryNonces(0), now },
  ...{ onServing: () => {}, onMeters: () => {}, onGone: () => {} },
})
const server = new LinkServer({
  listen: { hostname: '127.0.0.1', port, tls: undefined },
  secrets: [secret],
  services: {
    ...{ kind: 'leader', journal, name, epoch },
    engine: engine.port,
    history: followedHistory(engine.feed),
    clock: () => ({ isTrusted: true, time: now(), wall: now() }),
    confirmed: () => storage.journal.tail,
  },
  onRemembered: ({ seq }, peer) => console.log(`${peer.name} remembers ${seq}`),
  openCounts: (gateway, send) => counts.open(gateway, send),
})
console.log(`listening ${server.port}`)
