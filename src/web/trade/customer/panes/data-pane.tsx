/** The data that the exchange keeps of the person: shown, saved as a file, and erased. */
import { useEffect, useState } from 'preact/hooks'
import { Time } from '../../account/time.tsx'
import { Confirm } from '../../view/confirm.tsx'
import { OwnData } from './own-data.ts'
import { paneTexts } from './pane-texts.ts'
import type { PanesState } from './panes-state.ts'
import { ShownPart } from './shown-part.tsx'

export function DataPane({ panes }: { readonly panes: PanesState }) {
  const [own] = useState(() => new OwnData(panes))
  useEffect(() => void panes.load('me'), [])
  const { data: texts } = paneTexts()
  const isBusy = panes.isBusy.value
  return (
    <>
      <ShownPart shown={panes.me.value} onAgain={() => void panes.load('me')}>
        {({ mail, account, createdAt }) => (
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
