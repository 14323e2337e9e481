/**
 * Positions of the account: quantity, cost and profit of each asset (docs/reference/positions.md). History
 * keeps a row for each asset that the account ever had, so an answer has at most as many rows as there are
 * assets; they are read in pages, so that other queries come in between.
 */

import {
  POSITIONS_READ,
  type PositionLine,
  positionLineJson,
  type ValuedLine,
} from '../../../../contract/api/positions.ts'
import { PAGE_END, pageHead } from '../../../../contract/pages.ts'
import type { Asset, TradingSymbol } from '../../../../core/registry/records.ts'
import { positionFigures } from '../../../../engine/history/positions/figures.ts'
import { type AccountPosition, POSITIONS_MAX } from '../../../../engine/port/ports.ts'
import type { AssetId } from '../../../../units/ids.ts'
import { invariant } from '../../../../units/invariant.ts'
import type { RegistryView } from '../../../../views/registry.ts'
import { Refusal } from '../../../common/refusal.ts'
import type { Answer, Call } from '../../call.ts'
import { listAnswer } from '../../list-answer.ts'
import { operationOf, readAsset, readListedSymbol } from '../../operation.ts'

/** Number of positions covered by one unit of weight, if that exceeds the weight above. */
const POSITIONS_PER_WEIGHT = 25

/** Approximate memory of a row before it is converted to text. */
const ROW_BYTES = 500

export const accountPositions = operationOf('accountPositions', accountPositionsAnswer)

async function accountPositionsAnswer(call: Call): Promise<Answer> {
  const { language, services, lane } = call
  const asset = readAsset(call)
  if (asset instanceof Refusal) return asset
  const symbol = readListedSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const positions = await readPositions(call, askedAssets(asset, symbol))
  if (positions instanceof Refusal) return positions
  const { registry } = services.market
  const words = (rows: readonly AccountPosition[]) =>
    rows.map((each) => positionLineJson(lineOf(each, registry))).join(',')
  const head = pageHead(POSITIONS_READ, language, 'positions')
  return listAnswer({ head, rows: positions, words, end: PAGE_END, rowBytes: ROW_BYTES }, lane)
}

/** In the order of their ids; undefined means all assets. */
function askedAssets(asset: Asset | undefined, symbol: TradingSymbol | undefined): AssetId[] | undefined {
  const pair = symbol && [symbol.base, symbol.quote].sort((a, b) => a - b)
  if (asset === undefined) return pair
  return pair === undefined || pair.includes(asset.id) ? [asset.id] : []
}

async function readPositions(
  call: Call,
  asked: readonly AssetId[] | undefined,
): Promise<AccountPosition[] | Refusal> {
  const { accountId, services } = call
  const { history, market } = services
  const atLeast = market.seq
  const found: AccountPosition[] = []
  if (asked !== undefined) {
    for (const from of asked) {
      const { positions } = await history.positions({ accountId, from, limit: 1, atLeast })
      found.push(...positions.filter(({ assetId }) => assetId === from))
    }
    return found
  }
  let charged = accountPositions.weight
  for (let from: AssetId | undefined = 0 as AssetId; from !== undefined; ) {
    const page = await history.positions({ accountId, from, limit: POSITIONS_MAX, atLeast })
    found.push(...page.positions)
    const due = Math.ceil(found.length / POSITIONS_PER_WEIGHT)
    const refusal = call.chargeRows(Math.max(0, due - charged))
    if (refusal !== undefined) return refusal
    charged = Math.max(charged, due)
    from = page.next
  }
  return found
}

function lineOf(position: AccountPosition, registry: RegistryView): PositionLine {
  const asset = registry.asset(position.assetId)
  invariant(asset !== undefined, () => `a position has asset ${position.assetId}, which is not listed`)
  const { quantity, withoutCost, atLastPrice, own } = position
  return { asset, quantity, withoutCost, atLastPrice, valued: own && valuedOf(position, own, registry) }
}

function valuedOf(
  position: AccountPosition,
  { symbolId, lastPrice }: NonNullable<AccountPosition['own']>,
  registry: RegistryView,
): ValuedLine {
  const market = registry.symbol(symbolId)
  invariant(market !== undefined, () => `an asset is valued in symbol ${symbolId}, which is not listed`)
  const { name, quoteCode, quotePrecision, quoteFraction } = market
  return {
    symbol: name,
    costAsset: quoteCode,
    fraction: quotePrecision,
    quoteFraction,
    lastPrice,
    ...positionFigures(position, market, lastPrice),
  }
}
