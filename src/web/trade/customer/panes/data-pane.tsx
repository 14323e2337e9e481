/** The stored data of the person: shown, saved as a file, and erased. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Time } from '../../account/time.tsx'
import { Confirm } from '../../view/confirm.tsx'
import { useElementId } from '../../view/element-id.ts'
import { OwnData } from './own-data.ts'
import { paneTexts } from './pane-texts.ts'
import type { PanesState } from './panes-state.ts'
import { ShownPart } from './shown-part.tsx'

export function DataPane({ panes }: { readonly panes: PanesState }) {
  const [own] = useState(() => new OwnData(panes))
  const { data: texts } = paneTexts()
  const isBusy = panes.isBusy.value
  if (own.form.value !== undefined) return <EmailForm own={own} form={own.form.value} isBusy={isBusy} />
  return (
    <>
      <ShownPart shown={panes.me.value} onAgain={() => void panes.load('me')}>
        {({ mail, account, createdAt, phrase }) => (
          <>
            <dl class="account-facts account-who">
              <div>
                <dt>{texts.mail}</dt>
                <dd>{mail}</dd>
              </div>
              <div>
                <dt>{texts.account}</dt>
                <dd>
                  <code>{account}</code>
                </dd>
              </div>
              <div>
                <dt>{texts.opened}</dt>
                <dd>
                  <Time at={createdAt} />
                </dd>
              </div>
            </dl>
            <section>
              <h3>{texts.emailsTitle}</h3>
              <p class="trade-hint">{texts.emailsAbout}</p>
              <p>{phrase === undefined ? texts.noPhrase : texts.phraseIs(phrase)}</p>
              <p class="account-actions">
                <button type="button" disabled={isBusy} onClick={() => own.show('PHRASE')}>
                  {texts.changePhrase}
                </button>
                {phrase !== undefined && (
                  <button type="button" disabled={isBusy} onClick={() => void own.setPhrase(undefined)}>
                    {texts.removePhrase}
                  </button>
                )}
                <button type="button" disabled={isBusy} onClick={() => own.show('MAIL')}>
                  {texts.changeMail}
                </button>
              </p>
            </section>
          </>
        )}
      </ShownPart>
      <section>
        <h3>{texts.exportTitle}</h3>
        <p class="trade-hint">{texts.exportAbout}</p>
        <p>
          <button type="button" disabled={isBusy} onClick={() => void own.save()}>
            {texts.save}
          </button>
        </p>
      </section>
      <section>
        <h3>{texts.eraseTitle}</h3>
        <p class="trade-hint">{texts.eraseAbout}</p>
        <p>
          <button
            type="button"
            disabled={isBusy}
            onClick={() => {
              own.asksErase.value = true
            }}
          >
            {texts.erase}
          </button>
        </p>
      </section>
      {own.asksErase.value && (
        <Confirm
          title={texts.eraseQuestion}
          yes={texts.eraseGoOn}
          no={texts.eraseNo}
          onYes={() => void own.erase()}
          onNo={() => {
            own.asksErase.value = false
          }}
        >
          <p>{texts.eraseNote}</p>
          <p>{texts.eraseMoney}</p>
        </Confirm>
      )}
    </>
  )
}

type EmailFormProps = {
  readonly own: OwnData
  readonly form: 'PHRASE' | 'MAIL'
  readonly isBusy: boolean
}

/** Changes the phrase at the beginning of emails, or the email address. */
function EmailForm({ own, form, isBusy }: EmailFormProps) {
  const { data: texts, leave } = paneTexts()
  const id = useElementId()
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  const isMail = form === 'MAIL'
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault()
        const text = field.current?.value.trim() ?? ''
        void (isMail ? own.changeMail(text) : own.setPhrase(text))
      }}
    >
      <h3>{isMail ? texts.changeMail : texts.changePhrase}</h3>
      <div class="trade-field">
        <label for={id}>{isMail ? texts.newMail : texts.phrase}</label>
        <input
          id={id}
          ref={field}
          type={isMail ? 'email' : 'text'}
          maxLength={isMail ? 254 : 60}
          autocomplete={isMail ? 'email' : 'off'}
          required
          aria-describedby={`${id}-note`}
        />
        <p class="trade-hint" id={`${id}-note`}>
          {isMail ? texts.mailAbout : texts.phraseNote}
        </p>
      </div>
      <p class="trade-row">
        <button type="button" disabled={isBusy} onClick={() => own.show(undefined)}>
          {leave}
        </button>
        <button type="submit" class="trade-primary" disabled={isBusy}>
          {isMail ? texts.sendLink : texts.savePhrase}
        </button>
      </p>
    </form>
  )
}
