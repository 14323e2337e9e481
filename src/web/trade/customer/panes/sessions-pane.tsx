/** The sessions of the account: each one can be ended, or all except this one at once. */
import { useEffect } from 'preact/hooks'
import type { AccountData } from '../../../../contract/customers/endpoints.ts'
import { Time } from '../../account/time.tsx'
import { paneTexts } from './pane-texts.ts'
import type { PanesState } from './panes-state.ts'
import { ShownPart } from './shown-part.tsx'

type Session = AccountData<'sessions'>[number]

export function SessionsPane({ panes }: { readonly panes: PanesState }) {
  const { sessions: texts } = paneTexts()
  useEffect(() => void panes.load('sessions'), [])
  return (
    <>
      <p class="trade-hint">{texts.about}</p>
      <ShownPart shown={panes.sessions.value} onAgain={() => void panes.load('sessions')}>
        {(sessions) => (
          <>
            <ul class="account-list">
              {sessions.map((session) => (
                <SessionEntry
                  key={session.id}
                  session={session}
                  isBusy={panes.isBusy.value}
                  onEnd={() => void (session.isThis ? panes.signOut() : panes.endSession(session.id))}
                />
              ))}
            </ul>
            {sessions.length > 1 ? (
              <p>
                <button
                  type="button"
                  disabled={panes.isBusy.value}
                  onClick={() => void panes.endOtherSessions()}
                >
                  {texts.endOthers}
                </button>
              </p>
            ) : (
              <p class="trade-none">{texts.onlyThis}</p>
            )}
          </>
        )}
      </ShownPart>
    </>
  )
}

type SessionEntryProps = {
  readonly session: Session
  readonly isBusy: boolean
  readonly onEnd: () => void
}

function SessionEntry({ session, isBusy, onEnd }: SessionEntryProps) {
  const { sessions: texts, origin } = paneTexts()
  const device = session.device || origin.unknownDevice
  const network = session.network || origin.unknownNetwork
  return (
    <li>
      <div class="account-entry-head">
        <div>
          <strong>{device}</strong> {session.isThis && <span class="account-mark">{texts.isThis}</span>}
          <div class="account-network">{network}</div>
        </div>
        <button
          type="button"
          disabled={isBusy}
          aria-label={session.isThis ? undefined : texts.endOf(device, network)}
          onClick={onEnd}
        >
          {session.isThis ? texts.signOut : texts.end}
        </button>
      </div>
      <dl class="account-facts">
        <Fact name={texts.begun} at={session.createdAt} />
        <Fact name={texts.used} at={session.lastUsedAt} />
        <Fact name={texts.ends} at={session.endsAt} />
      </dl>
    </li>
  )
}

function Fact({ name, at }: { readonly name: string; readonly at: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Time at={at} />
      </dd>
    </div>
  )
}
