/** The operations of the views on the document. Everything is written as text, never as markup. */
import type { NumberText } from '../state/number-text.ts'

/** Shown in place of a missing figure. */
export const NOTHING = '–'

/** The element with this id in index.html. */
export function byId<T extends HTMLElement>(id: string, type: abstract new () => T): T {
  const found = document.getElementById(id)
  if (!(found instanceof type)) throw new Error(`expected a ${type.name} with the id '${id}' in the page`)
  return found
}

/** Writes a text only if it has changed: an unchanged one then costs no layout. */
export function setText(node: Node, text: string): void {
  if (node.textContent !== text) node.textContent = text
}

/** A part of the page. */
type Part = {
  readonly draw: () => void
  readonly everyMs: number
  /** On the clock of the frames, in milliseconds. */
  notBefore: number
}

/** The pending draws, in order. */
const due = new Set<Part>()

/**
 * Calls `draw` in one of the next frames of the browser, once for any number of requests, and not within
 * `everyMs` after the last call. One frame draws only one of the pending parts of the page: in a busy market
 * all together take longer than a frame. Writing between two frames makes the browser compute styles and
 * layout twice: before a frame, to find the element under the pointer, and again after the frame's own
 * writing.
 */
export function withFrame(draw: () => void, everyMs = 0): () => void {
  const part: Part = { draw, everyMs, notBefore: 0 }
  return () => {
    if (due.size === 0) requestAnimationFrame(drawNext)
    due.add(part)
  }
}

function drawNext(now: number): void {
  const next = [...due].find(({ notBefore }) => notBefore <= now)
  // A part that was just drawn and requests another drawing waits behind the others.
  if (next !== undefined) due.delete(next)
  if (due.size > 0) requestAnimationFrame(drawNext)
  if (next === undefined) return
  next.notBefore = now + next.everyMs
  next.draw()
}

/** Sets or removes `data-<name>`. */
export function setData(element: HTMLElement, name: string, value: string | undefined): void {
  if (element.dataset[name] === value) return
  if (value === undefined) delete element.dataset[name]
  else element.dataset[name] = value
}

/**
 * A table cell with a figure, its final zeros drawn faintly. The figure has its own box, whose size does not
 * depend on the content (`.figure`), so a change causes no layout outside it.
 */
export class FigureCell {
  readonly element = document.createElement('td')
  readonly #text = document.createTextNode('')
  readonly #zeros = document.createTextNode('')

  constructor() {
    const zeros = document.createElement('span')
    zeros.className = 'zeros'
    zeros.append(this.#zeros)
    const figure = document.createElement('div')
    figure.className = 'figure'
    figure.append(this.#text, zeros)
    this.element.append(figure)
  }

  set({ text, zeros }: NumberText): void {
    if (this.#text.data !== text) this.#text.data = text
    if (this.#zeros.data !== zeros) this.#zeros.data = zeros
  }
}

/** A cell or line without a figure. */
export const NO_FIGURE: NumberText = { text: '', zeros: '' }

/** A box that explains why nothing is shown, and what to do about it. */
export class EmptyBox {
  readonly #box: HTMLElement
  readonly #title: Element
  readonly #advice: Element

  constructor(id: string) {
    this.#box = byId(id, HTMLElement)
    const [title, advice] = this.#box.children
    if (title === undefined || advice === undefined) throw new Error(`'${id}' lacks its title or its advice`)
    this.#title = title
    this.#advice = advice
  }

  show(title: string, advice: string): void {
    setText(this.#title, title)
    setText(this.#advice, advice)
    this.#box.hidden = false
  }

  hide(): void {
    this.#box.hidden = true
  }
}
