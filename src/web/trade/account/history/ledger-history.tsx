/** Every change of the balances, with its cause and the balance right after it. */
import { TEXTS } from '../../../texts/texts.ts'
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
      heads={[
        words.history.time,
        TEXTS.balances.asset,
        ledger.cause,
        ledger.amount,
        ledger.balance,
        ledger.about,
      ]}
      row={(entry) => (
        <tr key={entry.id} data-entry={entry.id}>
          <td>
            <Time at={entry.time} />
          </td>
          <td>{entry.asset}</td>
          <td>{wordOf(ledger.causes, entry.cause)}</td>
          <td class={entry.amount.startsWith('-') ? 'down' : 'up'}>{entry.amount}</td>
          <td>
            {entry.balance}
            {entry.wallet === 'SAVINGS' && ` (${ledger.savings})`}
          </td>
          <td>{entry.symbol ?? entry.reference ?? '–'}</td>
        </tr>
      )}
    />
  )
}
