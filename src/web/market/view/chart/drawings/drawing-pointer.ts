/**
 * Drawing, selecting and moving by mouse, pen or finger, and by the keyboard of the chart. An order's line
 * has priority over a drawing.
 */
import type { Part } from '../../../state/drawings.ts'
import { setData } from '../../dom.ts'
import type { Hit } from './drawing-places.ts'
import type { Spot } from './drawn-lines.ts'

const REACH = { fine: 6, coarse: 16 }
/** Pixels by which an arrow key moves, without and with Shift. */
const STEP = 1
const FAR_STEP = 10
const PARTS: readonly Part[] = ['whole', 'from', 'to']

export type DrawingPointerOptions = {
  readonly body: HTMLElement
  readonly isPlacing: () => boolean
  /** An order is being moved. */
  readonly isTaken: () => boolean
  readonly hitAt: (spot: Spot, reach: number) => Hit | undefined
  readonly selected: () => Hit | undefined
  readonly onPlace: (spot: Spot) => void
  readonly onPoint: (spot: Spot) => void
  readonly onSelect: (hit: Hit | undefined) => void
  /** Moves from one position to the other. */
  readonly onMove: (from: Spot, to: Spot) => void
  /** Called when the move is complete. */
  readonly onMoved: () => void
  /** `dx`, `dy`: in pixels. */
  readonly onNudge: (dx: number, dy: number) => void
  readonly onDelete: () => void
  readonly onLeave: () => void
}

export class DrawingPointer {
  readonly #options: DrawingPointerOptions
  #drag: { readonly pointer: number; at: Spot } | undefined
  /** The press belongs to a drawing: the chart does not get it. */
  #isKept = false

  constructor(options: DrawingPointerOptions) {
    this.#options = options
    const { body } = options
    const captured = { capture: true, passive: false }
    body.addEventListener('pointerdown', (event) => this.#down(event), captured)
    body.addEventListener('pointermove', (event) => this.#move(event), captured)
    for (const name of ['pointerup', 'pointercancel'] as const)
      body.addEventListener(name, (event) => this.#up(event), captured)
    for (const name of ['mousedown', 'touchstart', 'touchmove'])
      body.addEventListener(name, (event) => this.#keep(event), captured)
    body.addEventListener('keydown', (event) => this.#press(event), true)
  }

  #down(event: PointerEvent): void {
    const { isPlacing, isTaken, hitAt, onPlace, onSelect, body } = this.#options
    this.#isKept = false
    if (!event.isPrimary || event.button !== 0 || isTaken()) return
    const spot = this.#spotOf(event)
    if (isPlacing()) {
      this.#isKept = true
      onPlace(spot)
      return
    }
    const hit = hitAt(spot, event.pointerType === 'mouse' ? REACH.fine : REACH.coarse)
    onSelect(hit)
    if (hit === undefined) return
    this.#isKept = true
    this.#drag = { pointer: event.pointerId, at: spot }
    body.setPointerCapture(event.pointerId)
    body.focus({ preventScroll: true })
    event.stopPropagation()
  }

  #move(event: PointerEvent): void {
    const { isPlacing, hitAt, onPoint, onMove, body, isTaken } = this.#options
    const spot = this.#spotOf(event)
    if (this.#drag !== undefined && event.pointerId === this.#drag.pointer) {
      event.stopPropagation()
      onMove(this.#drag.at, spot)
      this.#drag.at = spot
    } else if (isPlacing()) onPoint(spot)
    else if (event.buttons === 0) {
      const isOver = !isTaken() && hitAt(spot, REACH.fine) !== undefined
      setData(body, 'overDrawing', isOver ? '' : undefined)
    }
  }

  #up(event: PointerEvent): void {
    if (this.#drag?.pointer !== event.pointerId) return
    this.#drag = undefined
    this.#options.onMoved()
  }

  #keep(event: Event): void {
    if (!this.#isKept) return
    event.stopPropagation()
    if (event.cancelable) event.preventDefault()
  }

  #press(event: KeyboardEvent): void {
    const { isPlacing, selected, onLeave, onSelect, onDelete, onNudge, onPlace, body } = this.#options
    const hit = selected()
    const by = event.shiftKey ? FAR_STEP : STEP
    const step = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] }[
      event.key
    ]
    if (isPlacing()) {
      if (event.key === 'Escape') onLeave()
      else if (event.key === 'Enter') {
        // Without a pointer: in the middle, from where the arrow keys move it.
        const { width, height } = body.getBoundingClientRect()
        onPlace({ x: width * 0.25, y: height * 0.3 })
        if (isPlacing()) onPlace({ x: width * 0.6, y: height * 0.3 })
      } else return
    } else if (hit === undefined) return
    else if (event.key === 'Escape') onSelect(undefined)
    else if (event.key === 'Delete' || event.key === 'Backspace') onDelete()
    else if (event.key === 'Enter')
      onSelect({ ...hit, part: PARTS[(PARTS.indexOf(hit.part) + 1) % PARTS.length] ?? 'whole' })
    else if (step !== undefined) onNudge(step[0] ?? 0, step[1] ?? 0)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  #spotOf({ clientX, clientY }: PointerEvent): Spot {
    const { left, top } = this.#options.body.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
}
