/** Events of the account: sign-ins, and changes of the ways to sign in. */
import { useEffect } from 'preact/hooks'
import { wordOf } from '../../account/history/choice.tsx'
import { Time } from '../../account/time.tsx'
import { paneTexts } from './pane-texts.ts'
import type { PanesState } from './panes-state.ts'
import { ShownPart } from './shown-part.tsx'

/** Entries that a person should check. */
const ALARMING: readonly string[] = ['SIGN_IN_FAILED', 'STEP_UP_FAILED']

export function HistoryPane({ panes }: { readonly panes: PanesState }) {
  const { history: texts, origin } = paneTexts()
  useEffect(() => void panes.load('history'), [])
  const unlock = {
    note: texts.locked,
    text: texts.unlock,
    isBusy: panes.isBusy.value,
    onUnlock: () => void panes.unlockHistory(),
  }
  return (
    <>
      <p class="trade-hint">{texts.about}</p>
      <p class="trade-hint">{texts.isUnknown}</p>
      <ShownPart shown={panes.history.value} onAgain={() => void panes.load('history')} unlock={unlock}>
        {(entries) =>
          entries.length === 0 ? (
            <p class="trade-none">{texts.none}</p>
          ) : (
            <ol class="account-list">
              {entries.map(({ at, kind, device, network, reason }, index) => (
                // There may be several in one millisecond.
                <li key={`${at} ${index}`}>
                  <div class="account-entry-head">
                    <strong class={ALARMING.includes(kind) ? 'trade-problem' : undefined}>
                      {wordOf(texts.events, kind)}
                    </strong>
                    <Time at={at} />
                  </div>
                  <div class="account-network">
                    {reason ?? `${device || origin.unknownDevice}, ${network || origin.unknownNetwork}`}
                  </div>
                </li>
              ))}
            </ol>
          )
        }
      </ShownPart>
    </>
  )
}
