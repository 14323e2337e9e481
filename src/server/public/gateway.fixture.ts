/**
 * A complete exchange behind a real listener, for tests: the engine in this thread and in memory, everything
 * in front of it as in production. The clock only moves when a test moves it.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { type MemoryEngine, type MemoryEngineOptions, startMemoryEngine } from '../../../sim/memory/engine.ts'
import { followedHistory } from '../../../sim/memory/followed-history.fixture.ts'
import type { Command } from '../../core/commands/command.ts'
import type { EventBatch } from '../../core/events/event.ts'
import { RULES_VERSION } from '../../core/exchange/rules.ts'
import type { Reply } from '../../core/questions/reply.ts'
import type { ApiKeyTerms } from '../../core/registry/terms.ts'
import type { EnginePort } from '../../engine/port/ports.ts'
import { ClockBoard } from '../../engine/writer/clock-board.ts'
import { type ClockReading, DEFAULT_CLOCK_LIMITS } from '../../engine/writer/journal-clock.ts'
import { ServerClock } from '../../engine/writer/server-clock.ts'
import type { AccountId } from '../../units/ids.ts'
import { amount, decimals, lots, rate, type TimeMs } from '../../units/quantities.ts'
import { LiveBackOffice } from '../../views/back-office.ts'
import { MarketData } from '../../views/market-data.ts'
import { createSecretBox } from '../access/auth/secret-box.ts'
import type { Clock } from '../common/clock.ts'
import type { PublicServices } from './gateway.ts'
import { createGateway, type Gateway, type GatewayOptions } from './gateway.ts'
import { type GatewayConfig, SANDBOX_GATEWAY } from './gateway-config.ts'
import { openServer, SERVER_DEFAULTS, type ServerConfig, type StreamPart } from './public-server.ts'

const OPERATOR = { actor: 'test', note: '' }
const OPEN = { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: false }
const ENOUGH = 10n ** 20n

/** `[base, quote, quantity decimals, price decimals]` as in the sandbox. */
const SYMBOLS = [
  ['BTC', 'USDT', 8, 2],
  ['ETH', 'USDT', 6, 2],
  ['ETH', 'BTC', 6, 6],
  ['USDT', 'TRY', 2, 2],
] as const

const ASSETS = [
  ['BTC', 'Bitcoin', 8],
  ['ETH', 'Ether', 8],
  ['USDT', 'Tether', 8],
  ['TRY', 'Turkish Lira', 2],
] as const

export type Trader = { readonly apiKey: string; readonly secret: string; readonly accountId: AccountId }
export type Fields = Readonly<Record<string, string | number>>
export type Logged = { readonly level: string; readonly fields: object; readonly message: string }

/** An answer, taken apart. */
// biome-ignore lint/suspicious/noExplicitAny: what a stranger sends is looked at as it is
export type Seen = { status: number; headers: Headers; text: string; body: any }

export type Fixture = {
  readonly url: string
  readonly alice: Trader
  readonly bob: Trader
  /** Time of the clock; monotonic time matters only if the clock is guarded. */
  readonly clock: Clock & { time: number; elapsedMs: number }
  readonly engine: EnginePort
  readonly services: PublicServices
  readonly gateway: Gateway
  readonly logged: Logged[]
  submit(command: Command): Promise<Reply>
  /** Encrypts a secret of an API key, as the admin server does. */
  readonly seal: (secret: string, apiKey: string) => Uint8Array
  createKey(accountId: AccountId, terms?: Partial<ApiKeyTerms>): Promise<Trader>
  /**
   * Sends exactly these parameters, signed, in the place that the method requires; adds `timestamp` when it
   * is absent.
   */
  send(method: string, path: string, fields: Fields, trader?: Trader, headers?: Fields): Promise<Seen>
  place(trader: Trader, fields: Fields): Promise<Seen>
  stop(): Promise<void>
}

export type FixtureOptions = {
  readonly config?: Partial<GatewayConfig>
  readonly pages?: NonNullable<GatewayOptions['pages']>
  /** The store of nonces, instead of the gateway's own. */
  readonly nonces?: NonNullable<GatewayOptions['nonces']>
  readonly later?: NonNullable<GatewayOptions['later']>
  readonly sessionKeys?: NonNullable<GatewayOptions['sessionKeys']>
  readonly accounts?: NonNullable<GatewayOptions['accounts']>
  /** Changes the gateway's parts, to make it fail. */
  readonly wrap?: (services: PublicServices) => PublicServices
  readonly server?: Partial<ServerConfig>
  /**
   * If true, the server's time is the engine's, which does not trust every clock; otherwise it is the
   * clock's.
   */
  readonly isClockGuarded?: boolean
  /** The rules of its journal; the newest if undefined. */
  readonly rules?: number
  /** Leaves the gateway in its starting state. */
  readonly isStarting?: boolean
  /** A server on the same port; it receives every batch. */
  readonly stream?: (gateway: Gateway, services: PublicServices, clock: Clock) => BatchStream
}

type BatchStream = StreamPart & { publish(batch: EventBatch): void }

export async function openFixture(options: FixtureOptions = {}): Promise<Fixture> {
  const { clock, guard } = clockOf(options.isClockGuarded === true)
  const memory = await startMemoryEngine(guard)
  const following: Following = {}
  const { services, submit } = await runExchange(memory, following, options.rules)
  const box = createSecretBox(randomBytes(32), (size) => randomBytes(size))
  const logged: Logged[] = []
  const log = (level: string) => (fields: object, message: string) => logged.push({ level, fields, message })
  const gateway = createGateway({
    config: { ...SANDBOX_GATEWAY, ...options.config },
    clock,
    secretBox: box,
    logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    ...(options.pages === undefined ? {} : { pages: options.pages }),
    ...(options.nonces === undefined ? {} : { nonces: options.nonces }),
    ...(options.later === undefined ? {} : { later: options.later }),
    sessionKeys: options.sessionKeys,
    accounts: options.accounts,
  })
  const server = openServer({ ...SERVER_DEFAULTS, port: 0, ...options.server }, gateway)
  const offered = options.wrap?.(services) ?? services
  following.stream = options.stream?.(gateway, offered, clock)
  if (options.isStarting !== true) server.open(offered, following.stream)
  const createKey = keyMaker(submit, box.seal)
  const alice = await fund(submit, 'alice', createKey)
  const bob = await fund(submit, 'bob', createKey)
  const send: Fixture['send'] = (method, path, fields, trader, headers) =>
    request(server.url + path, method, { timestamp: clock.time, ...fields }, trader, headers)
  return {
    url: server.url,
    alice,
    bob,
    clock,
    engine: memory.port,
    services,
    gateway,
    logged,
    submit,
    seal: box.seal,
    createKey,
    send,
    place: (trader, fields) => send('POST', '/api/v3/order', fields, trader),
    stop: async () => {
      await server.stop()
      await memory.stop()
    },
  }
}

/** The clock of the servers, and the engine's reading of it. */
function clockOf(isGuarded: boolean): Pick<Fixture, 'clock'> & { readonly guard: MemoryEngineOptions } {
  const hands = { time: 1_790_000_000_123, elapsedMs: 0 }
  const wall = (): TimeMs => hands.time as TimeMs
  if (!isGuarded)
    return {
      clock: Object.assign(hands, { now: wall, steady: wall, doubted: () => undefined }),
      guard: { clock: wall },
    }
  const monotonicMs = (): number => hands.elapsedMs
  const board = new ClockBoard()
  const server = new ServerClock(board, { wall, monotonicMs })
  const times = { now: () => server.now(), steady: () => server.steady(), doubted: () => server.doubted() }
  const onClock = (reading: ClockReading): void => board.write(reading)
  const guard = { clock: wall, monotonicMs, clockLimits: DEFAULT_CLOCK_LIMITS, onClock }
  return { clock: Object.assign(hands, times), guard }
}

/** Receivers of each batch. */
type Following = { market?: MarketData; backOffice?: LiveBackOffice; stream?: BatchStream | undefined }

/** Follows the engine as the composition does, lists the sandbox's assets and symbols. */
async function runExchange(
  { port: engine, feed }: MemoryEngine,
  following: Following,
  version = RULES_VERSION,
) {
  const bootstrap = await engine.follow((batch) => {
    const market = following.market as MarketData
    market.apply(batch)
    for (const event of batch.events) following.backOffice?.apply(event)
    following.stream?.publish(batch)
  })
  const market = new MarketData(bootstrap)
  following.market = market
  const backOffice = new LiveBackOffice(bootstrap)
  following.backOffice = backOffice
  const history = followedHistory(feed)
  const submit = async (command: Command) => {
    const reply = await engine.submit(command)
    if (reply.kind === 'Refused') throw new Error(`${command.kind} was refused: ${reply.reason}`)
    return reply
  }
  await submit({ kind: 'SetRulesVersion', operator: OPERATOR, version })
  await listAll(submit)
  const { feeTierByName, banByAddress } = backOffice
  return {
    services: { engine, history, market, journal: 'journal-of-a-test', feeTierByName, banByAddress },
    submit,
  }
}

async function listAll(submit: (command: Command) => Promise<Reply>): Promise<void> {
  const common = { operator: OPERATOR, supplyCap: amount(0n), flags: OPEN }
  for (const [code, name, fraction] of ASSETS) {
    await submit({ kind: 'ListAsset', ...common, code, name, fraction: decimals(fraction) })
  }
  for (const [base, quote, baseFraction, quoteFraction] of SYMBOLS) {
    const terms = {
      baseFraction: decimals(baseFraction),
      quoteFraction: decimals(quoteFraction),
      makerRate: rate(100_000),
      takerRate: rate(100_000),
      minTotal: amount(0n),
      minQuantity: lots(0),
      selfTradeMode: 'NONE',
      openOrdersMax: 1_000_000,
      levelsMax: 100_000,
    } as const
    await submit({ kind: 'ListSymbol', operator: OPERATOR, base, quote, terms })
  }
}

function keyMaker(
  submit: (command: Command) => Promise<Reply>,
  seal: (secret: string, apiKey: string) => Uint8Array,
): Fixture['createKey'] {
  return async (accountId, terms = {}) => {
    const apiKey = terms.apiKey ?? randomBytes(24).toString('hex')
    const secret = randomBytes(32).toString('hex')
    const sealedSecret = seal(secret, apiKey)
    const { permissions = ['TRADE', 'WALLET', 'USER_DATA'], addresses = [], label = '' } = terms
    const fields = { operator: OPERATOR, accountId, apiKey, sealedSecret, permissions, addresses, label }
    await submit({ kind: 'CreateApiKey', ...fields })
    return { apiKey, secret, accountId }
  }
}

async function fund(
  submit: (command: Command) => Promise<Reply>,
  name: string,
  createKey: Fixture['createKey'],
): Promise<Trader> {
  const reply = await submit({ kind: 'CreateAccount', operator: OPERATOR, name })
  if (reply.kind !== 'AccountOpened') throw new Error(`expected AccountOpened, found ${reply.kind}`)
  const { accountId } = reply
  for (const [asset] of ASSETS) {
    const reference = `${name}-${asset}`
    await submit({
      kind: 'Credit',
      operator: OPERATOR,
      accountId,
      asset,
      amount: amount(ENOUGH),
      reference,
    })
  }
  return createKey(accountId)
}

/** Joins and percent-encodes parameters. */
export function formOf(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
}

export function sign(secret: string, bytes: string | Uint8Array): string {
  return createHmac('sha256', secret).update(bytes).digest('hex')
}

/** Sends parameters where the method expects them, signed when there is a trader. */
async function request(
  url: string,
  method: string,
  fields: Fields,
  trader?: Trader,
  extra: Fields = {},
): Promise<Seen> {
  const form = formOf(fields)
  const inBody = method !== 'GET' && method !== 'HEAD'
  const headers: Record<string, string> = {}
  if (trader !== undefined) {
    headers['X-Apikey'] = trader.apiKey
    headers['X-Signature'] = sign(trader.secret, form)
  }
  if (inBody) headers['Content-Type'] = 'application/x-www-form-urlencoded'
  for (const [name, value] of Object.entries(extra)) headers[name] = String(value)
  return see(
    await fetch(inBody ? url : `${url}?${form}`, { method, headers, ...(inBody ? { body: form } : {}) }),
  )
}

/** Takes an answer apart. */
export async function see(response: Response): Promise<Seen> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  const body = isJson && text !== '' ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, text, body }
}
