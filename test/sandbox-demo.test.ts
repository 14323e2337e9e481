/** The sandbox with its demo market, as people start it. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { eventually } from './postgres/support/eventually.ts'
import { BourseProcess, dataDirectory, killAll, readSandbox, signed } from './support/bourse-process.ts'

setDefaultTimeout(300_000)

const SYMBOLS = ['BTC/USDT', 'ETH/USDT', 'ETH/BTC', 'USDT/TRY']
const data = dataDirectory()
const started: BourseProcess[] = []

afterAll(async () => {
  await killAll(started)
  data.remove()
})

async function start(...words: readonly string[]): Promise<BourseProcess> {
  const child = new BourseProcess([
    'sandbox',
    ...words,
    '--port',
    '0',
    '--data',
    data.path,
    '--self-trade=EXPIRE_MAKER',
  ])
  started.push(child)
  await child.ready
  return child
}

async function read(endpoint: string, symbol: string): Promise<unknown> {
  const { baseUrl, accounts } = readSandbox(data.path)
  const [alice] = accounts
  if (alice === undefined) throw new Error('the sandbox has no account')
  return (await signed(baseUrl, alice, 'GET', endpoint, { symbol })).json()
}

const tradesOf = async (symbol: string) => (await read('trades', symbol)) as readonly object[]

/** Days of candles, read without a key: how many are generated, and how many come from trades. */
async function daysOf(symbol: string): Promise<{ readonly madeUp: number; readonly traded: number }> {
  const { baseUrl } = readSandbox(data.path)
  const answer = await fetch(`${baseUrl}/api/v3/klines?symbol=${symbol}&interval=1d`)
  const { data: candles } = (await answer.json()) as { readonly data: readonly (readonly unknown[])[] }
  const madeUp = candles.filter((candle) => candle[11] === '1').length
  return { madeUp, traded: candles.length - madeUp }
}

async function levelsOf(symbol: string): Promise<readonly number[]> {
  const { buy, sell } = (await read('depth', symbol)) as { readonly buy: object; readonly sell: object }
  return [Object.keys(buy).length, Object.keys(sell).length]
}

const untilDeep = (symbol: string) =>
  eventually(`${symbol} has depth`, async () => (await levelsOf(symbol)).every((levels) => levels > 5))

test('npm run demo has depth and trades on every symbol, cancels its orders when it stops, and continues later; months of made-up candles are marked as such, and exist with the demo alone', async () => {
  const first = await start('demo', '--seed', '7', '--pace', '50')
  expect(first.out).toContain('The demo market runs: seed 7, 50 steps a second')
  for (const symbol of SYMBOLS) {
    while ((await tradesOf(symbol)).length === 0) await Bun.sleep(20)
    await untilDeep(symbol)
    expect((await daysOf(symbol)).madeUp).toBeGreaterThanOrEqual(120)
  }
  expect(await first.end('SIGTERM')).toBe(0)
  expect(first.err).not.toContain('"level":50')

  const quiet = await start()
  expect(quiet.out).not.toContain('demo market')
  const before = new Map<string, number>()
  for (const symbol of SYMBOLS) {
    expect(await levelsOf(symbol)).toEqual([0, 0])
    expect(await daysOf(symbol)).toMatchObject({ madeUp: 0 })
    before.set(symbol, (await tradesOf(symbol)).length)
  }
  expect(await quiet.end('SIGTERM')).toBe(0)

  await start('demo', '--pace', '50')
  const hasMore = async (symbol: string) => (await tradesOf(symbol)).length > (before.get(symbol) ?? 0)
  while (!(await hasMore('BTC/USDT'))) await Bun.sleep(20)
  await untilDeep('BTC/USDT')
})
