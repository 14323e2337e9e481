/**
 * Lines that the user has drawn on the chart: stored in this browser, separately for each market. Coordinates
 * are floating-point numbers, only for display.
 */
import { browserEntry, membersOf } from '../../shared/browser-entry.ts'
import type { BrowserStorage } from '../../shared/browser-storage.ts'
import { DRAWINGS_ENTRY } from './part-entries.ts'

/** `time` in milliseconds. */
export type Place = { readonly time: number; readonly price: number }

export type Drawing =
  | { readonly id: number; readonly kind: 'TREND'; readonly from: Place; readonly to: Place }
  | { readonly id: number; readonly kind: 'LEVEL'; readonly price: number }

/** The part of a drawing that is moved. */
export type Part = 'whole' | 'from' | 'to'

export type NewDrawing = Drawing extends infer One ? (One extends unknown ? Omit<One, 'id'> : never) : never

/** Maximum number of drawings in one market. */
export const DRAWINGS_MAX = 40
/** Maximum number of markets with drawings: beyond it the market with the oldest changes is forgotten. */
export const DRAWN_MARKETS_MAX = 100

/** `kept`: its previous id, used if no other drawing has it. */
export function withDrawing(
  drawings: readonly Drawing[],
  drawing: NewDrawing,
  kept?: unknown,
): readonly Drawing[] {
  if (drawings.length >= DRAWINGS_MAX) return drawings
  const ids = drawings.map(({ id }) => id)
  const isOwn = typeof kept === 'number' && Number.isSafeInteger(kept) && kept > 0 && !ids.includes(kept)
  return [...drawings, { ...drawing, id: isOwn ? kept : 1 + Math.max(0, ...ids) }]
}

/** Moves a part of a drawing by a time and a price; the price stays above zero. */
export function moved(drawing: Drawing, part: Part, time: number, price: number): Drawing {
  const higher = (before: number) => (before + price > 0 ? before + price : before)
  if (drawing.kind === 'LEVEL') return { ...drawing, price: higher(drawing.price) }
  const shifted = (place: Place, is: boolean) =>
    is ? { time: place.time + time, price: higher(place.price) } : place
  const { from, to } = drawing
  return { ...drawing, from: shifted(from, part !== 'to'), to: shifted(to, part !== 'from') }
}

/**
 * The drawings of all tabs of a browser. Each change is applied to the drawings stored at that time, not to a
 * tab's copy: drawings that another tab has added stay, and drawings that it has removed do not reappear.
 */
export class DrawingStore {
  readonly #entry
  /** The drawings in a browser that stores nothing; undefined if the browser stores them. */
  #unkept: Kept | undefined

  constructor(storage: BrowserStorage) {
    this.#entry = browserEntry(storage, DRAWINGS_ENTRY, parsed)
  }

  read(market: string): readonly Drawing[] {
    return this.#all.find(([name]) => name === market)?.[1] ?? []
  }

  /** Calls the listener when another tab has changed something. */
  watch(onChange: () => void): void {
    this.#entry.watch(onChange)
  }

  /** The drawing with its id; undefined if there is no room for it. */
  add(market: string, drawing: NewDrawing): Drawing | undefined {
    const before = this.read(market)
    const drawings = withDrawing(before, drawing)
    if (drawings.length === before.length) return undefined
    this.#write(market, drawings)
    return drawings.at(-1)
  }

  /** Stores its new position. */
  change(market: string, drawing: Drawing): void {
    this.#write(
      market,
      this.read(market).map((kept) => (kept.id === drawing.id ? drawing : kept)),
    )
  }

  remove(market: string, id: number): void {
    this.#write(
      market,
      this.read(market).filter((kept) => kept.id !== id),
    )
  }

  get #all(): Kept {
    return this.#unkept ?? this.#entry.read()
  }

  #write(market: string, drawings: readonly Drawing[]): void {
    const others = this.#all.filter(([name]) => name !== market)
    const all = drawings.length === 0 ? others : [...others, [market, drawings] as const]
    const kept = all.slice(-DRAWN_MARKETS_MAX)
    this.#unkept = this.#entry.write(kept) ? undefined : kept
  }
}

/** By market; the market with the newest change is last. */
type Kept = readonly (readonly [market: string, drawings: readonly Drawing[]])[]

function parsed(kept: unknown): Kept {
  if (!Array.isArray(kept)) return []
  return kept.slice(-DRAWN_MARKETS_MAX).flatMap((one: unknown) => {
    if (!Array.isArray(one) || typeof one[0] !== 'string' || !Array.isArray(one[1])) return []
    let drawings: readonly Drawing[] = []
    for (const each of one[1]) {
      const drawing = drawingOf(each)
      if (drawing !== undefined) drawings = withDrawing(drawings, drawing, membersOf(each).id)
    }
    return [[one[0], drawings] as const]
  })
}

function drawingOf(kept: unknown): NewDrawing | undefined {
  const { kind, price, from, to } = membersOf(kept)
  if (kind === 'LEVEL' && isPrice(price)) return { kind, price }
  const [begin, end] = [placeIn(from), placeIn(to)]
  if (kind !== 'TREND' || begin === undefined || end === undefined) return undefined
  return { kind, from: begin, to: end }
}

function placeIn(kept: unknown): Place | undefined {
  const { time, price } = membersOf(kept)
  return typeof time === 'number' && Number.isFinite(time) && isPrice(price) ? { time, price } : undefined
}

function isPrice(kept: unknown): kept is number {
  return typeof kept === 'number' && Number.isFinite(kept) && kept > 0
}
