/**
 * The search for accounts: a single result that matches a name, customer id or key exactly is opened at once;
 * other results are listed by pages.
 */
import { type Signal, useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type {
  AdminAccountFound,
  AdminAccountSearchPage,
  AdminFoundIn,
} from '../../../../contract/admin/support.ts'
import type { PageSession } from '../../state/page-session.ts'
import { say, type Text } from '../../texts/texts.ts'
import { useAsked } from '../parts/asked.ts'
import { usePages } from '../parts/pages.ts'
import { Pager, Panel, SearchButtons, Shown, Table } from '../parts/parts.tsx'
import { AccountState } from './account-state.tsx'

const PAGE = 50

const FOUND_IN: Readonly<Record<AdminFoundIn, Text>> = {
  NAME: 'name',
  CUSTOMER_ID: 'customer id',
  LABEL: 'label',
  FIELD: 'field',
  REMARK: 'remark',
  API_KEY: 'API key',
  KEY_LABEL: 'key label',
}

export function AccountSearch({
  session,
  wanted,
}: {
  readonly session: PageSession
  /** The search of the list; '' for all accounts. */
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
          <label for={id}>{say('Part of a name, customer id, label, remark or API key')}</label>
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

/** The name of the account if it is the only result and matches the typed text completely. */
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
    <Panel title={say('Search results: {text}', { text })}>
      <Shown asked={found}>
        {({ accounts, next }) => (
          <>
            <p class="help" role="status">
              {countText(accounts.length, next !== null)}
            </p>
            <FoundTable accounts={accounts} />
            <Pager
              back="Previous"
              on={accounts.length < PAGE && next !== null ? 'Search further' : 'Next'}
              {...ways(next ?? undefined)}
            />
          </>
        )}
      </Shown>
    </Panel>
  )
}

/** One request searches a limited number of accounts; a larger exchange has more. */
function countText(count: number, hasMore: boolean): string {
  return hasMore
    ? say('Accounts found so far: {count}. Not all accounts have been searched yet.', { count })
    : say('Accounts found: {count}.', { count })
}

function FoundTable({ accounts }: { readonly accounts: readonly AdminAccountFound[] }) {
  return (
    <Table
      label="Accounts found"
      rows={accounts}
      keyOf={({ name }) => name}
      none="Nothing found."
      columns={[
        { title: 'Name', cell: ({ name }) => <a href={`#accounts/${encodeURIComponent(name)}`}>{name}</a> },
        { title: 'State', cell: (account) => <AccountState account={account} /> },
        { title: 'Found in', cell: ({ foundIn }) => say(FOUND_IN[foundIn]) },
        { title: 'Match', cell: ({ foundText }) => foundText, isText: true },
        { title: 'Customer', cell: ({ customerId }) => customerId || '–' },
      ]}
    />
  )
}
