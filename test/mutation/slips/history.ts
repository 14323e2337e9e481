/** Slips in the history of an account. */
import type { Slip } from '../slips.ts'

export const HISTORY: readonly Slip[] = [
  {
    wrong: 'a page of fills parts both sides of a trade with oneself',
    file: 'src/engine/history/fill-pages.ts',
    before: 'if (isFull && record.tradeNumber !== last?.tradeNumber)',
    after: 'if (isFull)',
  },
  {
    wrong: 'a request for fills looks at all there are',
    file: 'src/engine/history/fill-pages.ts',
    before: ' || lookedAt >= FILLS_READ_MAX',
    after: '',
  },
  {
    wrong: 'what was received is shown with the balance after its commission',
    file: 'src/engine/history/ledger-entries.ts',
    before: 'balance: amountSum(received.left, commission)',
    after: 'balance: received.left',
  },
  {
    wrong: 'what a trade with oneself left is said of its earlier side too',
    file: 'src/engine/history/history-projection.ts',
    before: '? beforeParty(takerAfter, event, symbol)',
    after: '? takerAfter',
  },
  {
    wrong: 'a completed withdrawal is called a debit',
    file: 'src/engine/history/history-projection.ts',
    before: "if (event.withdrawal.state === 'COMPLETED') this.#wasWithdrawal()",
    after: 'void event',
  },
  {
    wrong: 'what was executed before a snapshot is forgotten at the end of an order',
    file: 'src/engine/history/order-projection.ts',
    before: 'this.#doneByNumber.set(orderNumber, { ...figures',
    after: 'void (orderNumber, { ...figures',
  },
  {
    wrong: 'a stored order is not given the end that came later',
    file: 'src/engine/history/order-history.ts',
    before: 'return ended === undefined ? placed : { ...placed, end: endOf(ended) }',
    after: 'return ended === undefined ? placed : { ...placed }',
  },
  {
    wrong: 'an order that ended at once has an end of another command',
    file: 'src/storage/sqlite/history/orders.ts',
    before: '      end.seq = seq\n',
    after: '      end.seq = (seq + 1) as typeof seq\n',
  },
  {
    wrong: 'an order of history has no time',
    file: 'src/storage/sqlite/history/orders.ts',
    before: '    order.time = time\n',
    after: '',
  },
  {
    wrong: 'the end of an order is that of order 0',
    file: 'src/storage/sqlite/history/ended/rows.ts',
    before: '  end.orderNumber = orderNumber\n',
    after: '',
  },
  {
    wrong: 'a formula in a table is carried out by a spreadsheet',
    file: 'src/contract/csv.ts',
    before: `text.replace(FORMULA, "$&'")`,
    after: 'text',
  },
  {
    wrong: 'a terminal obeys what a trader has called an address',
    file: 'src/cli/admin/run.ts',
    before: 'show(printableValue(result, command.lines))',
    after: 'show(result)',
  },
  {
    wrong: 'what the program prints is obeyed by the terminal',
    file: 'src/app/process/output.ts',
    before: 'writeAll(STANDARD_OUTPUT, printableLines(text))',
    after: 'writeAll(STANDARD_OUTPUT, text)',
  },
  {
    wrong: 'an order is shown to whoever knows its number',
    file: 'src/server/trading/order-objects.ts',
    before: 'each.accountId === accountId && each.time === time',
    after: 'each.accountId >= 0 && accountId >= 0 && each.time === time',
  },
  {
    wrong: 'who comes back to the private feed is told the last command again',
    file: 'src/engine/history/recent-updates.ts',
    before: 'update.seq <= search.after',
    after: 'update.seq < search.after',
  },
  {
    wrong: 'who is far behind is told of what fits, and that it is all',
    file: 'src/engine/history/recent-updates.ts',
    before: 'upTo: update.seq })',
    after: 'upTo: end })',
  },
  {
    wrong: 'a row of updates that ends where one goes on is read once more',
    file: 'src/storage/sqlite/history/updates.ts',
    before: 'WHERE last_seq > ? ORDER BY',
    after: 'WHERE last_seq >= ? ORDER BY',
  },
  {
    wrong: 'a fill changes one balance alone in the private feed',
    file: 'src/engine/history/update-projection.ts',
    before: '    concerned.assets.add(quote)\n',
    after: '',
  },
  {
    wrong: 'an order that is not as it was placed is shown so',
    file: 'src/engine/history/update-projection.ts',
    before: '      changed.add(event.orderNumber)\n',
    after: "      if (event.kind === 'OrderCanceled') changed.add(event.orderNumber)\n",
  },
]
