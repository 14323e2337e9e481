/** How a menu at a place is asked for: right click, the menu key, or a finger that stays. */
type Spot = { readonly x: number; readonly y: number }

const STAYS_MS = 500
/** A finger that moves farther scrolls. */
const STAYS_WITHIN = 8

/** `at`: in the window; undefined: the keyboard asks. */
export function onPlaceMenu(body: HTMLElement, onMenu: (at: Spot | undefined) => void): void {
  let finger: { readonly at: Spot; readonly since: number } | undefined
  body.addEventListener('contextmenu', (event) => {
    event.preventDefault()
    // By the keyboard it is at the middle of what has the focus, or nowhere.
    if (finger === undefined) onMenu(event.button === 2 ? { x: event.clientX, y: event.clientY } : undefined)
  })
  // Captured: the chart, or a drawing, may keep the rest to itself.
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
        // Behind the lift of the finger, which closes what is open.
        setTimeout(() => onMenu(at), 0)
      },
      passive,
    )
}
