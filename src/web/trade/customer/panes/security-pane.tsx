/** How the account is opened. */
import { useEffect } from 'preact/hooks'
import { shortText } from '../../account/history/period.ts'
import { Time } from '../../account/time.tsx'
import { paneTexts } from './pane-texts.ts'
import type { PanesState } from './panes-state.ts'
import { ShownPart } from './shown-part.tsx'

export function SecurityPane({ panes }: { readonly panes: PanesState }) {
  const { security: texts } = paneTexts()
  useEffect(() => void panes.load('me'), [])
  return (
    <ShownPart shown={panes.me.value} onAgain={() => void panes.load('me')}>
      {({ mail, account, createdAt, passkeys }) => (
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
          <h3>{texts.passkeys}</h3>
          <p class="trade-hint">{texts.passkeysAbout}</p>
          <ul class="account-list">
            {passkeys.map(({ createdAt: madeAt, usedAt }) => (
              <li key={madeAt}>
                <strong>{texts.passkey(shortText(madeAt, Date.now()))}</strong>
                <div class="account-network">
                  {usedAt === undefined ? texts.unused : texts.used(shortText(usedAt, Date.now()))}
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </ShownPart>
  )
}
