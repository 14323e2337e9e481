/**
 * The total of each asset in the exchange, and the check that the asset sums to zero: the amount that came in
 * from outside equals the sum of all accounts. The node adds up all accounts continuously; this is the latest
 * result.
 */
import type { TopView } from '../../../../cli/top/view.ts'
import type { AdminBalance } from '../../../../contract/admin/records.ts'
import { decimalText } from '../../state/notation.ts'
import type { PageSession } from '../../state/page-session.ts'
import { say } from '../../texts/texts.ts'
import { useAsked } from '../parts/asked.ts'
import { LongTable } from '../parts/long-table.tsx'
import { Panel, Shown, State } from '../parts/parts.tsx'
import { ProveZero } from './prove-zero.tsx'

export function Sums({
  session,
  view,
}: {
  readonly session: PageSession
  readonly view: TopView | undefined
}) {
  const outside = useAsked(session, 'balance/list', { account: 'outside' })
  const fees = useAsked(session, 'balance/list', { account: 'fees' })
  const feeByAsset = new Map(fees.result?.map(({ asset, free }) => [asset, free]))
  const moved = new Map(view?.money.map((one) => [one.asset, one]))
  return (
    <Panel title="Asset totals">
      {view !== undefined && <Proof books={view.books} seq={view.node.seq} />}
      <Shown asked={outside}>
        {(balances) => (
          <LongTable<AdminBalance>
            label="Asset totals"
            rows={balances}
            keyOf={({ asset }) => asset}
            none="There is no money in the exchange yet."
            columns={[
              { title: 'Asset', cell: ({ asset }) => asset },
              { title: 'Outside the exchange', isFigure: true, cell: ({ free }) => decimalText(free) },
              { title: 'In the exchange', isFigure: true, cell: ({ free }) => decimalText(opposite(free)) },
              {
                title: 'Commission earned',
                isFigure: true,
                cell: ({ asset }) => decimalText(feeByAsset.get(asset) ?? '0'),
              },
              {
                title: 'Deposits since the start',
                isFigure: true,
                cell: ({ asset }) => decimalText(String(moved.get(asset)?.cameIn ?? '–')),
              },
              {
                title: 'Withdrawals since the start',
                isFigure: true,
                cell: ({ asset }) => decimalText(String(moved.get(asset)?.wentOut ?? '–')),
              },
            ]}
          />
        )}
      </Shown>
      <ProveZero session={session} />
    </Panel>
  )
}

function Proof({ books, seq }: { readonly books: TopView['books']; readonly seq: number | undefined }) {
  const { reconciledSeq, timesOff } = books
  if (timesOff > 0) {
    return (
      <p>
        <State
          word={say('the balances of an asset did not add up ({count}): its symbols are halted', {
            count: timesOff,
          })}
          kind="bad"
        />
      </p>
    )
  }
  if (reconciledSeq === undefined)
    return (
      <p>
        <State word="not yet checked since the start" kind="warn" />
      </p>
    )
  return (
    <p>
      <State word="every asset sums to zero" kind="good" />{' '}
      {say('The node checked all accounts up to command {number} of {last}.', {
        number: reconciledSeq.toLocaleString('en-US'),
        last: seq?.toLocaleString('en-US') ?? '–',
      })}
    </p>
  )
}

function opposite(text: string): string {
  if (/^-?0(\.0*)?$/.test(text)) return text.replace('-', '')
  return text.startsWith('-') ? text.slice(1) : `-${text}`
}
