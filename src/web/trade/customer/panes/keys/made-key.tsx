/** A key just created: its secret is shown only once. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { CopyButton } from '../../../account/history/copy-button.tsx'
import { paneTexts } from '../pane-texts.ts'
import type { MadeKey } from './keys-flow.ts'

type MadeKeyProps = { readonly made: MadeKey; readonly onSaved: () => void }

export function MadeKeyView({ made, onSaved }: MadeKeyProps) {
  const { madeKey: texts } = paneTexts()
  const title = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => title.current?.focus(), [])
  const { name, apiKey, secret } = made
  return (
    <>
      <h3 tabIndex={-1} ref={title}>
        {texts.title(name)}
      </h3>
      <p>{secret === undefined ? texts.noSecret : texts.note}</p>
      <Value name={texts.apiKey} value={apiKey} />
      {secret !== undefined && <Value name={texts.secret} value={secret} />}
      <p>
        <button type="button" class="trade-primary account-wide" onClick={onSaved}>
          {secret === undefined ? texts.goOn : texts.saved}
        </button>
      </p>
    </>
  )
}

function Value({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div class="account-value">
      <div class="account-entry-head">
        <strong>{name}</strong>
        <span>
          <CopyButton text={value} name={name} />
        </span>
      </div>
      <code class="account-secret">{value}</code>
    </div>
  )
}
