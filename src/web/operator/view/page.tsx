/** The whole page: the operator, the views, and whether the node is answering. */
import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentChild, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { PageSession } from '../state/page-session.ts'
import { say, type Text } from '../texts/texts.ts'
import { AccountsView } from './accounts/accounts-view.tsx'
import { AuditView } from './audit-view.tsx'
import { BansView } from './bans-view.tsx'
import { CommandsView } from './commands-view.tsx'
import { ContactNotice } from './contact-notice.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { Login } from './login.tsx'
import { LoginAgain } from './login-again.tsx'
import { MarketsView } from './markets-view.tsx'
import { MoneyView } from './money-view.tsx'
import { OperatorsView } from './operators-view.tsx'
import { NoLead } from './overview/no-lead.tsx'
import { OverviewView } from './overview/overview-view.tsx'
import { ActionForm } from './parts/action-form.tsx'
import { ActionHost, type OpenAction } from './parts/action-host.ts'
import { commandOf } from './parts/action-parts.ts'
import { SessionEnd } from './session-end.tsx'

type ViewParts = { readonly session: PageSession; readonly rest: string }

/** By the word after `#`. */
const VIEWS: readonly {
  readonly id: string
  readonly title: Text
  readonly view: (parts: ViewParts) => ComponentChild
}[] = [
  {
    id: 'overview',
    title: 'Overview',
    view: ({ session }) => <OverviewView session={session} />,
  },
  { id: 'markets', title: 'Markets', view: ({ session }) => <MarketsView session={session} /> },
  {
    id: 'accounts',
    title: 'Accounts',
    view: ({ session, rest }) => <AccountsView session={session} name={rest} />,
  },
  { id: 'money', title: 'Money', view: ({ session }) => <MoneyView session={session} /> },
  { id: 'audit', title: 'Audit trail', view: ({ session }) => <AuditView session={session} /> },
  { id: 'bans', title: 'Bans', view: ({ session }) => <BansView session={session} /> },
  { id: 'operators', title: 'Operators', view: ({ session }) => <OperatorsView session={session} /> },
  { id: 'commands', title: 'All commands', view: ({ session }) => <CommandsView session={session} /> },
]

export function Page({ session }: { readonly session: PageSession }) {
  const state = session.state.value
  const owner = session.owner.value
  const isAgain = useSignal(false)
  useSignalEffect(() => {
    // Another session has begun, or the last one has ended: the repeated login is closed.
    void session.state.value?.csrf
    isAgain.value = false
  })
  const isOpen = state !== null && state !== undefined
  const isStranger = state === null && owner === ''
  const isAway = session.contact.value.kind === 'AWAY'
  const hasLoggedIn = useRef(false)
  if (isStranger) hasLoggedIn.current = true
  return (
    <>
      <div class="notices">
        <ContactNotice session={session} />
        {isOpen && (
          <SessionEnd
            session={session}
            onAgain={() => {
              isAgain.value = true
            }}
          />
        )}
      </div>
      {state === undefined && <p class="empty-text">{say('Asking the node …')}</p>}
      {owner !== '' && (
        <div class="workspace" key={owner} hidden={!isOpen}>
          <Workspace session={session} takesFocus={hasLoggedIn.current} />
        </div>
      )}
      {isStranger && (isAway ? <NoLead session={session} /> : <Login session={session} />)}
      {owner !== '' && (state === null || isAgain.value) && (
        <LoginAgain
          session={session}
          onClose={() => {
            isAgain.value = false
          }}
        />
      )}
    </>
  )
}

function Workspace({
  session,
  takesFocus,
}: {
  readonly session: PageSession
  /** It replaces the login, which had the focus. */
  readonly takesFocus: boolean
}) {
  const hash = useSignal(location.hash)
  const main = useRef<HTMLElement>(null)
  const open = useSignal<OpenAction | undefined>(undefined)
  useLayoutEffect(() => {
    if (takesFocus) main.current?.focus()
  }, [])
  useEffect(() => {
    const follow = () => {
      hash.value = location.hash
      main.current?.focus()
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [hash])
  const [id = '', ...rest] = hash.value.replace(/^#/, '').split('/')
  const [overview] = VIEWS
  const current = VIEWS.find((one) => one.id === id) ?? overview
  if (current === undefined) return null
  return (
    <ActionHost.Provider value={open}>
      <a class="skip" href={`#${current.id}`}>
        {say('Skip to {view}', { view: say(current.title) })}
      </a>
      <Top session={session} current={current.id} />
      <main
        id={current.id}
        ref={main}
        tabIndex={-1}
        aria-labelledby="view-title"
        data-answering={session.contact.value.kind === 'ANSWERS'}
      >
        <h1 id="view-title">{say(current.title)}</h1>
        {current.view({ session, rest: decodeURIComponent(rest.join('/')) })}
      </main>
      <OpenDialog open={open} main={main} />
    </ActionHost.Provider>
  )
}

function OpenDialog({
  open,
  main,
}: {
  readonly open: Signal<OpenAction | undefined>
  readonly main: RefObject<HTMLElement>
}) {
  if (open.value === undefined) return null
  const { parts, button } = open.value
  const close = () => {
    open.value = undefined
    const isThere = button?.isConnected === true
    if (isThere) button.focus()
    else main.current?.focus()
  }
  return <ActionForm {...parts} command={commandOf(parts.command)} onClose={close} />
}

function Top({ session, current }: { readonly session: PageSession; readonly current: string }) {
  const state = session.state.value
  return (
    <header class="top">
      <p class="brand">
        <svg viewBox="0 0 20 21" aria-hidden="true">
          <path class="mark-buy" d="M0 0h9v4H0zM0 6h14v4H0z" />
          <path class="mark-sell" d="M6 12h14v4H6zM11 18h9v3h-9z" />
        </svg>
        <span>Bourse</span> <span class="soft">{say('operator')}</span>
      </p>
      <nav aria-label={say('Views')}>
        {VIEWS.map(({ id, title }) => (
          <a key={id} href={`#${id}`} aria-current={id === current ? 'page' : undefined}>
            {say(title)}
          </a>
        ))}
      </nav>
      <div class="who">
        <LanguageChoice />
        <span>
          {state?.name} <span class="soft">{state?.role}</span>
        </span>
        <button type="button" onClick={() => void session.end()}>
          {say('Log out')}
        </button>
      </div>
    </header>
  )
}
