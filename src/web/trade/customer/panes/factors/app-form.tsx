/** Setting up an authenticator app: its secret as a QR code and as text, then a code from it. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { AccountData } from '../../../../../contract/customers/endpoints.ts'
import { CopyButton } from '../../../account/history/copy-button.tsx'
import { useElementId } from '../../../view/element-id.ts'
import { CodeField } from '../current-password.tsx'
import { paneTexts } from '../pane-texts.ts'
import type { FactorsProps } from './factors-flow.ts'
import { LazyQrCode } from './lazy-qr-code.tsx'

export function AppForm({ factors, isBusy }: FactorsProps) {
  const { password: texts, leave } = paneTexts()
  const app = factors.app.value
  if (app !== undefined)
    return (
      <AppSecret
        app={app}
        isBusy={isBusy}
        onCode={(code) => void factors.finishApp(code)}
        onLeave={() => factors.show('LIST')}
      />
    )
  return (
    <>
      <h3>{texts.appTitle}</h3>
      <p>{texts.appNext}</p>
      <p class="trade-row">
        <button type="button" disabled={isBusy} onClick={() => factors.show('LIST')}>
          {leave}
        </button>
        <button type="button" class="trade-primary" disabled={isBusy} onClick={() => void factors.beginApp()}>
          {texts.appBegin}
        </button>
      </p>
    </>
  )
}

type AppSecretProps = {
  readonly app: AccountData<'totp/begin'>
  readonly isBusy: boolean
  readonly onCode: (code: string) => void
  /** Undefined if there is no way back. */
  readonly onLeave?: (() => void) | undefined
}

export function AppSecret({ app: { secret, uri }, isBusy, onCode, onLeave }: AppSecretProps) {
  const { password: texts, leave } = paneTexts()
  const id = useElementId()
  const title = useRef<HTMLHeadingElement>(null)
  const code = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => title.current?.focus(), [])
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault()
        onCode(code.current?.value.trim() ?? '')
      }}
    >
      <h3 tabIndex={-1} ref={title}>
        {texts.appTitle}
      </h3>
      <p>{texts.appNote}</p>
      <LazyQrCode text={uri} name={texts.qrCode} />
      <div class="account-value">
        <div class="account-entry-head">
          <span>{texts.secretNote}</span>
          <span>
            <CopyButton text={secret} name={texts.secret} />
          </span>
        </div>
        <code class="account-secret">{inGroups(secret)}</code>
        <p>
          <a href={uri}>{texts.openApp}</a>
        </p>
      </div>
      <CodeField id={id} field={code} />
      <p class="trade-row">
        {onLeave !== undefined && (
          <button type="button" disabled={isBusy} onClick={onLeave}>
            {leave}
          </button>
        )}
        <button type="submit" class="trade-primary" disabled={isBusy}>
          {texts.appFinish}
        </button>
      </p>
    </form>
  )
}

/** In groups of four characters, for typing. */
function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}
