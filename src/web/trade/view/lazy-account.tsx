/**
 * The part of the page for the account (the private half), loaded when the user trades: visitors who only
 * watch markets do not load it.
 */
import { useSignal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useEffect } from 'preact/hooks'
import { TEXTS } from '../../shared/texts/texts.ts'
import type { AccountProps } from '../account/account-props.ts'

type Loaded =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'there'; readonly Pane: FunctionComponent<AccountProps> }

export function LazyAccount(props: AccountProps) {
  const loaded = useSignal<Loaded>({ kind: 'loading' })
  const load = async () => {
    loaded.value = { kind: 'loading' }
    try {
      const { AccountPane } = await import('../account/account-pane.tsx')
      loaded.value = { kind: 'there', Pane: AccountPane }
    } catch {
      // The connection was lost, or the node now has another version of the page.
      loaded.value = { kind: 'failed' }
    }
  }
  useEffect(() => void load(), [])
  const { value } = loaded
  switch (value.kind) {
    case 'loading':
      return <p class="trade-none">{TEXTS.account.loading}</p>
    case 'failed':
      return (
        <p class="trade-problem" role="alert">
          {TEXTS.account.notLoaded}{' '}
          <button type="button" onClick={() => void load()}>
            {TEXTS.account.again}
          </button>
        </p>
      )
    case 'there':
      return <value.Pane {...props} />
  }
}
