/** Every change of the balances, with its cause and the balance right after it. */
import type { LedgerEntry } from '../../../../client/interface/answers.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import { zoneName } from '../../../shared/texts/time-zone.ts'
import { Cells, type Column } from '../columns.tsx'
import { figureColumn } from '../figure-column.tsx'
import { Time } from '../time.tsx'
import { Choice, optionsOf, wordOf } from './choice.tsx'
import type { HistoryProps } from './history-props.ts'
import { HistoryView } from './history-view.tsx'

export function LedgerHistory({ account, histories }: HistoryProps) {
  const { account: words } = TEXTS
  const { ledger } = words
  const history = histories.ledger
  const filter = history.filter.value
  const assets = [...account.balances.value.keys()].toSorted()
  return (
    <HistoryView
      title={words.tabs.LEDGER}
      none={words.history.none.LEDGER}
      account={account}
      history={history}
      choices={
        <>
          <Choice
            label={TEXTS.balances.asset}
            value={filter.asset}
            options={[['', words.history.all], ...assets.map((asset) => [asset, asset] as const)]}
            onChoice={(asset) => history.setFilter({ ...filter, asset })}
          />
          <Choice
            label={ledger.cause}
            value={filter.cause}
            options={optionsOf(words.history.all, ledger.causes)}
            onChoice={(cause) => history.setFilter({ ...filter, cause })}
          />
        </>
      }
      columnsOf={ledgerColumns}
      row={(entry, columns) => (
        <tr key={entry.id} data-entry={entry.id}>
          <Cells columns={columns} row={entry} />
        </tr>
      )}
    />
  )
}

function ledgerColumns(entries: readonly LedgerEntry[]): readonly Column<LedgerEntry>[] {
  const { ledger, history } = TEXTS.account
  const ofAsset = { rows: entries, unit: (entry: LedgerEntry) => entry.asset }
  const amount = figureColumn({ ...ofAsset, head: ledger.amount, figure: (entry) => entry.amount })
  return [
    { head: history.time(zoneName()), cell: (entry) => <Time at={entry.time} /> },
    {
      head: TEXTS.balances.asset,
      cell: ({ asset, wallet }) => (wallet === 'SAVINGS' ? `${asset} (${ledger.savings})` : asset),
    },
    { head: ledger.cause, cell: (entry) => wordOf(ledger.causes, entry.cause) },
    {
      ...amount,
      cell: (entry) => <span class={entry.amount.startsWith('-') ? 'down' : 'up'}>{amount.cell(entry)}</span>,
    },
    figureColumn({ ...ofAsset, head: ledger.balance, figure: (entry) => entry.balance }),
    { head: ledger.about, cell: (entry) => entry.symbol ?? entry.reference ?? '–' },
  ]
}
