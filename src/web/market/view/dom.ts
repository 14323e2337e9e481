/**
 * The few things that the views do to the document. Everything is written as text, never as markup.
 */
import type { NumberText } from '../state/number-text.ts'

/** Shown where there is no figure. */
export const NOTHING = '–'

/** The element of this id, which index.html has. */
export function byId<T extends HTMLElement>(id: string, type: abstract new () => T): T {
  const found = document.getElementById(id)
  if (!(found instanceof type)) throw new Error(`expected a ${type.name} with the id '${id}' in the page`)
  return found
}

/** Writes a text where it differs from what stands there: what does not change costs no layout. */
export function setText(node: Node, text: string): void {
  if (node.textContent !== text) node.textContent = text
}

/** A part of the page. */
type Part = {
  readonly draw: () => void
  readonly everyMs: number
  /** By the clock of the frames. */
  notBefore: number
}

/** What is to be drawn, in the order in which it was asked for. */
const due = new Set<Part>()

/**
 * Has `draw` called with a frame of the browser soon, however often it is asked for before, and no sooner than `everyMs` after the last time. A frame draws one of all
 * that is due on the page: together they take longer than a frame has where the market is busy. What is written between two frames has the browser compute styles and
 * layout twice: for the pointer, which it looks for before a frame, and after the frame's own writing.
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
  // What was drawn a moment ago, and is asked for again, waits behind what was not.
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
 * A table cell with a figure, the zeros at its end drawn faintly. The figure has a box of its own, whose size does not depend on it (`.figure`): where it changes, nothing
 * else is laid out anew.
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

/** A box that says why there is nothing to see, and what to do. */
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
