/** A dialog that is open as long as it is drawn, and nothing behind it can be used. */
import { useEffect, useRef } from 'preact/hooks'

export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = dialog.current
    const panel = shown?.closest<HTMLElement>('.panel')
    // For the styles: a panel that asks is in sight.
    panel?.toggleAttribute('data-asks', true)
    shown?.showModal()
    return () => {
      // The keyboard's place goes back to where it was.
      shown?.close()
      panel?.removeAttribute('data-asks')
    }
  }, [])
  return dialog
}
