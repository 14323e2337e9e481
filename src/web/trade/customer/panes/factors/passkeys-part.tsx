/** The passkeys of the account: list, add, rename, remove. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { AccountData } from '../../../../../contract/customers/endpoints.ts'
import { shortText } from '../../../account/history/period.ts'
import { useElementId } from '../../../view/element-id.ts'
import { paneTexts } from '../pane-texts.ts'
import type { FactorsProps } from './factors-flow.ts'

export type MeProps = FactorsProps & { readonly me: AccountData<'me'> }

export function PasskeysPart({ factors, isBusy, me: { passkeys, hasPassword } }: MeProps) {
  const { passkeys: texts } = paneTexts()
  const isLast = passkeys.length === 1 && !hasPassword
  return (
    <section>
      <h3>{texts.title}</h3>
      <p class="trade-hint">{texts.about}</p>
      {passkeys.length === 0 ? (
        <p class="trade-none">{texts.none}</p>
      ) : (
        <ul class="account-list">
          {passkeys.map((passkey) => {
            const { id, label, createdAt, usedAt } = passkey
            const [made, used] = [createdAt, usedAt ?? 0].map((at) => shortText(at, Date.now()))
            return (
              <li key={id}>
                <div class="account-entry-head">
                  <div>
                    <strong>{label}</strong>
                    <div class="account-network">
                      {texts.made(made ?? '')} ·{' '}
                      {usedAt === undefined ? texts.unused : texts.used(used ?? '')}
                    </div>
                  </div>
                  {!isLast && (
                    <button
                      type="button"
                      disabled={isBusy}
                      aria-label={texts.removeOf(label)}
                      onClick={() => void factors.removePasskey(passkey)}
                    >
                      {texts.remove}
                    </button>
                  )}
                </div>
                <p>
                  <button
                    type="button"
                    disabled={isBusy}
                    aria-label={texts.renameOf(label)}
                    onClick={() => factors.showRename(passkey)}
                  >
                    {texts.rename}
                  </button>
                </p>
              </li>
            )
          })}
        </ul>
      )}
      {isLast && <p class="trade-hint">{texts.last}</p>}
      <p>
        <button type="button" disabled={isBusy} onClick={() => factors.show('PASSKEY')}>
          {texts.add}
        </button>
      </p>
    </section>
  )
}

export function RenameForm({ factors, isBusy }: FactorsProps) {
  const { passkeys: texts, leave } = paneTexts()
  const id = useElementId()
  const label = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => label.current?.select(), [])
  const passkey = factors.renamed.value
  if (passkey === undefined) return null
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault()
        void factors.renamePasskey(passkey, label.current?.value.trim() ?? '')
      }}
    >
      <h3>{texts.renameTitle}</h3>
      <div class="trade-field">
        <label for={id}>{texts.newLabel}</label>
        <input
          id={id}
          ref={label}
          defaultValue={passkey.label}
          maxLength={40}
          required={true}
          autocomplete="off"
          aria-describedby={`${id}-note`}
        />
        <p class="trade-hint" id={`${id}-note`}>
          {texts.labelNote}
        </p>
      </div>
      <p class="trade-row">
        <button type="button" disabled={isBusy} onClick={() => factors.show('LIST')}>
          {leave}
        </button>
        <button type="submit" class="trade-primary" disabled={isBusy}>
          {texts.saveLabel}
        </button>
      </p>
    </form>
  )
}

export function PasskeyForm({ factors, isBusy }: FactorsProps) {
  const { passkeys: texts, leave } = paneTexts()
  const id = useElementId()
  const label = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => label.current?.focus(), [])
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault()
        void factors.addPasskey(label.current?.value.trim() ?? '')
      }}
    >
      <h3>{texts.add}</h3>
      <p>{texts.addNote}</p>
      <div class="trade-field">
        <label for={id}>{texts.label}</label>
        <input id={id} ref={label} maxLength={40} autocomplete="off" aria-describedby={`${id}-note`} />
        <p class="trade-hint" id={`${id}-note`}>
          {texts.labelNote}
        </p>
      </div>
      <p class="trade-row">
        <button type="button" disabled={isBusy} onClick={() => factors.show('LIST')}>
          {leave}
        </button>
        <button type="submit" class="trade-primary" disabled={isBusy}>
          {texts.add}
        </button>
      </p>
    </form>
  )
}
