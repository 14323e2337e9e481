/** Lists can have any kind of record; in these tests they have notes from a writer to a reader. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { HistoryDifference } from '../../../../engine/audit/history.ts'
import { seq, timeMs } from '../../../../units/quantities.ts'
import { DamagedRowFault } from '../check.ts'
import { ListsComparison } from './comparison.ts'
import { AppendOnlyLists, EMPTY_LISTS, type ListsLimits, type ListsPosition } from './lists.ts'
import type { ListKey, RecordKind } from './record.ts'
import { StoredLists } from './stored.ts'
import { ListTables, listTables } from './tables.ts'

type Note = {
  readonly number: number
  readonly seq: number
  readonly author: number
  readonly reader: number | undefined
  readonly topic: number | undefined
  readonly text: string
}

/** A note without a reader is for all readers. */
const EVERYBODY = -1

const NOTES: RecordKind<Note> = {
  word: 'note',
  headOf: ({ number, seq: at }) => ({ number, seq: seq(at), time: timeMs(at * 1_000) }),
  listsOf: ({ author, reader = EVERYBODY, topic }) => [
    { owner: author, part: topic },
    { owner: reader, part: undefined },
  ],
  write(writer, { author, reader, topic, text }) {
    writer.uint(author)
    writer.uint(reader === undefined ? 0 : reader + 1)
    writer.uint(topic === undefined ? 0 : topic + 1)
    writer.text(text)
  },
  read(reader, { number, seq: at }) {
    const [author, to, topic] = [reader.uint(), reader.uint(), reader.uint()]
    const optional = (value: number): number | undefined => (value === 0 ? undefined : value - 1)
    return { number, seq: at, author, reader: optional(to), topic: optional(topic), text: reader.text() }
  },
}

/** Lists in a database of their own, which can be opened again, or left by a failed transaction. */
class Stage {
  readonly db = new Database(':memory:', { strict: true, safeIntegers: true })
  stored: ListsPosition = EMPTY_LISTS
  tables: ListTables<Note>
  lists: AppendOnlyLists<Note>

  constructor(limits: ListsLimits = {}) {
    this.db.run(listTables(NOTES.word))
    this.tables = new ListTables(this.db, NOTES)
    this.lists = this.#opened(limits)
  }

  add(notes: readonly Note[]): void {
    this.db.transaction(() => {
      this.lists.append(notes)
      if (this.lists.isDue) this.lists.storeEnds()
    })()
    this.stored = this.lists.position
  }

  storeEnds(): void {
    this.db.transaction(() => this.lists.storeEnds())()
    this.stored = this.lists.position
  }

  reopen(limits: ListsLimits = {}): void {
    this.tables.close()
    this.tables = new ListTables(this.db, NOTES)
    this.lists = this.#opened(limits)
  }

  /** The findings of an auditor who expects `notes`. */
  audit(notes: readonly Note[]): string[] {
    const found: HistoryDifference[] = []
    const stored = new StoredLists(this.db, NOTES, this.stored, (read) => read())
    const nameOfList = ({ owner, part }: ListKey): string => `list ${owner} ${part ?? 'all'}`
    const words = {
      nameOf: (note: Note) => `note ${note.number}`,
      nameOfList,
      nameOfOwner: (owner: number) => `${owner}`,
      differences: (expected: Note, { text }: Note) =>
        text === expected.text
          ? []
          : [{ kind: 'CHANGED' as const, sentence: `note ${expected.number}: text is ${text}` }],
    }
    const comparison = new ListsComparison(stored, words, (difference) => found.push(difference))
    for (const note of notes) comparison.compare(note)
    comparison.finish()
    stored.close()
    return found.map(({ kind, sentence }) => `${kind} ${sentence}`)
  }

  change(sql: string, ...values: (number | Uint8Array)[]): void {
    expect(this.db.run(sql, values).changes).toBeGreaterThan(0)
  }

  #opened(limits: ListsLimits): AppendOnlyLists<Note> {
    const lists = new AppendOnlyLists(NOTES, this.tables, limits)
    lists.load(this.stored)
    return lists
  }
}

const aNote = (number: number, rest: Partial<Note> = {}): Note => ({
  number,
  seq: Math.ceil(number / 3),
  author: 1,
  reader: 2,
  topic: number % 2,
  text: `number ${number}`,
  ...rest,
})
const notesTo = (last: number): Note[] => Array.from({ length: last }, (_, i) => aNote(i + 1))

const anyNotes = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 1, max: 3 }),
      author: fc.nat(2),
      reader: fc.option(fc.nat(2), { nil: undefined }),
      topic: fc.option(fc.nat(1), { nil: undefined }),
      text: fc.string({ maxLength: 40 }),
    }),
    { minLength: 100, maxLength: 400 },
  )
  .map((terms) => {
    let number = 0
    return terms.map(({ gap, ...rest }) => {
      number += gap
      return aNote(number, rest)
    })
  })

test('pages and searches of every list are those of plain arrays, whenever ends are stored and files are opened', () => {
  const limits = fc.record({
    recordsBetweenEnds: fc.constantFrom(1, 50, 10_000),
    listsMax: fc.constantFrom(1, 300_000),
  })
  const turns = fc.array(fc.constantFrom('on', 'reopen', 'store', 'fail'), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(anyNotes, fc.integer({ min: 1, max: 90 }), turns, limits, (notes, size, whats, some) => {
      const stage = new Stage(some)
      for (let i = 0, turn = 0; i < notes.length; i += size, turn++) {
        const what = whats[turn % whats.length]
        if (what === 'reopen') stage.reopen(some)
        if (what === 'store') stage.storeEnds()
        const next = notes.slice(i, i + size)
        if (what === 'fail') {
          expect(() => stage.add([...next, ...next])).toThrow('must come after note')
          stage.lists.load(stage.stored)
        }
        stage.add(next)
      }
      for (const owner of [0, 1, 2, EVERYBODY]) {
        for (const part of [undefined, 0, 1]) expectSameList(stage, notes, { owner, part })
      }
      expect(stage.audit(notes)).toEqual([])
    }),
    { numRuns: 25 },
  )
})

function expectSameList({ lists }: Stage, notes: readonly Note[], key: ListKey): void {
  const { owner, part } = key
  const plain = notes.flatMap((note) =>
    NOTES.listsOf(note)
      .filter((list) => list.owner === owner && (part === undefined || list.part === part))
      .map(() => note),
  )
  const list = lists.list(key)
  expect(list.length).toBe(plain.length)
  for (let last = plain.length; last > 0; last -= 41) {
    const first = Math.max(1, last - 9)
    const found = list.range({ first, last })
    expect(found.map(({ record }) => record)).toEqual(plain.slice(first - 1, last).reverse())
    expect(found.map(({ link }) => link.n)).toEqual(found.map((_, i) => last - i))
  }
  const newest = (notes.at(-1)?.number ?? 0) + 2
  for (let bound = 0; bound < newest; bound += 37) {
    expect(list.olderThan(bound)).toBe(plain.filter(({ number }) => number < bound).length)
    expect(list.upTo(bound)).toBe(plain.filter((note) => note.seq <= bound).length)
  }
}

test('an owner that a record names twice has it twice', () => {
  const stage = new Stage()
  stage.add([aNote(1), aNote(2, { author: 2, reader: 2 })])
  expect(stage.lists.list({ owner: 2, part: undefined }).range({ first: 1, last: 3 })).toEqual([
    { record: aNote(2, { author: 2, reader: 2 }), index: 1, link: { n: 3, before: 2 } },
    { record: aNote(2, { author: 2, reader: 2 }), index: 0, link: { n: 2, before: 1 } },
    { record: aNote(1), index: 1, link: { n: 1, before: 0 } },
  ])
})

test('missing newer records are found when lists are loaded', () => {
  const stage = new Stage()
  stage.add(notesTo(100))
  stage.change('DELETE FROM note_block WHERE first = (SELECT max(first) FROM note_block)')
  expect(() => stage.reopen()).toThrow(/^\d+ notes come after note 0, expected 100$/)
})

test.each([
  ['an end', "UPDATE note_end SET data = x'00' WHERE owner = 1", 'a row has'],
  ['an end that is gone', 'DELETE FROM note_end WHERE owner = 1', 'are missing'],
  ['a block', "UPDATE note_block SET data = x'0000000000'", 'a row has check'],
  ['blocks that are gone', 'DELETE FROM note_block', 'note 200 of list 1 is missing'],
  ['a step', 'UPDATE note_step SET number = 1', 'a row has check'],
  ['steps that are gone', 'DELETE FROM note_step', 'step 64 of list 1 is missing'],
])('a reader that meets damage reports it instead of a wrong record: %s', (_, sql, said) => {
  const stage = new Stage()
  stage.add(notesTo(200))
  stage.storeEnds()
  stage.reopen()
  stage.change(sql)
  const read = (): unknown => {
    const list = stage.lists.list({ owner: 1, part: undefined })
    return [list.range({ first: 200, last: 200 }), list.range({ first: 60, last: 60 })]
  }
  expect(read).toThrow(DamagedRowFault)
  expect(read).toThrow(said)
})

test.each<[string, string, string[]]>([
  [
    'a record that is gone',
    'DELETE FROM note_block WHERE first = 1',
    expect.arrayContaining(['MISSING note 1 is missing', 'MISSING note 2 is missing']),
  ],
  [
    'a damaged block',
    "UPDATE note_block SET data = x'0000000000' WHERE first = 1",
    [expect.stringContaining('DAMAGED note 1 and those stored with it: a row has check')],
  ],
  [
    'an end that is gone',
    'DELETE FROM note_end WHERE owner = 2',
    ['MISPLACED the end of list 2 all is missing'],
  ],
  [
    'a step that is gone',
    'DELETE FROM note_step WHERE owner = 2 AND n = 128',
    ['MISPLACED step 128 of list 2 all is missing', expect.stringContaining('steps, expected')],
  ],
  [
    'a step with a wrong check',
    'UPDATE note_step SET number = 1 WHERE owner = 2 AND n = 64',
    [expect.stringContaining('DAMAGED step 64 of list 2 all: a row has check')],
  ],
])('an auditor names what is wrong: %s', (_, sql, said) => {
  const stage = new Stage()
  stage.add(notesTo(200))
  stage.storeEnds()
  expect(stage.audit(notesTo(200))).toEqual([])
  stage.change(sql)
  expect(stage.audit(notesTo(200))).toEqual(said)
})

test('an auditor names records that were never written, or written differently', () => {
  const stage = new Stage()
  stage.add([aNote(1), aNote(2, { text: 'forged' }), aNote(3)])
  expect(stage.audit([aNote(1), aNote(2)])).toEqual([
    'CHANGED note 2: text is forged',
    'EXTRA note 3 is in history, but the journal has no such note',
  ])
})
