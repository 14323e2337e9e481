/** A dialog that is open while it is drawn; nothing behind it can be used. */
import { useEffect, useRef } from 'preact/hooks'

export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = dialog.current
    const panel = shown?.closest<HTMLElement>('.panel')
    // For the style sheets: this panel shows a dialog.
    panel?.toggleAttribute('data-asks', true)
    shown?.showModal()
    return () => {
      // The focus returns to its previous place.
      shown?.close()
      panel?.removeAttribute('data-asks')
    }
  }, [])
  return dialog
}
