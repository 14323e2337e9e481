/** Symbols with their states, and the phase of the whole exchange. */
import type { AdminExchange, AdminSymbol } from '../../../contract/admin/records.ts'
import { timeText } from '../state/notation.ts'
import type { PageSession } from '../state/page-session.ts'
import { type Said, say, type Text } from '../texts/texts.ts'
import { Action } from './parts/action.tsx'
import { useAsked } from './parts/asked.ts'
import { LongTable } from './parts/long-table.tsx'
import { Facts, Panel, Shown, State } from './parts/parts.tsx'

export function MarketsView({ session }: { readonly session: PageSession }) {
  const exchange = useAsked(session, 'exchange/show', {})
  const symbols = useAsked(session, 'symbol/list', {})
  const assets = useAsked(session, 'asset/list', {})
  return (
    <div class="stack">
      <Panel title="The whole exchange" actions={<PhaseActions session={session} onDone={exchange.again} />}>
        <Shown asked={exchange}>{(found) => <Phase exchange={found} />}</Shown>
      </Panel>
      <Panel
        title="Symbols"
        actions={<Action session={session} command="symbol add" label="Add symbol" onDone={symbols.again} />}
      >
        <Shown asked={symbols}>
          {(rows) => <Symbols session={session} rows={rows} onDone={symbols.again} />}
        </Shown>
      </Panel>
      <Panel
        title="Assets"
        actions={<Action session={session} command="asset add" label="Add asset" onDone={assets.again} />}
      >
        <Shown asked={assets}>
          {(rows) => (
            <LongTable
              label="Assets"
              rows={rows}
              keyOf={({ code }) => code}
              none="There are no assets yet."
              columns={[
                { title: 'Asset', cell: ({ code }) => code },
                { title: 'Name', cell: ({ name }) => name },
                { title: 'Decimals', isFigure: true, cell: ({ fraction }) => fraction },
                { title: 'Allowed', cell: (asset) => openFor(asset).join(', ') || say('nothing') },
                { title: 'Supply cap', isFigure: true, cell: ({ supplyCap }) => none(supplyCap) },
                { title: 'Maximum credit', isFigure: true, cell: ({ creditMax }) => none(creditMax) },
                {
                  title: 'Approval needed above',
                  isFigure: true,
                  cell: ({ approvalAbove }) => none(approvalAbove),
                },
                {
                  title: 'Action',
                  isFirst: true,
                  cell: (asset) => (
                    <Action
                      session={session}
                      command="asset set"
                      label="Change"
                      fixed={{ code: asset.code }}
                      record={asset}
                      onDone={assets.again}
                    />
                  ),
                },
              ]}
            />
          )}
        </Shown>
      </Panel>
    </div>
  )
}

function PhaseActions({ session, onDone }: { readonly session: PageSession; readonly onDone: () => void }) {
  const parts = { session, onDone }
  return (
    <>
      <Action {...parts} command="exchange halt" label="Halt all trading" isDangerous />
      <Action {...parts} command="exchange close" label="Close the exchange" isDangerous />
      <Action {...parts} command="exchange open" label="Open the exchange" />
      <Action {...parts} command="exchange plan" label="Plan phases" />
      <Action {...parts} command="exchange unplan" label="Cancel the plan" />
    </>
  )
}

function Phase({ exchange: { phase, since, by, note, planned } }: { readonly exchange: AdminExchange }) {
  const steps = planned.map((step) =>
    say('{phase} from {time} UTC, by {who}', { phase: step.phase, time: timeText(step.at), who: step.by }),
  )
  return (
    <Facts
      pairs={[
        ['Phase', <State key="phase" word={phase as Said} kind={phase === 'TRADING' ? 'good' : 'warn'} />],
        ['Since', since === null ? say('the start') : `${timeText(since)} UTC`],
        ['By', by || '–'],
        ['Note', note || '–'],
        ['Planned', steps.join('; ') || say('nothing')],
      ]}
    />
  )
}

function Symbols({
  session,
  rows,
  onDone,
}: {
  readonly session: PageSession
  readonly rows: readonly AdminSymbol[]
  readonly onDone: () => void
}) {
  return (
    <LongTable
      label="Symbols"
      rows={rows}
      keyOf={({ symbol }) => symbol}
      none="There are no symbols yet."
      columns={[
        { title: 'Symbol', cell: ({ symbol }) => symbol },
        {
          title: 'State',
          cell: ({ state }) => <State word={state as Said} kind={state === 'TRADING' ? 'good' : 'warn'} />,
        },
        {
          title: 'Action',
          isFirst: true,
          cell: (row) => <SymbolActions session={session} row={row} onDone={onDone} />,
        },
        { title: 'Taker', isFigure: true, cell: ({ takerRate }) => takerRate },
        { title: 'Maker', isFigure: true, cell: ({ makerRate }) => makerRate },
        { title: 'Tick', isFigure: true, cell: ({ tickSize }) => tickSize },
        { title: 'Step', isFigure: true, cell: ({ stepSize }) => stepSize },
        { title: 'Minimum quantity', isFigure: true, cell: ({ minQuantity }) => minQuantity },
        { title: 'Minimum total', isFigure: true, cell: ({ minTotal }) => minTotal },
        {
          title: 'Price band',
          cell: ({ minPrice, maxPrice }) =>
            minPrice === null ? say('any') : say('{from} to {to}', { from: minPrice, to: maxPrice ?? '–' }),
        },
      ]}
    />
  )
}

function SymbolActions({
  session,
  row,
  onDone,
}: {
  readonly session: PageSession
  readonly row: AdminSymbol
  readonly onDone: () => void
}) {
  const { symbol, state } = row
  const about = say('{symbol} is {state} now.', { symbol, state })
  const parts = { session, fixed: { symbol }, about, onDone }
  const changing = { ...parts, record: row }
  return (
    <div class="actions">
      {state !== 'HALTED' && <Action {...changing} command="symbol halt" label="Halt" isDangerous />}
      {state !== 'CANCEL_ONLY' && <Action {...changing} command="symbol cancel-only" label="Cancel only" />}
      {state !== 'TRADING' && <Action {...changing} command="symbol resume" label="Resume" />}
      <Action {...changing} command="symbol rates" label="Rates" />
      <Action {...changing} command="symbol set" label="Limits" />
      <Action {...parts} command="order cancel-all" label="Cancel all orders" isDangerous />
    </div>
  )
}

function openFor(asset: {
  readonly isDeposit: boolean
  readonly isWithdraw: boolean
  readonly isTrade: boolean
  readonly isSaving: boolean
}): string[] {
  const words: readonly (readonly [boolean, Text])[] = [
    [asset.isDeposit, 'deposits'],
    [asset.isWithdraw, 'withdrawals'],
    [asset.isTrade, 'trading'],
    [asset.isSaving, 'savings'],
  ]
  return words.flatMap(([isOpen, word]) => (isOpen ? [say(word)] : []))
}

function none(limit: string): string {
  return limit === '0' ? say('none') : limit
}
