/** A dialog that is open as long as it is drawn, and nothing behind it can be used. */
import { useEffect, useRef } from 'preact/hooks'

export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // The keyboard's place goes back to where it was.
    return () => shown?.close()
  }, [])
  return dialog
}
