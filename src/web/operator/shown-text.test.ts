/** Texts written by others, as preact draws them, on a document with only the parts that preact needs. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type ComponentChild, h, options, render } from 'preact'
import { pageText } from '../../units/printable.ts'
import { showTexts } from '../shared/shown-text.ts'

/** An element or a text of a document. */
class Node {
  readonly nodeType: number
  readonly localName: string
  data = ''
  readonly attributes: { name: string; value: string }[] = []
  readonly childNodes: Node[] = []
  readonly style = {}
  parentNode: Node | null = null
  readonly ownerDocument = {
    createElementNS: (_: string, name: string) => new Node(1, name),
    createTextNode: textNode,
  }
  readonly namespaceURI = 'http://www.w3.org/1999/xhtml'

  constructor(nodeType: number, localName = '') {
    this.nodeType = nodeType
    this.localName = localName
  }

  get firstChild(): Node | null {
    return this.childNodes[0] ?? null
  }

  get nextSibling(): Node | null {
    const siblings = this.parentNode?.childNodes ?? []
    return siblings[siblings.indexOf(this) + 1] ?? null
  }

  insertBefore(node: Node, before: Node | null): Node {
    const at = before === null ? -1 : this.childNodes.indexOf(before)
    if (at < 0) this.childNodes.push(node)
    else this.childNodes.splice(at, 0, node)
    node.parentNode = this
    return node
  }

  setAttribute(name: string, value: string): void {
    this.attributes.push({ name, value })
  }

  removeAttribute(): void {}
  addEventListener(): void {}

  get text(): string {
    return this.data + this.childNodes.map(({ text }) => text).join('|')
  }
}

function textNode(data: string): Node {
  const node = new Node(3)
  node.data = data
  return node
}

const HOSTILE = 'a\u202eb\u200b\u001b[2K\u{e0041}'
const SHOWN = 'a\\u202eb\\u200b\\u001b[2K\\udb40\\udc41'

const { vnode } = options
const { document } = globalThis as { document?: unknown }
beforeAll(() => {
  showTexts(options, pageText)
  Object.assign(globalThis, { document: new Node(9).ownerDocument })
})
afterAll(() => {
  Object.assign(options, { vnode })
  Object.assign(globalThis, { document })
})

function drawn(child: ComponentChild): Node {
  const place = new Node(1, 'div')
  render(child, place as unknown as Element)
  return place
}

test('a text is drawn with invisible and direction-changing characters as escapes, wherever it is', () => {
  const Name = ({ name }: { readonly name: string }) => name as unknown as null
  const place = drawn(h('p', null, HOSTILE, h('b', null, [HOSTILE, 7]), h(Name, { name: HOSTILE })))
  expect(place.text).toBe([SHOWN, SHOWN, '7', SHOWN].join('|'))
})

test('an attribute for screen readers is drawn in the same way', () => {
  const [p] = drawn(h('p', { title: HOSTILE, 'aria-label': HOSTILE })).childNodes
  expect(p?.attributes.filter(({ value }) => value === SHOWN).length ?? 0).toBeGreaterThan(0)
  expect(JSON.stringify(p?.attributes)).not.toMatch(/[\u202e\u200b]/)
})

test('letters of every language, spaces and lines are drawn as they are', () => {
  const text = 'Işıl Иван 田中 مرحبا 12\u202f345,6\u00a0€\nsecond line'
  expect(drawn(h('p', null, text)).text).toBe(text)
})
