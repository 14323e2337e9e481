/** Copies a text to the clipboard, and confirms it. */
import { useSignal } from '@preact/signals'
import { TEXTS } from '../../../shared/texts/texts.ts'

export function CopyButton({ text, name }: { readonly text: string; readonly name: string }) {
  const { story: words } = TEXTS.account
  const outcome = useSignal<'none' | 'copied' | 'failed'>('none')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      outcome.value = 'copied'
    } catch {
      outcome.value = 'failed'
    }
  }
  return (
    <>
      <button type="button" aria-label={words.copyOf(name)} onClick={() => void copy()}>
        {words.copy}
      </button>
      <span role="status">
        {outcome.value === 'copied' && ` ${words.copied}`}
        {outcome.value === 'failed' && ` ${words.notCopied}`}
      </span>
    </>
  )
}
