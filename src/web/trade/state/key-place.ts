/** The element that has the focus when a key is pressed. */
import type { KeyPlace } from './sending/hotkey-runner.ts'

export function keyPlace(page: Document, target: EventTarget | null): KeyPlace {
  if (page.querySelector('dialog[open], :popover-open') !== null) return 'DIALOG'
  const isField =
    target instanceof Element && target.closest('input, select, textarea, [contenteditable]') !== null
  return isField ? 'FIELD' : 'PAGE'
}
