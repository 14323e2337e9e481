/** Money in and out: what waits for a second person, withdrawals that wait and that ended, and one transfer by its reference. */
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { AdminApproval, AdminWithdrawal } from '../../../wire/admin-records.ts'
import { shownApprovalText } from '../../../wire/admin-session.ts'
import type { PageSession } from '../state/page-session.ts'
import { decimalText, timeText } from '../state/words.ts'
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
        title="Waits for a second person"
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
        title="Withdrawals that wait"
        actions={<Action {...parts} command="withdrawal hold" label="Hold a withdrawal" />}
      >
        <Shown asked={withdrawals}>{(rows) => <Withdrawals {...parts} rows={rows} />}</Shown>
      </Panel>
      <Panel title="Withdrawals that ended">
        <Shown asked={ended}>
          {({ withdrawals: rows }) => (
            <LongTable
              label="Withdrawals that ended"
              rows={rows}
              keyOf={({ reference }) => reference}
              none="None has ended."
              columns={[
                { title: 'Reference', cell: ({ reference }) => reference },
                { title: 'Account', cell: ({ account }) => <AccountLink name={account} /> },
                { title: 'Amount', isFigure: true, cell: ({ amount }) => decimalText(amount) },
                { title: 'Asset', cell: ({ asset }) => asset },
                { title: 'Outcome', cell: ({ outcome }) => outcome },
                { title: 'Ended, UTC', cell: ({ endedAt }) => timeText(endedAt) },
                { title: 'By', cell: ({ by }) => by },
                { title: 'Why', cell: ({ note }) => note || '–' },
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
      label="Waits for a second person"
      rows={rows}
      keyOf={({ reference }) => reference}
      none="Nothing waits for approval."
      columns={[
        { title: 'Reference', cell: ({ reference }) => reference },
        { title: 'What', cell: ({ kind }) => kind },
        { title: 'Account', cell: ({ account }) => <AccountLink name={account} /> },
        { title: 'Amount', isFigure: true, cell: ({ amount }) => decimalText(amount) },
        { title: 'Asset', cell: ({ asset }) => asset },
        { title: 'Asked for by', cell: ({ requestedBy }) => requestedBy },
        { title: 'Why', cell: ({ note }) => note || '–' },
        {
          title: 'Approved by',
          cell: ({ approvedBy, needed }) =>
            `${approvedBy.join(', ') || 'nobody'} (${approvedBy.length} of ${needed})`,
        },
        { title: 'May approve', cell: ({ mayApprove }) => mayApprove.join(', ') || 'nobody' },
        { title: 'Until, UTC', cell: ({ expiresAt }) => timeText(expiresAt) },
        {
          title: 'Answer',
          cell: (row) => {
            const { reference, kind, amount, asset, account, requestedBy } = row
            const about = `${kind} of ${decimalText(amount)} ${asset}, account ${account}, asked for by ${requestedBy}.`
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
      label="Withdrawals that wait"
      textOf={({ reference, account, asset, asked }) =>
        [reference, account, asset, asked?.address].join('\n')
      }
      rows={rows}
      keyOf={({ reference }) => reference}
      none="No withdrawal waits."
      columns={[
        { title: 'Reference', cell: ({ reference }) => reference },
        { title: 'Account', cell: ({ account }) => <AccountLink name={account} /> },
        { title: 'Amount', isFigure: true, cell: ({ amount }) => decimalText(amount) },
        { title: 'Asset', cell: ({ asset }) => asset },
        { title: 'To', cell: ({ asked }) => destination(asked) },
        { title: 'Claimed, UTC', cell: ({ asked }) => (asked?.claimedAt ? timeText(asked.claimedAt) : '–') },
        { title: 'Claimed by', cell: ({ asked }) => claimersText(asked) },
        { title: 'Rejected', cell: ({ rejected }) => rejectionText(rejected) },
        { title: 'Since, UTC', cell: ({ requestedAt }) => timeText(requestedAt) },
        {
          title: 'Answer',
          cell: ({ reference, amount, asset, account, asked, waits }) => {
            if (waits !== null) return `${waits.kind}, asked for by ${waits.requestedBy}, waits for approval`
            const to = asked === null ? '' : ` to ${destination(asked)}`
            const about = `${decimalText(amount)} ${asset} of ${account}${to}.`
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

function claimersText(asked: AdminWithdrawal['asked']): string {
  if (asked === null || asked.claimedBy === null) return '–'
  const { claimedBy, approvedBy } = asked
  return approvedBy.length === 0 ? claimedBy : `${claimedBy}, approved by ${approvedBy.join(', ')}`
}

/** The last that was asked of it and that somebody rejected. */
function rejectionText(rejected: AdminWithdrawal['rejected']): string {
  if (rejected === null) return '–'
  const { kind, requestedBy, rejectedBy, rejectedAt, note } = rejected
  const why = note === '' ? '' : `: ${note}`
  return `${kind} of ${requestedBy}, by ${rejectedBy}, ${timeText(rejectedAt)}${why}`
}

/** Where its trader wants it to go. */
function destination(asked: AdminWithdrawal['asked']): string {
  if (asked === null) return '–'
  return asked.tag === '' ? asked.address : `${asked.address}, tag ${asked.tag}`
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
    <Panel title="A transfer by its reference">
      <search>
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault()
            reference.value = String(new FormData(event.currentTarget).get('reference')).trim()
          }}
        >
          <div class="field">
            <label for={id}>Reference</label>
            <input id={id} name="reference" required autocomplete="off" spellcheck={false} />
          </div>
          <button type="submit" class="primary">
            Look
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
                  ['Account', account ?? 'the house'],
                  ['Amount', amount === null ? '–' : `${decimalText(amount)} ${asset}`],
                ]}
              />
              <Actions label="What was ordered under this reference" actions={actions} />
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
