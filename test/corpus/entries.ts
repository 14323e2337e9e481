/**
 * A file of entries: the kind of each, its value as a line of JSON, and its bytes in hexadecimal if it has
 * any. The notes at the beginning state the versions under which the entries were recorded.
 *
 *   # link version: 3
 *
 *   OrderPlaced
 *   {"accountId":300, ...}
 *   012c...
 */
export type Entry = {
  readonly kind: string
  /** As `canonical` writes it. */
  readonly value: string
  /** Hexadecimal; empty if the entry has no bytes. */
  readonly bytes: string
}

export type EntryFile = {
  readonly notes: Readonly<Record<string, string>>
  readonly entries: readonly Entry[]
}

const NOTE = /^# ([^:]+): (.*)$/

/** Throws if the text was not written by `formatEntries`. */
export function parseEntries(text: string): EntryFile {
  const [head = '', ...blocks] = text.trimEnd().split('\n\n')
  const notes = head.split('\n').map((line) => {
    const [, name, value] = NOTE.exec(line) ?? []
    if (name === undefined || value === undefined) throw new Error(`expected "# name: value", found ${line}`)
    return [name, value]
  })
  const entries = blocks.map((block) => {
    const [kind, value, bytes = '', ...more] = block.split('\n')
    if (kind === undefined || value === undefined || more.length > 0)
      throw new Error(`expected a kind, a value and bytes, found ${block.slice(0, 200)}`)
    return { kind, value, bytes }
  })
  return { notes: Object.fromEntries(notes), entries }
}

/** Entries of a kind are together, in the order of `kinds`. */
export function formatEntries({ notes, entries }: EntryFile, kinds: readonly string[]): string {
  const head = Object.entries(notes).map(([name, value]) => `# ${name}: ${value}`)
  const places = new Map(kinds.map((kind, place) => [kind, place]))
  const placeOf = ({ kind }: Entry) => places.get(kind) ?? kinds.length
  const sorted = entries.toSorted((one, other) => placeOf(one) - placeOf(other))
  const blocks = sorted.map(({ kind, value, bytes }) =>
    [kind, value, bytes].filter((line) => line !== '').join('\n'),
  )
  return `${[head.join('\n'), ...blocks].join('\n\n')}\n`
}
