/**
 * Positions of every account, as history.sqlite stores them over restarts, equal an independent sum of the
 * core's events in exact fractions, and a rebuilt history has identical ones (docs/reference/positions.md).
 */
import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { MemorySnapshots } from '../../../../../sim/memory/snapshots.ts'
import type { Command } from '../../../../core/commands/command.ts'
import { Exchange } from '../../../../core/exchange/exchange.ts'
import { RULES_VERSION } from '../../../../core/exchange/rules.ts'
import { follow } from '../../../../engine/follower/follower.fixture.ts'
import { JournaledExchange } from '../../../../engine/follower/journaled-exchange.fixture.ts'
import {
  ExactPositions,
  type Fraction,
  minus,
  ofUnits,
  ZERO,
} from '../../../../engine/history/positions/exact-positions.fixture.ts'
import type { Position } from '../../../../engine/history/positions/position.ts'
import { account, asset, credit, limit, symbol } from '../../../../engine/writer/commands.fixture.ts'
import type { AccountId, AssetId, SymbolId } from '../../../../units/ids.ts'
import { amount, type Decimals, type Rate } from '../../../../units/quantities.ts'
import { untilMet } from '../../../../units/random-rounds.fixture.ts'
import { bigintOf } from '../../../../units/whole.ts'
import { SqliteHistory } from '../store.ts'

const root = mkdtempSync(path.join(tmpdir(), 'bourse-positions-'))
afterAll(() => rmSync(root, { recursive: true }))

const operator = { actor: 'test', note: '' }
const DECIMALS = { BTC: 8, USDT: 6, TRY: 2 } as const
/** Such small amounts that the quantity without cost is soon sold. */
const FIRST = { BTC: 20_000_000n, USDT: 1_000_000n, TRY: 2_000n }
const ASSETS = Object.keys(DECIMALS) as (keyof typeof DECIMALS)[]

const listed = (base: string, quote: string, fractions: readonly [number, number], rate: number): Command => {
  const command = symbol(base, quote)
  if (command.kind !== 'ListSymbol') throw new Error('a listing')
  const [baseFraction, quoteFraction] = fractions as [Decimals, Decimals]
  const rates = { makerRate: rate as Rate, takerRate: (rate * 2) as Rate }
  return { ...command, terms: { ...command.terms, baseFraction, quoteFraction, ...rates } }
}

/**
 * BTC is valued in USDT, USDT in TRY, and TRY in nothing; trades in BTC/TRY are converted to USDT with the
 * price of USDT/TRY.
 */
const OPENING: readonly Command[] = [
  { kind: 'SetRulesVersion', operator, version: RULES_VERSION },
  ...ASSETS.map((code): Command => {
    const command = asset(code)
    if (command.kind !== 'ListAsset') throw new Error('an asset')
    return { ...command, fraction: DECIMALS[code] as Decimals }
  }),
  listed('BTC', 'USDT', [5, 2], 100_000),
  listed('BTC', 'TRY', [4, 1], 25_000_000),
]
const LATER: readonly Command[] = [listed('USDT', 'TRY', [2, 2], 123_456)]

/**
 * The ids of the traders' accounts, which follow those of the house: the house has an account for each
 * symbol.
 */
const traders = (exchange: Exchange): AccountId[] =>
  exchange
    .bootstrap()
    .accounts.filter(({ role }) => role === 'trader')
    .map(({ id }) => id)

type Step =
  | {
      readonly what: 'order'
      readonly who: number
      readonly market: number
      readonly isBuy: boolean
      readonly price: number
      readonly lots: number
    }
  | {
      readonly what: 'credit' | 'debit' | 'save' | 'take'
      readonly who: number
      readonly asset: string
      readonly units: bigint
    }

const who = fc.nat(2)
const anOrder: fc.Arbitrary<Step> = fc.record({
  what: fc.constant('order' as const),
  who,
  market: fc.constantFrom(0, 0, 1, 2),
  isBuy: fc.boolean(),
  price: fc.integer({ min: 95, max: 105 }),
  lots: fc.integer({ min: 1, max: 20_000 }),
})
const aMove: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('credit' as const, 'debit' as const, 'save' as const, 'take' as const),
  who,
  asset: fc.constantFrom(...ASSETS),
  units: fc.bigInt({ min: 1n, max: 10n ** 7n }),
})
const steps = fc.array(fc.oneof({ weight: 6, arbitrary: anOrder }, { weight: 1, arbitrary: aMove }), {
  minLength: 1,
  maxLength: 12,
})
const rounds = fc.array(fc.record({ steps, restarts: fc.boolean() }), { minLength: 4, maxLength: 10 })

let references = 0

function commandOf(step: Step, owners: readonly AccountId[]): Command {
  const accountId = owners[step.who] as AccountId
  if (step.what === 'order') {
    const { price, lots, market } = step
    const order = limit(accountId, step.isBuy ? 'BUY' : 'SELL', price, lots)
    return { ...order, symbolId: market as SymbolId }
  }
  const reference = `r${++references}`
  if (step.what === 'credit') return credit(accountId, step.asset, step.units, reference)
  const common = { operator, accountId, asset: step.asset, amount: amount(step.units), reference }
  if (step.what === 'debit') return { kind: 'Debit', ...common }
  return { kind: 'MoveSavings', isDeposit: step.what === 'save', ...common }
}

/** Every row of positions and markets, as bytes. */
function rowsOf(file: string): string {
  const db = new Database(file, { readonly: true })
  const rows = [
    ...db.query('SELECT account, asset, hex(data) FROM account_position ORDER BY account, asset').values(),
    ...db.query('SELECT symbol_id, hex(data) FROM market ORDER BY symbol_id').values(),
  ]
  db.close()
  return rows.map((row) => row.join(' ')).join('\n')
}

const asFractions = (position: Position, decimals: number, costDecimals: number) => ({
  quantity: ofUnits(position.quantity, decimals),
  withoutCost: ofUnits(position.withoutCost, decimals),
  atLastPrice: ofUnits(position.atLastPrice, decimals),
  cost: ofUnits(position.cost, costDecimals + 12),
  realized: ofUnits(position.realized, costDecimals + 12),
  soldCost: ofUnits(position.soldCost, costDecimals + 12),
})

/** Cases that the test must have covered to be meaningful. */
const met = { gains: 0, losses: 0, withoutCost: 0, atLastPrice: 0, restarts: 0, converted: 0 }

test('positions equal an independent sum in fractions, over restarts, and to the bit when history is rebuilt', async () => {
  let run = 0
  const property = fc.asyncProperty(
    rounds,
    fc.integer({ min: 1, max: 40 }),
    async (all, recordsBetweenEnds) => {
      const file = path.join(root, `${++run}.sqlite`)
      const open = (name: string) =>
        SqliteHistory.open(name, (reason) => expect(reason).toBe('not dropped'), { recordsBetweenEnds })
      const source = new JournaledExchange()
      const core = new Exchange()
      const rounded = new ExactPositions(true)
      const exact = new ExactPositions(false)
      const write = async (commands: readonly Command[]) => {
        const { time } = await source.write(commands)
        for (const command of commands) {
          core.apply(command, time, (event) => {
            rounded.sink(event)
            exact.sink(event)
          })
        }
      }
      let history = open(file)
      const snapshots = new MemorySnapshots()
      await write([...OPENING, ...['a', 'b', 'c'].map(account)])
      const owners = traders(core)
      await write(
        owners.flatMap((owner) =>
          ASSETS.map((code) => credit(owner, code, FIRST[code], `first ${owner} ${code}`)),
        ),
      )
      for (const [i, { steps: each, restarts }] of all.entries()) {
        if (i === 2) await write(LATER)
        await write(each.map((step) => commandOf(step, owners)))
        await follow(source, { history, snapshots })
        if (!restarts) continue
        // Without a flush, so that records after the stored ends are restored.
        await history.close()
        history = open(file)
        met.restarts++
      }
      await compare(history, { source, owners, rounded, exact })
      await history.flush()
      await history.close()
      const anew = path.join(root, `${run}-anew.sqlite`)
      const rebuilt = open(anew)
      await follow(source, { history: rebuilt, snapshots: new MemorySnapshots() })
      await rebuilt.flush()
      await rebuilt.close()
      expect(rowsOf(anew)).toBe(rowsOf(file))
    },
  )
  await untilMet(met, () => fc.assert(property, { numRuns: 12 }))
})

type Sums = {
  readonly source: JournaledExchange
  readonly owners: readonly AccountId[]
  readonly rounded: ExactPositions
  readonly exact: ExactPositions
}

async function compare(history: SqliteHistory, { source, owners, rounded, exact }: Sums): Promise<void> {
  for (const accountId of owners) {
    const { positions, next } = await history.positions({ accountId, from: 0 as AssetId, limit: 1_000 })
    expect(next).toBeUndefined()
    const balances = source.exchange.balances(accountId)
    expect(positions.map(({ assetId }) => assetId)).toEqual(balances.map(({ assetId }) => assetId))
    for (const position of positions) {
      const { assetId } = position
      const { free, locked, freeze, savings } = balances[assetId] as (typeof balances)[number]
      const has = [free, locked, freeze, savings].reduce((sum, each) => sum + bigintOf(each), 0n)
      expect(bigintOf(position.quantity)).toBe(has)
      const own = rounded.own(assetId)
      expect(position.own?.symbolId).toBe(own?.id)
      const costDecimals = own === undefined ? 0 : rounded.decimals(own.quote)
      const found = asFractions(position, rounded.decimals(assetId), costDecimals)
      const { roundings, ...expected } = rounded.byOwner.get(`${accountId} ${assetId}`) ?? none()
      expect(found).toEqual(expected)
      near(found, exact.byOwner.get(`${accountId} ${assetId}`) ?? none(), roundings, costDecimals)
      if (position.realized > 0n) met.gains++
      if (position.realized < 0n) met.losses++
      if (position.withoutCost !== 0) met.withoutCost++
      if (position.atLastPrice !== 0) met.atLastPrice++
      if (own !== undefined && assetId === 0 && source.trades.some(({ symbolId }) => symbolId === 1))
        met.converted++
    }
  }
}

const none = () => ({
  ...{ quantity: ZERO, withoutCost: ZERO, atLastPrice: ZERO },
  ...{ cost: ZERO, realized: ZERO, soldCost: ZERO, roundings: 0 },
})

/** Rounding changes a sum by at most 10^-12 of a ledger unit each time. */
function near(
  found: ReturnType<typeof asFractions>,
  exact: ReturnType<typeof none>,
  roundings: number,
  costDecimals: number,
): void {
  const most = ofUnits(BigInt(roundings), costDecimals + 12)
  for (const name of ['cost', 'realized', 'soldCost'] as const) {
    const off = minus(found[name], exact[name])
    const size: Fraction = { n: off.n < 0n ? -off.n : off.n, d: off.d }
    expect(size.n * most.d <= most.n * size.d).toBe(true)
  }
  expect(found.quantity).toEqual(exact.quantity)
  expect(found.withoutCost).toEqual(exact.withoutCost)
}
