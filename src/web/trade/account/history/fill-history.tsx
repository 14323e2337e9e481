/** Every fill of the account. */
import { TEXTS } from '../../../texts/texts.ts'
import { Time } from '../time.tsx'
import { MarketAndSide } from './choice.tsx'
import type { HistoryProps } from './history-props.ts'
import { HistoryView } from './history-view.tsx'

export function FillHistory({ account, histories, symbols }: HistoryProps) {
  const { orders: names, account: words } = TEXTS
  const history = histories.fills
  const filter = history.filter.value
  return (
    <HistoryView
      title={words.tabs.FILLS}
      account={account}
      history={history}
      choices={
        <MarketAndSide filter={filter} symbols={symbols} onFilter={(changed) => history.setFilter(changed)} />
      }
      heads={[
        words.history.time,
        names.symbol,
        names.side,
        names.price,
        names.quantity,
        words.history.total,
        TEXTS.fills.commission,
        words.history.role,
      ]}
      row={(fill) => (
        // A trade with oneself is two fills of one trade.
        <tr key={`${fill.id}/${fill.orderId}`} data-fill={fill.id}>
          <td>
            <Time at={fill.time} />
          </td>
          <td>{fill.symbol}</td>
          <td data-side={fill.side}>{TEXTS.side[fill.side]}</td>
          <td>{fill.price}</td>
          <td>{fill.quantity}</td>
          <td>{fill.total}</td>
          <td>
            {fill.commission} {fill.commissionAsset}
          </td>
          <td>{fill.isMaker ? words.history.maker : words.history.taker}</td>
        </tr>
      )}
    />
  )
}
