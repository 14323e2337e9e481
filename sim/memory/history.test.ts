import { historyAuditContract } from '../../src/engine/audit/history.contract.ts'
import { historyStoreContract } from '../../src/engine/history/history.contract.ts'
import type { HistoryTrade } from '../../src/engine/history/history.ts'
import { MemoryHistory } from './history.ts'
import { MemoryLists } from './history-lists.ts'

historyStoreContract('memory', async () => new MemoryHistory())

historyAuditContract('memory', async () => {
  const lists = new MemoryLists()
  const store = new MemoryHistory(lists)
  return {
    store,
    audited: () => store.audited(),
    tamper: (number, becomes) => tamper(lists, number, becomes),
    tamperCandle: (symbolId, width, start, becomes) => {
      const some = becomes === undefined ? [] : [becomes]
      replace(lists.candles(symbolId, width), (candle) => candle.start, start, some)
    },
  }
})

/**
 * Removes every record of the trade from its lists, and inserts those of `becomes` at their places by number.
 */
function tamper(lists: MemoryLists, number: number, becomes: readonly HistoryTrade[]): void {
  for (const [symbolId, items] of lists.tradesBySymbol) {
    const some = becomes.filter((each) => each.symbolId === symbolId)
    replace(items, ({ trade }) => trade.tradeNumber, number, some)
  }
  const records = becomes.flatMap(({ maker, taker }) => [maker, taker])
  for (const { accountId } of records) lists.of(accountId)
  for (const [accountId, { all, bySymbol }] of lists.listsByAccount) {
    const own = records.filter((each) => each.accountId === accountId).map(({ record }) => record)
    replace(all, ({ tradeNumber }) => tradeNumber, number, own)
    for (const { symbolId } of own) lists.of(accountId, symbolId)
    for (const [symbolId, items] of bySymbol) {
      const some = own.filter((record) => record.symbolId === symbolId)
      replace(items, ({ tradeNumber }) => tradeNumber, number, some)
    }
  }
}

function replace<Item>(
  items: Item[],
  numberOf: (item: Item) => number,
  number: number,
  by: readonly Item[],
): void {
  const rest = items.filter((item) => numberOf(item) !== number)
  const at = rest.findIndex((item) => numberOf(item) > number)
  rest.splice(at < 0 ? rest.length : at, 0, ...by)
  items.splice(0, items.length, ...rest)
}
