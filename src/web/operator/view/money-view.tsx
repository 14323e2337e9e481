/**
 * Deposits and withdrawals: pending approvals, pending and finished withdrawals, and one transfer by its
 * reference.
 */
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { AdminApproval, AdminWithdrawal } from '../../../contract/admin/records.ts'
import { shownApprovalText } from '../../../contract/admin/session.ts'
import { decimalText, timeText } from '../state/notation.ts'
import type { PageSession } from '../state/page-session.ts'
import { say } from '../texts/texts.ts'
import { Action } from './parts/action.tsx'
import { Actions } from './parts/actions.tsx'
import { useAsked } from './parts/asked.ts'
import { LongTable } from './parts/long-table.tsx'
import { Facts, Panel, Shown } from './parts/parts.tsx'

type Parts<Row> = {
  readonly session: PageSession
  readonly rows: readonly Row[]
  readonly onDone: () => void
}

export function MoneyView({ session }: { readonly session: PageSession }) {
  const approvals = useAsked(session, 'approval/list', {})
  const withdrawals = useAsked(session, 'withdrawal/list', {})
  const ended = useAsked(session, 'withdrawal/ended', { limit: 50 })
  const onDone = () => {
    approvals.again()
    withdrawals.again()
    ended.again()
  }
  const parts = { session, onDone }
  return (
    <div class="stack">
      <Panel
        title="Pending approvals"
        actions={
          <>
            <Action {...parts} command="credit" label="Credit" />
            <Action {...parts} command="debit" label="Debit" isDangerous />
            <Action {...parts} command="move" label="Move" />
            <Action {...parts} command="house payout" label="Pay out commission" isDangerous />
          </>
        }
      >
        <Shown asked={approvals}>{(rows) => <Approvals {...parts} rows={rows} />}</Shown>
      </Panel>
      <Panel
        title="Pending withdrawals"
        actions={<Action {...parts} command="withdrawal hold" label="Create withdrawal" />}
      >
        <Shown asked={withdrawals}>
          {(rows) => (
            <>
              {rows.length > 0 && <Claims rows={rows} />}
              <Withdrawals {...parts} rows={rows} />
            </>
          )}
        </Shown>
      </Panel>
      <Panel title="Withdrawal history">
        <Shown asked={ended}>
          {({ withdrawals: rows }) => (
            <LongTable
              label="Withdrawal history"
              rows={rows}
              keyOf={({ reference }) => reference}
              none="No withdrawal has been completed or canceled yet."
              columns={[
                { title: 'Reference', cell: ({ reference }) => reference },
                { title: 'Account', cell: ({ account }) => <AccountLink name={account} /> },
                { title: 'Amount', isFigure: true, isFirst: true, cell: ({ amount }) => decimalText(amount) },
                { title: 'Asset', isFirst: true, cell: ({ asset }) => asset },
                { title: 'Result', cell: ({ outcome }) => outcome },
                { title: 'Ended, UTC', cell: ({ endedAt }) => timeText(endedAt) },
                { title: 'By', cell: ({ by }) => by },
                { title: 'Note', isText: true, cell: ({ note }) => note || '–' },
              ]}
            />
          )}
        </Shown>
      </Panel>
      <Transfer session={session} />
    </div>
  )
}

function Approvals({ session, rows, onDone }: Parts<AdminApproval>) {
  return (
    <LongTable
      label="Pending approvals"
      rows={rows}
      keyOf={({ reference }) => reference}
      none="Nothing is waiting for approval."
      columns={[
        { title: 'Reference', cell: ({ reference }) => reference },
        { title: 'Kind', cell: ({ kind }) => kind },
        { title: 'Account', cell: ({ account }) => <AccountLink name={account} /> },
        { title: 'Amount', isFigure: true, isFirst: true, cell: ({ amount }) => decimalText(amount) },
        { title: 'Asset', isFirst: true, cell: ({ asset }) => asset },
        { title: 'Requested by', cell: ({ requestedBy }) => requestedBy },
        { title: 'Note', isText: true, cell: ({ note }) => note || '–' },
        {
          title: 'Approved by',
          cell: ({ approvedBy, needed }) => approvalsText(approvedBy, needed),
        },
        { title: 'May approve', cell: ({ mayApprove }) => mayApprove.join(', ') || say('nobody') },
        { title: 'Expires, UTC', cell: ({ expiresAt }) => timeText(expiresAt) },
        {
          title: 'Action',
          isFirst: true,
          cell: (row) => {
            const { reference, kind, amount, asset, account, requestedBy } = row
            const about = say('{kind} of {amount} {asset}, account {account}, requested by {who}.', {
              ...{ kind, asset, account, amount: decimalText(amount), who: requestedBy },
            })
            const answer = { session, fixed: { reference }, about, shownText: shownApprovalText(row), onDone }
            return (
              <div class="actions">
                <Action {...answer} command="approval approve" label="Approve" />
                <Action {...answer} command="approval reject" label="Reject" isDangerous />
              </div>
            )
          },
        },
      ]}
    />
  )
}

function Withdrawals({ session, rows, onDone }: Parts<AdminWithdrawal>) {
  return (
    <LongTable
      label="Pending withdrawals"
      textOf={({ reference, account, asset, asked }) =>
        [reference, account, asset, asked?.address].join('\n')
      }
      rows={rows}
      keyOf={({ reference }) => reference}
      none="No withdrawal is pending."
      columns={[
        { title: 'Reference', cell: ({ reference }) => reference },
        { title: 'Account', cell: ({ account }) => <AccountLink name={account} /> },
        { title: 'Amount', isFigure: true, isFirst: true, cell: ({ amount }) => decimalText(amount) },
        { title: 'Asset', isFirst: true, cell: ({ asset }) => asset },
        { title: 'To', cell: ({ asked }) => destination(asked) },
        {
          title: 'Claimed at, UTC',
          cell: ({ asked }) => (asked?.claimedAt ? timeText(asked.claimedAt) : '–'),
        },
        { title: 'Claimed by', cell: ({ asked }) => claimersText(asked) },
        { title: 'Rejected', cell: ({ rejected }) => rejectionText(rejected) },
        { title: 'Requested, UTC', cell: ({ requestedAt }) => timeText(requestedAt) },
        {
          title: 'Action',
          isFirst: true,
          cell: ({ reference, amount, asset, account, asked, waits }) => {
            if (waits !== null)
              return say('{kind}, requested by {who}: waiting for approval', {
                ...{ kind: waits.kind, who: waits.requestedBy },
              })
            const what = { amount: decimalText(amount), asset, account }
            const about =
              asked === null
                ? say('{amount} {asset}, account {account}.', what)
                : say('{amount} {asset}, account {account}, to {address}.', {
                    ...what,
                    address: destination(asked),
                  })
            const parts = { session, fixed: { reference }, about, onDone }
            const isUnclaimed = asked !== null && asked.claimedAt === null
            return (
              <div class="actions">
                {isUnclaimed ? (
                  <Action {...parts} command="withdrawal claim" label="Claim" />
                ) : (
                  <Action {...parts} command="withdrawal complete" label="Complete" />
                )}
                {asked === null ? (
                  <Action {...parts} command="withdrawal cancel" label="Cancel" isDangerous />
                ) : (
                  <Action {...parts} command="withdrawal refuse" label="Refuse" isDangerous />
                )}
              </div>
            )
          },
        },
      ]}
    />
  )
}

/** The number of claimed withdrawals by claimant, so that no withdrawal is paid twice. */
function Claims({ rows }: { readonly rows: readonly AdminWithdrawal[] }) {
  const countBy = new Map<string, number>()
  let unclaimed = 0
  for (const { asked } of rows) {
    if (asked === null) continue
    if (asked.claimedAt === null) unclaimed++
    else countBy.set(asked.claimedBy ?? '–', (countBy.get(asked.claimedBy ?? '–') ?? 0) + 1)
  }
  const claimed = [...countBy].map(([who, count]) => say('{count} by {who}', { count, who })).join(', ')
  return (
    <p class="help" role="status">
      {say('Pending: {count}. Not claimed: {unclaimed}. Claimed: {claimed}.', {
        ...{ count: rows.length, unclaimed, claimed: claimed || say('none') },
      })}
    </p>
  )
}

function approvalsText(approvedBy: readonly string[], needed: number): string {
  const who = approvedBy.join(', ') || say('nobody')
  return say('{who} ({count} of {needed})', { who, count: approvedBy.length, needed })
}

function claimersText(asked: AdminWithdrawal['asked']): string {
  if (asked === null || asked.claimedBy === null) return '–'
  const { claimedBy, approvedBy } = asked
  return approvedBy.length === 0
    ? claimedBy
    : say('{who}, approved by {others}', { who: claimedBy, others: approvedBy.join(', ') })
}

/** The last step of the transfer that was rejected. */
function rejectionText(rejected: AdminWithdrawal['rejected']): string {
  if (rejected === null) return '–'
  const { kind, requestedBy, rejectedBy, rejectedAt, note } = rejected
  const what = say('{kind} requested by {who}, rejected by {other}, {time} UTC', {
    ...{ kind, who: requestedBy, other: rejectedBy, time: timeText(rejectedAt) },
  })
  return note === '' ? what : `${what}: ${note}`
}

/** The destination that the trader requested. */
function destination(asked: AdminWithdrawal['asked']): string {
  if (asked === null) return '–'
  return asked.tag === ''
    ? asked.address
    : say('{address}, tag {tag}', { address: asked.address, tag: asked.tag })
}

function Transfer({ session }: { readonly session: PageSession }) {
  const id = useId()
  const reference = useSignal('')
  const transfer = useAsked(
    session,
    'transfer/show',
    reference.value === '' ? undefined : { reference: reference.value },
  )
  return (
    <Panel title="Find a transfer">
      <search>
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault()
            reference.value = String(new FormData(event.currentTarget).get('reference')).trim()
          }}
        >
          <div class="field">
            <label for={id}>{say('Reference')}</label>
            <input id={id} name="reference" required autocomplete="off" spellcheck={false} />
          </div>
          <button type="submit" class="primary">
            {say('Find')}
          </button>
        </form>
      </search>
      {reference.value !== '' && (
        <Shown asked={transfer}>
          {({ state, account, asset, amount, actions }) => (
            <>
              <Facts
                pairs={[
                  ['State', state],
                  ['Account', account ?? say('the house')],
                  ['Amount', amount === null ? '–' : `${decimalText(amount)} ${asset}`],
                ]}
              />
              <Actions label="Commands with this reference" actions={actions} />
            </>
          )}
        </Shown>
      )}
    </Panel>
  )
}

function AccountLink({ name }: { readonly name: string }) {
  return name === '' ? '–' : <a href={`#accounts/${encodeURIComponent(name)}`}>{name}</a>
}
