/** Symbols with their state, and the phase of the whole exchange. */
import type { AdminExchange, AdminSymbol } from '../../../wire/admin-records.ts'
import type { PageSession } from '../state/page-session.ts'
import { timeText } from '../state/words.ts'
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
        actions={
          <Action session={session} command="symbol add" label="List a symbol" onDone={symbols.again} />
        }
      >
        <Shown asked={symbols}>
          {(rows) => <Symbols session={session} rows={rows} onDone={symbols.again} />}
        </Shown>
      </Panel>
      <Panel
        title="Assets"
        actions={<Action session={session} command="asset add" label="List an asset" onDone={assets.again} />}
      >
        <Shown asked={assets}>
          {(rows) => (
            <LongTable
              label="Assets"
              rows={rows}
              keyOf={({ code }) => code}
              none="No asset is listed yet."
              columns={[
                { title: 'Asset', cell: ({ code }) => code },
                { title: 'Name', cell: ({ name }) => name },
                { title: 'Decimals', isFigure: true, cell: ({ fraction }) => fraction },
                { title: 'Open for', cell: (asset) => openFor(asset).join(', ') || 'nothing' },
                { title: 'Supply cap', isFigure: true, cell: ({ supplyCap }) => none(supplyCap) },
                { title: 'One credit', isFigure: true, cell: ({ creditMax }) => none(creditMax) },
                {
                  title: 'Two people above',
                  isFigure: true,
                  cell: ({ approvalAbove }) => none(approvalAbove),
                },
                {
                  title: 'Change',
                  cell: ({ code }) => (
                    <Action
                      session={session}
                      command="asset set"
                      label="Set"
                      fixed={{ code }}
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
      <Action {...parts} command="exchange halt" label="Halt all" isDangerous />
      <Action {...parts} command="exchange close" label="Close" isDangerous />
      <Action {...parts} command="exchange open" label="Open" />
      <Action {...parts} command="exchange plan" label="Plan" />
      <Action {...parts} command="exchange unplan" label="End the plan" />
    </>
  )
}

function Phase({ exchange: { phase, since, by, note, planned } }: { readonly exchange: AdminExchange }) {
  const steps = planned.map((step) => `${step.phase} from ${timeText(step.at)} UTC, by ${step.by}`)
  return (
    <Facts
      pairs={[
        ['Phase', <State key="phase" word={phase} kind={phase === 'TRADING' ? 'good' : 'warn'} />],
        ['Since', since === null ? 'the beginning' : `${timeText(since)} UTC`],
        ['By', by || '–'],
        ['Why', note || '–'],
        ['Planned', steps.join('; ') || 'nothing'],
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
      none="No symbol is listed yet."
      columns={[
        { title: 'Symbol', cell: ({ symbol }) => symbol },
        {
          title: 'State',
          cell: ({ state }) => <State word={state} kind={state === 'TRADING' ? 'good' : 'warn'} />,
        },
        { title: 'Change', cell: (row) => <SymbolActions session={session} row={row} onDone={onDone} /> },
        { title: 'Taker', isFigure: true, cell: ({ takerRate }) => takerRate },
        { title: 'Maker', isFigure: true, cell: ({ makerRate }) => makerRate },
        { title: 'Tick', isFigure: true, cell: ({ tickSize }) => tickSize },
        { title: 'Step', isFigure: true, cell: ({ stepSize }) => stepSize },
        { title: 'Least quantity', isFigure: true, cell: ({ minQuantity }) => minQuantity },
        { title: 'Least total', isFigure: true, cell: ({ minTotal }) => minTotal },
        {
          title: 'Prices',
          cell: ({ minPrice, maxPrice }) => (minPrice === null ? 'any' : `${minPrice} to ${maxPrice}`),
        },
      ]}
    />
  )
}

function SymbolActions({
  session,
  row: { symbol, state },
  onDone,
}: {
  readonly session: PageSession
  readonly row: AdminSymbol
  readonly onDone: () => void
}) {
  const parts = { session, fixed: { symbol }, about: `${symbol} is ${state} now.`, onDone }
  return (
    <div class="actions">
      {state !== 'HALTED' && <Action {...parts} command="symbol halt" label="Halt" isDangerous />}
      {state !== 'CANCEL_ONLY' && <Action {...parts} command="symbol cancel-only" label="Cancel only" />}
      {state !== 'TRADING' && <Action {...parts} command="symbol resume" label="Resume" />}
      <Action {...parts} command="symbol rates" label="Rates" />
      <Action {...parts} command="symbol set" label="Limits" />
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
  const words = [
    [asset.isDeposit, 'deposit'],
    [asset.isWithdraw, 'withdrawal'],
    [asset.isTrade, 'trade'],
    [asset.isSaving, 'saving'],
  ] as const
  return words.flatMap(([isOpen, word]) => (isOpen ? [word] : []))
}

function none(limit: string): string {
  return limit === '0' ? 'none' : limit
}
