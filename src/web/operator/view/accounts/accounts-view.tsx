/** Accounts: searched by any part of their data, listed, and one of them in detail. */
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { AdminAccount } from '../../../../contract/admin/records.ts'
import { printable } from '../../../../units/printable.ts'
import { timeText } from '../../state/notation.ts'
import type { PageSession } from '../../state/page-session.ts'
import { say } from '../../texts/texts.ts'
import { Action } from '../parts/action.tsx'
import { useAsked } from '../parts/asked.ts'
import { usePages } from '../parts/pages.ts'
import { Pager, Panel, Shown, Table } from '../parts/parts.tsx'
import { AccountSearch, FoundAccounts } from './account-search.tsx'
import { AccountState } from './account-state.tsx'
import { AccountStory } from './account-story.tsx'

const PAGE = 50

export function AccountsView({ session, name }: { readonly session: PageSession; readonly name: string }) {
  const wanted = useSignal('')
  const text = wanted.value
  const list =
    text === '' ? (
      <AccountList session={session} />
    ) : (
      <FoundAccounts key={text} session={session} text={text} />
    )
  return (
    <div class="stack">
      <AccountSearch session={session} wanted={wanted} />
      {name === '' ? list : <AccountStory session={session} name={name} />}
    </div>
  )
}

function AccountList({ session }: { readonly session: PageSession }) {
  const labelId = useId()
  const label = useSignal('')
  const { after, ways, restart } = usePages()
  const request = {
    limit: PAGE,
    ...(after === undefined ? {} : { after }),
    ...(label.value === '' ? {} : { label: label.value }),
  }
  const accounts = useAsked(session, 'account/list', request)
  return (
    <Panel
      title="Accounts"
      actions={
        <Action session={session} command="account add" label="Open account" onDone={accounts.again} />
      }
    >
      <div class="row">
        <div class="field">
          <label for={labelId}>{say('Show only this label')}</label>
          <input
            id={labelId}
            value={label.value}
            onChange={({ currentTarget }) => {
              restart()
              label.value = currentTarget.value.trim()
            }}
          />
        </div>
      </div>
      <Shown asked={accounts}>
        {(rows) => (
          <>
            <Accounts rows={rows} />
            <Pager back="Previous" on="Next" {...ways(rows.length < PAGE ? undefined : rows.at(-1)?.name)} />
          </>
        )}
      </Shown>
    </Panel>
  )
}

function Accounts({ rows }: { readonly rows: readonly AdminAccount[] }) {
  return (
    <Table
      label="Accounts"
      rows={rows}
      keyOf={({ name }) => name}
      none="There are no accounts here."
      columns={[
        {
          title: 'Name',
          cell: ({ name }) => <a href={`#accounts/${encodeURIComponent(name)}`}>{printable(name)}</a>,
        },
        { title: 'Role', cell: ({ role }) => role },
        { title: 'State', cell: (account) => <AccountState account={account} /> },
        { title: 'Customer', cell: ({ customerId }) => customerId || '–' },
        { title: 'Labels', cell: ({ labels }) => labels.join(', ') || '–' },
        { title: 'Fee tier', cell: ({ feeTier }) => feeTier ?? '–' },
        {
          title: 'Opened, UTC',
          cell: ({ createdAt }) =>
            Date.parse(createdAt) === 0 ? say('from the start') : timeText(createdAt),
        },
      ]}
    />
  )
}
