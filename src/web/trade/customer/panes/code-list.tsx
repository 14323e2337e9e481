/** Recovery codes just created, shown only once. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { CopyButton } from '../../account/history/copy-button.tsx'
import { paneTexts } from './pane-texts.ts'

type CodeListProps = {
  readonly codes: readonly string[]
  readonly note: string
  readonly saved: string
  readonly onSaved: () => void
}

export function CodeList({ codes, note, saved, onSaved }: CodeListProps) {
  const { codes: texts } = paneTexts()
  const first = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => first.current?.focus(), [])
  return (
    <>
      <p tabIndex={-1} ref={first}>
        {note}
      </p>
      <ol class="account-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <p class="trade-row account-copy">
        <CopyButton text={codes.join('\n')} name={texts.title} />
      </p>
      <p>
        <button type="button" class="trade-primary account-wide" onClick={onSaved}>
          {saved}
        </button>
      </p>
    </>
  )
}
