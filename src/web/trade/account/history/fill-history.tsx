/** Every fill of the account. */
import { TEXTS } from '../../../shared/texts/texts.ts'
import { Cells } from '../columns.tsx'
import { MarketAndSide } from './choice.tsx'
import { fillColumns } from './fill-columns.tsx'
import type { HistoryProps } from './history-props.ts'
import { HistoryView } from './history-view.tsx'

export function FillHistory({ account, histories, markets }: HistoryProps) {
  const history = histories.fills
  const filter = history.filter.value
  return (
    <HistoryView
      title={TEXTS.account.tabs.FILLS}
      none={TEXTS.account.history.none.FILLS}
      account={account}
      history={history}
      choices={
        <MarketAndSide filter={filter} markets={markets} onFilter={(changed) => history.setFilter(changed)} />
      }
      columnsOf={(fills) => {
        const { time, symbol, side, price, quantity, total, commission, role } = fillColumns(fills, markets)
        return [time, symbol, side, price, quantity, total, commission, role]
      }}
      row={(fill, columns) => (
        // A trade of the account with itself is two fills of one trade.
        <tr key={`${fill.id}/${fill.orderId}`} data-fill={fill.id}>
          <Cells columns={columns} row={fill} />
        </tr>
      )}
    />
  )
}
