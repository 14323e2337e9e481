/** The dialog of the hotkeys, loaded when it is opened. */
import { useSignal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useEffect } from 'preact/hooks'
import type { HotkeysDialogProps } from './hotkeys-dialog.tsx'

export function LazyHotkeys(props: HotkeysDialogProps) {
  const loaded = useSignal<{ readonly View: FunctionComponent<HotkeysDialogProps> } | undefined>(undefined)
  useEffect(() => {
    import('./hotkeys-dialog.tsx').then(
      ({ HotkeysDialog }) => {
        loaded.value = { View: HotkeysDialog }
      },
      // The connection was lost: the next click tries again.
      () => props.onClose(),
    )
  }, [])
  return loaded.value === undefined ? null : <loaded.value.View {...props} />
}
