/** The ways to sign in, the recovery codes, and the freeze. */
import { useState } from 'preact/hooks'
import { Confirm } from '../../../view/confirm.tsx'
import { CodeList } from '../code-list.tsx'
import { paneTexts } from '../pane-texts.ts'
import type { PanesState } from '../panes-state.ts'
import { ShownPart } from '../shown-part.tsx'
import { AppForm } from './app-form.tsx'
import { FactorsFlow, type FactorsProps } from './factors-flow.ts'
import { PasskeyForm, PasskeysPart, RenameForm } from './passkeys-part.tsx'
import { PasswordForm, PasswordPart } from './password-part.tsx'

export function SecurityPane({ panes }: { readonly panes: PanesState }) {
  const [factors] = useState(() => new FactorsFlow(panes))
  const isBusy = panes.isBusy.value
  const parts = { factors, isBusy }
  const { codes: texts } = paneTexts()
  switch (factors.step.value) {
    case 'PASSKEY':
      return <PasskeyForm {...parts} />
    case 'RENAME':
      return <RenameForm {...parts} />
    case 'PASSWORD':
      return <PasswordForm {...parts} />
    case 'APP':
      return <AppForm {...parts} />
    case 'CODES':
      return (
        <CodeList
          codes={factors.codes.value}
          note={texts.note}
          saved={texts.saved}
          onSaved={() => factors.show('LIST')}
        />
      )
    case 'LIST':
      return (
        <>
          <ShownPart shown={panes.me.value} onAgain={() => void panes.load('me')}>
            {(me) => (
              <>
                <PasskeysPart {...parts} me={me} />
                <PasswordPart {...parts} me={me} />
                <section>
                  <h3>{texts.title}</h3>
                  <p class="trade-hint">{texts.about}</p>
                  <p class={me.recoveryCodes === 0 ? 'trade-stale' : undefined}>
                    {me.recoveryCodes === 0 ? texts.none : texts.left(String(me.recoveryCodes))}
                  </p>
                  <p>
                    <button type="button" disabled={isBusy} onClick={() => void factors.newCodes()}>
                      {texts.make}
                    </button>
                  </p>
                </section>
              </>
            )}
          </ShownPart>
          <FreezePart {...parts} />
        </>
      )
  }
}

function FreezePart({ factors, isBusy }: FactorsProps) {
  const { freezing: texts } = paneTexts()
  const { asksFreeze } = factors
  return (
    <section>
      <h3>{texts.title}</h3>
      <p class="trade-hint">{texts.about}</p>
      <p>
        <button
          type="button"
          disabled={isBusy}
          onClick={() => {
            asksFreeze.value = true
          }}
        >
          {texts.freeze}
        </button>
      </p>
      {asksFreeze.value && (
        <Confirm
          title={texts.question}
          yes={texts.yes}
          no={texts.no}
          onYes={() => void factors.freeze()}
          onNo={() => {
            asksFreeze.value = false
          }}
        >
          <p>{texts.note}</p>
        </Confirm>
      )}
    </section>
  )
}
