/**
 * A part whose entries are values with their bytes: writing the value must produce the bytes, and reading the
 * bytes must produce the value. The required kinds come from the table of the codec; the required forms of a
 * kind come from its random values.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { canonical, parsed } from './canonical.ts'
import { type Entry, type EntryFile, formatEntries, parseEntries } from './entries.ts'
import { Features, fewest, without } from './features.ts'
import { type Allowed, type CorpusClass, type Difference, parting, type RecordingPart } from './part.ts'

/** Number of random values of a kind from which entries are chosen, and that every comparison examines. */
const CHOSEN_FROM = 600
const LOOKED_AT = 150
const SEED = 20_261_127

/** `T` is the type of the values of all kinds. */
export type CodecOptions<T> = {
  readonly class: CorpusClass
  readonly name: string
  readonly arbitraries: Readonly<Record<string, fc.Arbitrary<T>>>
  readonly write: (value: T) => Uint8Array
  readonly read: (bytes: Uint8Array) => unknown
  /**
   * Entries that are already committed elsewhere, as value and hexadecimal bytes: they are compared here, but
   * not written a second time.
   */
  readonly elsewhere?: readonly (readonly [kind: string, value: T, bytes: string])[]
  /** Values that each need an entry, in addition to the chosen ones, by kind. */
  readonly always?: Readonly<Record<string, readonly T[]>>
  /** The version under which the bytes are recorded; if it changes, they may be recorded again. */
  readonly version?: readonly [name: string, value: string]
}

export function codecPart<T>(options: CodecOptions<T>): RecordingPart {
  const { name, arbitraries, version } = options
  const file = path.join(import.meta.dir, `${name}.txt`)
  const kinds = Object.keys(arbitraries)
  const committed = (): EntryFile =>
    existsSync(file) ? parseEntries(readFileSync(file, 'utf8')) : { notes: {}, entries: [] }
  const elsewhere = (options.elsewhere ?? []).map(([kind, value, bytes]) => {
    return { kind, value: canonical(value), bytes }
  })
  return {
    class: options.class,
    name,
    compare: async () => {
      const { entries } = committed()
      const all = [...elsewhere, ...entries]
      const unknown = entries.filter(({ kind }) => !kinds.includes(kind))
      return [
        ...unknown.map(({ kind }) => ({
          aspect: 'unknown' as const,
          kind,
          detail: 'the code has no such kind',
        })),
        ...all.filter(({ kind }) => kinds.includes(kind)).flatMap((entry) => compareEntry(options, entry)),
        ...kinds.flatMap((kind) => missingForms(options, kind, all)),
      ]
    },
    record: async (allowed) => {
      const before = committed()
      const kept = before.entries.map((entry) => recorded(options, entry, before, allowed))
      const added = kinds.flatMap((kind) => newEntries(options, kind, [...elsewhere, ...kept]))
      const notes = version === undefined ? { class: options.class } : { [version[0]]: version[1] }
      return formatEntries({ notes, entries: [...kept, ...added] }, kinds)
    },
  }
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

function compareEntry<T>({ write, read }: CodecOptions<T>, { kind, value, bytes }: Entry): Difference[] {
  const found = attempt(() => hexOf(write(parsed(value) as T)))
  const back = attempt(() => canonical(read(new Uint8Array(Buffer.from(bytes, 'hex')))))
  return [
    ...(found === bytes ? [] : [{ aspect: 'bytes' as const, kind, detail: parting(bytes, found) }]),
    ...(back === value ? [] : [{ aspect: 'value' as const, kind, detail: parting(value, back) }]),
  ]
}

/** A value that the code cannot write or read is a difference like any other. */
function attempt(work: () => string): string {
  try {
    return work()
  } catch (error) {
    return String(error)
  }
}

function valuesOf(entries: readonly Entry[], kind: string): unknown[] {
  return entries.filter((entry) => entry.kind === kind).map(({ value }) => parsed(value))
}

/** Fields, words and flags of random values of a kind that no entry has. */
function missingForms<T>(
  { arbitraries, always }: CodecOptions<T>,
  kind: string,
  entries: readonly Entry[],
): Difference[] {
  const samples = sample(arbitraries, kind, LOOKED_AT)
  const features = new Features(samples)
  const shown = union(valuesOf(entries, kind).map((value) => features.formsOf(value)))
  const missing = without(union(samples.map((value) => features.formsOf(value))), shown)
  const absent = (always?.[kind] ?? []).map(canonical).filter((value) => !hasValue(entries, kind, value))
  const wanted = [...[...missing].sort(), ...absent]
  if (wanted.length === 0 && entries.some((entry) => entry.kind === kind)) return []
  const detail = wanted.length === 0 ? 'no entry' : `no entry with ${wanted.slice(0, 5).join('; ')}`
  return [{ aspect: 'missing', kind, detail }]
}

function newEntries<T>(options: CodecOptions<T>, kind: string, entries: readonly Entry[]): Entry[] {
  const samples = sample(options.arbitraries, kind, CHOSEN_FROM)
  const there = valuesOf(entries, kind)
  const features = new Features(samples.slice(0, LOOKED_AT))
  const covered = union(there.map((value) => features.allOf(value)))
  const chosen = fewest(samples, (value) => features.allOf(value), covered)
  const needed = chosen.length > 0 || there.length > 0 ? chosen : samples.slice(0, 1)
  const shown = needed.map(canonical)
  const rest = (options.always?.[kind] ?? []).filter((value) => {
    return !shown.includes(canonical(value)) && !hasValue(entries, kind, canonical(value))
  })
  return [...needed, ...rest].map((value) => ({
    kind,
    value: canonical(value),
    bytes: hexOf(options.write(value)),
  }))
}

function hasValue(entries: readonly Entry[], kind: string, value: string): boolean {
  return entries.some((entry) => entry.kind === kind && entry.value === value)
}

/** An entry as it is stored: its bytes are recorded again if that is allowed, and otherwise unchanged. */
function recorded<T>(options: CodecOptions<T>, entry: Entry, before: EntryFile, { anew }: Allowed): Entry {
  const { version } = options
  const isRaised = version !== undefined && before.notes[version[0]] !== version[1]
  if (!isRaised && !anew.has(options.class)) return entry
  const bytes = attempt(() => hexOf(options.write(parsed(entry.value) as T)))
  return /^[0-9a-f]*$/.test(bytes) ? { ...entry, bytes } : entry
}

function sample<T>(arbitraries: CodecOptions<T>['arbitraries'], kind: string, numRuns: number): T[] {
  const arbitrary = arbitraries[kind]
  if (arbitrary === undefined) throw new Error(`expected random values of ${kind}`)
  return fc.sample(arbitrary, { seed: SEED, numRuns })
}

function union(sets: readonly ReadonlySet<string>[]): Set<string> {
  return new Set(sets.flatMap((each) => [...each]))
}
