/** The search of the accounts: one of that very name, customer id or key alone opens at once, others are listed, a page at a time. */
import { type Signal, useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type {
  AdminAccountFound,
  AdminAccountSearchPage,
  AdminFoundIn,
} from '../../../../wire/admin-support.ts'
import type { PageSession } from '../../state/page-session.ts'
import { useAsked } from '../parts/asked.ts'
import { usePages } from '../parts/pages.ts'
import { Pager, Panel, SearchButtons, Shown, Table } from '../parts/parts.tsx'
import { AccountState } from './account-state.tsx'

const PAGE = 50

const FOUND_IN: Readonly<Record<AdminFoundIn, string>> = {
  NAME: 'name',
  CUSTOMER_ID: 'customer id',
  LABEL: 'label',
  FIELD: 'field',
  REMARK: 'remark',
  API_KEY: 'API key',
  KEY_LABEL: 'label of a key',
}

export function AccountSearch({
  session,
  wanted,
}: {
  readonly session: PageSession
  /** What is listed; '': all accounts. */
  readonly wanted: Signal<string>
}) {
  const id = useId()
  const text = useSignal('')
  const look = async () => {
    const typed = text.value.trim()
    wanted.value = typed
    const answer = await session.ask('account/search', { text: typed, limit: 2 })
    const only = answer.ok ? onlyOne(answer.result, typed) : undefined
    location.hash = only === undefined ? 'accounts' : `accounts/${encodeURIComponent(only)}`
  }
  return (
    <search>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          void look()
        }}
        onReset={() => {
          text.value = ''
          wanted.value = ''
        }}
      >
        <div class="field">
          <label for={id}>A part of a name, customer id, label, remark or API key</label>
          <input
            id={id}
            type="search"
            required
            autocomplete="off"
            spellcheck={false}
            value={text.value}
            onInput={({ currentTarget }) => {
              text.value = currentTarget.value
            }}
          />
        </div>
        <SearchButtons />
      </form>
    </search>
  )
}

/** The name of the account that is the only one found, and by the whole of what was typed. */
function onlyOne({ accounts, next }: AdminAccountSearchPage, typed: string): string | undefined {
  const [one, ...others] = accounts
  return one?.foundText === typed && others.length === 0 && next === null ? one.name : undefined
}

export function FoundAccounts({ session, text }: { readonly session: PageSession; readonly text: string }) {
  const { after, ways } = usePages()
  const found = useAsked(session, 'account/search', {
    text,
    limit: PAGE,
    ...(after === undefined ? {} : { after }),
  })
  return (
    <Panel title={`Found: ${text}`}>
      <Shown asked={found}>
        {({ accounts, next }) => (
          <>
            <p class="help" role="status">
              {countText(accounts.length, next !== null)}
            </p>
            <FoundTable accounts={accounts} />
            <Pager
              back="Before"
              on={accounts.length < PAGE && next !== null ? 'Look further' : 'More'}
              {...ways(next ?? undefined)}
            />
          </>
        )}
      </Shown>
    </Panel>
  )
}

/** One question looks at so many accounts of an exchange that has more. */
function countText(count: number, hasMore: boolean): string {
  const accounts = count === 1 ? '1 account' : `${count} accounts`
  return hasMore ? `${accounts} so far: not all accounts were looked at.` : `${accounts}.`
}

function FoundTable({ accounts }: { readonly accounts: readonly AdminAccountFound[] }) {
  return (
    <Table
      label="Accounts found"
      rows={accounts}
      keyOf={({ name }) => name}
      none="None."
      columns={[
        { title: 'Name', cell: ({ name }) => <a href={`#accounts/${encodeURIComponent(name)}`}>{name}</a> },
        { title: 'State', cell: (account) => <AccountState account={account} /> },
        { title: 'Found in', cell: ({ foundIn }) => FOUND_IN[foundIn] },
        { title: 'What', cell: ({ foundText }) => foundText, isText: true },
        { title: 'Customer', cell: ({ customerId }) => customerId || '–' },
      ]}
    />
  )
}
