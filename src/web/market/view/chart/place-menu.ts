/** Opens a menu at a position: by right click, by the menu key, or by a long touch. */
type Spot = { readonly x: number; readonly y: number }

const STAYS_MS = 500
/** A finger that moves farther scrolls. */
const STAYS_WITHIN = 8

/** `at`: in the window; undefined for the keyboard. */
export function onPlaceMenu(body: HTMLElement, onMenu: (at: Spot | undefined) => void): void {
  let finger: { readonly at: Spot; readonly since: number } | undefined
  body.addEventListener('contextmenu', (event) => {
    event.preventDefault()
    // By keyboard the position is the middle of the focused element, or undefined.
    if (finger === undefined) onMenu(event.button === 2 ? { x: event.clientX, y: event.clientY } : undefined)
  })
  // Capturing: the chart, or a drawing, may stop the event later.
  const passive = { capture: true, passive: true }
  body.addEventListener(
    'pointerdown',
    ({ pointerType, isPrimary, clientX: x, clientY: y, timeStamp: since }) => {
      finger = pointerType === 'touch' && isPrimary ? { at: { x, y }, since } : undefined
    },
    passive,
  )
  body.addEventListener(
    'pointermove',
    ({ clientX, clientY }) => {
      const { at } = finger ?? {}
      if (at !== undefined && Math.hypot(clientX - at.x, clientY - at.y) > STAYS_WITHIN) finger = undefined
    },
    passive,
  )
  for (const name of ['pointerup', 'pointercancel'] as const)
    body.addEventListener(
      name,
      ({ timeStamp, type }) => {
        const [{ at, since } = { at: undefined, since: 0 }] = [finger]
        finger = undefined
        if (at === undefined || type === 'pointercancel' || timeStamp - since < STAYS_MS) return
        // Waits until the finger has been lifted, since that closes open menus.
        setTimeout(() => onMenu(at), 0)
      },
      passive,
    )
}
