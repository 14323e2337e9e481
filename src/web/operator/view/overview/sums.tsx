/**
 * What is in the exchange of each asset, and the proof that it sums to zero: what came from the outside world is what all accounts have. The node adds all
 * accounts up by itself, again and again; here is what it came to.
 */
import type { TopView } from '../../../../cli/top/view.ts'
import type { AdminBalance } from '../../../../wire/admin-records.ts'
import type { PageSession } from '../../state/page-session.ts'
import { decimalText } from '../../state/words.ts'
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
    <Panel title="Sums of each asset">
      {view !== undefined && <Proof books={view.books} seq={view.node.seq} />}
      <Shown asked={outside}>
        {(balances) => (
          <LongTable<AdminBalance>
            label="Sums of each asset"
            rows={balances}
            keyOf={({ asset }) => asset}
            none="No asset has any money yet."
            columns={[
              { title: 'Asset', cell: ({ asset }) => asset },
              { title: 'Outside world', isFigure: true, cell: ({ free }) => decimalText(free) },
              { title: 'In the exchange', isFigure: true, cell: ({ free }) => decimalText(opposite(free)) },
              {
                title: 'Of it commission',
                isFigure: true,
                cell: ({ asset }) => decimalText(feeByAsset.get(asset) ?? '0'),
              },
              {
                title: 'In, since the process began',
                isFigure: true,
                cell: ({ asset }) => decimalText(String(moved.get(asset)?.cameIn ?? '–')),
              },
              {
                title: 'Out, since the process began',
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
        <State word={`the books of an asset were off ${timesOff} times: its symbols are halted`} kind="bad" />
      </p>
    )
  }
  if (reconciledSeq === undefined)
    return (
      <p>
        <State word="not yet added up since the process began" kind="warn" />
      </p>
    )
  return (
    <p>
      <State word="every asset sums to zero" kind="good" /> The node added up all accounts, the outside world
      among them, up to command {reconciledSeq.toLocaleString('en-US')} of {seq?.toLocaleString('en-US')}.
    </p>
  )
}

function opposite(text: string): string {
  if (/^-?0(\.0*)?$/.test(text)) return text.replace('-', '')
  return text.startsWith('-') ? text.slice(1) : `-${text}`
}
