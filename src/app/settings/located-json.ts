/**
 * JSON (RFC 8259) that keeps the line of each value, so that a wrong setting can be located. Two differences:
 * `//` begins a comment, and a name that occurs twice in one object is an error.
 */
import { DOCUMENT_JSON, parseJson } from '../../units/bounded-json.ts'

/** A value and where it begins. */
export type Located =
  | { readonly kind: 'plain'; readonly line: number; readonly value: string | number | boolean | null }
  | { readonly kind: 'list'; readonly line: number; readonly items: readonly Located[] }
  | { readonly kind: 'object'; readonly line: number; readonly members: ReadonlyMap<string, Member> }

export type Member = { readonly line: number; readonly value: Located }

/** The text is not JSON. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault'
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

const DEPTH_MAX = 16

/** Throws `JsonFault`. */
export function parseLocatedJson(text: string): Located {
  return new Parser(text).whole()
}

/** The value without its positions. */
export function plainValue(located: Located): unknown {
  switch (located.kind) {
    case 'plain':
      return located.value
    case 'list':
      return located.items.map(plainValue)
    case 'object':
      return Object.fromEntries([...located.members].map(([name, { value }]) => [name, plainValue(value)]))
  }
}

class Parser {
  readonly #text: string
  #at = 0
  #line = 1

  constructor(text: string) {
    this.#text = text
  }

  whole(): Located {
    const value = this.#value(0)
    this.#skip()
    if (this.#at < this.#text.length) throw this.#expected('the end')
    return value
  }

  #value(depth: number): Located {
    this.#skip()
    const line = this.#line
    if (depth > DEPTH_MAX) throw new JsonFault(line, `expected at most ${DEPTH_MAX} levels`)
    const first = this.#text[this.#at]
    if (first === '{') return { kind: 'object', line, members: this.#members(depth) }
    if (first === '[') return { kind: 'list', line, items: this.#items(depth) }
    if (first === '"') return { kind: 'plain', line, value: this.#string() }
    return { kind: 'plain', line, value: this.#word() }
  }

  #members(depth: number): Map<string, Member> {
    const members = new Map<string, Member>()
    this.#at++
    if (this.#takes('}')) return members
    do {
      this.#skip()
      const line = this.#line
      const name = this.#string()
      if (members.has(name)) throw new JsonFault(line, `${JSON.stringify(name)} appears twice`)
      if (!this.#takes(':')) throw this.#expected('a colon')
      members.set(name, { line, value: this.#value(depth + 1) })
    } while (this.#takes(','))
    if (!this.#takes('}')) throw this.#expected('a comma or }')
    return members
  }

  #items(depth: number): Located[] {
    const items: Located[] = []
    this.#at++
    if (this.#takes(']')) return items
    do items.push(this.#value(depth + 1))
    while (this.#takes(','))
    if (!this.#takes(']')) throw this.#expected('a comma or ]')
    return items
  }

  #string(): string {
    const [raw] = this.#match(/"(?:[^"\\\n]|\\.)*"/y) ?? []
    if (raw === undefined) throw this.#expected('a text in double quotes')
    try {
      return parseJson(raw, DOCUMENT_JSON) as string
    } catch {
      throw new JsonFault(this.#line, `${raw} is not a JSON string`)
    }
  }

  #word(): number | boolean | null {
    const [raw] =
      this.#match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])|(?:true|false|null)\b/y) ?? []
    if (raw === undefined) throw this.#expected('a value')
    return parseJson(raw, DOCUMENT_JSON) as number | boolean | null
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found !== null) this.#at = pattern.lastIndex
    return found
  }

  /** Skips `mark` and the white space and comments before it; false when something else comes. */
  #takes(mark: string): boolean {
    this.#skip()
    if (this.#text[this.#at] !== mark) return false
    this.#at++
    return true
  }

  /** White space and comments. */
  #skip(): void {
    const [passed = ''] = this.#match(/(?:[ \t\r\n]|\/\/[^\n]*)*/y) ?? []
    for (const character of passed) if (character === '\n') this.#line++
  }

  #expected(what: string): JsonFault {
    const rest = this.#text.slice(this.#at, this.#at + 20).split('\n')[0]
    const found = rest === undefined || rest === '' ? 'the end' : JSON.stringify(rest)
    return new JsonFault(this.#line, `expected ${what}, found ${found}`)
  }
}
