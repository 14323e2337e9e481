/**
 * Features of a value: the fields that it has and lacks, the words in it, the size of its numbers. A few
 * values that show all features together represent every form of the values of a kind.
 */
import { CANCEL_CAUSES } from '../../src/core/events/event.ts'
import { ENGINE_FAULT_KINDS } from '../../src/engine/port/fault.ts'
import { LINK_ROLES } from '../../src/transport/link/protocol/greeting.ts'
import { ADMIN_RIGHTS } from '../../src/units/admin-rights.ts'
import * as operatorWords from '../../src/units/operator-enums.ts'
import * as orderWords from '../../src/units/order-enums.ts'
import { isAbsent } from './canonical.ts'

/**
 * The exchange's enumerated words: each place that takes such a word must have a sample for every value.
 * Reasons are excepted, since there are too many.
 */
const WORDS: ReadonlySet<unknown> = new Set(
  [
    ...[...Object.values(orderWords), ...Object.values(operatorWords)].filter((list) => Array.isArray(list)),
    ...[ADMIN_RIGHTS, CANCEL_CAUSES, ENGINE_FAULT_KINDS, LINK_ROLES],
  ].flat(),
)
/** The field that states which of several forms a value has. */
const KIND = '.kind'

/** Features of the values of one kind that occur in some of the values. */
export class Features {
  /** The fields that occurred at each place. */
  readonly #fieldsByPlace = new Map<string, Set<string>>()

  constructor(samples: readonly unknown[]) {
    for (const sample of samples) this.#look('', sample)
  }

  /** Fields, words and flags: a later value must not be the first with one of these. */
  formsOf(value: unknown): Set<string> {
    const found = new Set<string>()
    this.#collect('', value, found, false)
    return found
  }

  /** The same, with the sizes of numbers, texts and lists. */
  allOf(value: unknown): Set<string> {
    const found = new Set<string>()
    this.#collect('', value, found, true)
    return found
  }

  #look(place: string, value: unknown): void {
    for (const [name, field] of fieldsOf(value)) {
      if (!Array.isArray(value)) {
        const fields = this.#fieldsByPlace.get(place) ?? new Set()
        fields.add(name)
        this.#fieldsByPlace.set(place, fields)
      }
      this.#look(`${place}.${name}`, field)
    }
  }

  #collect(place: string, value: unknown, found: Set<string>, withSizes: boolean): void {
    if (typeof value === 'boolean' || isWord(place, value)) found.add(`${place} = ${String(value)}`)
    else if (withSizes) found.add(`${place} is ${sizeOf(value)}`)
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return
    const known = Array.isArray(value) ? [] : (this.#fieldsByPlace.get(place) ?? [])
    for (const name of known) {
      const isThere = !isAbsent((value as Record<string, unknown>)[name])
      found.add(`${place}.${name} is ${isThere ? 'there' : 'absent'}`)
    }
    for (const [name, field] of fieldsOf(value)) this.#collect(`${place}.${name}`, field, found, withSizes)
  }
}

function isWord(place: string, value: unknown): boolean {
  return typeof value === 'string' && (place.endsWith(KIND) || WORDS.has(value))
}

/** The values within a value; those of a list are all at one place. */
function fieldsOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return []
  if (Array.isArray(value)) return value.map((item) => ['[]', item])
  return Object.entries(value).filter(([, field]) => !isAbsent(field))
}

function sizeOf(value: unknown): string {
  if (typeof value === 'number') return `a number ${value < 0 ? 'below 0' : classOf(value)}`
  if (typeof value === 'bigint') return `a bigint ${value < 0n ? 'below 0' : 'above 2^53'}`
  if (typeof value === 'string') {
    const isAscii = /^[\x20-\x7e]*$/.test(value)
    return `${isAscii ? '' : 'more than ASCII, '}${value.length === 0 ? 'empty' : value.length > 127 ? 'long' : 'short'}`
  }
  if (value instanceof Uint8Array) return value.length === 0 ? 'no bytes' : 'bytes'
  if (Array.isArray(value)) return `a list of ${value.length > 1 ? 'some' : value.length}`
  return 'there'
}

function classOf(value: number): string {
  if (value === 0) return '0'
  if (value < 128) return 'of one byte'
  return value < 2 ** 28 ? 'up to 2^28' : 'from 2^28 on'
}

/**
 * A small subset of `samples` that has all features of `samples` beyond `covered`: repeatedly the sample with
 * the most features for its size is chosen. The order of `samples` decides between equals, so that the same
 * samples give the same choice.
 */
export function fewest<T>(
  samples: readonly T[],
  features: (sample: T) => ReadonlySet<string>,
  covered: ReadonlySet<string>,
): T[] {
  const open = samples.map((sample) => ({ sample, left: features(sample), weight: weightOf(sample) }))
  const shown = new Set(covered)
  const chosen: T[] = []
  for (;;) {
    let best: (typeof open)[number] | undefined
    let bestWorth = 0
    for (const each of open) {
      each.left = without(each.left, shown)
      const worth = each.left.size / each.weight
      if (worth > bestWorth) [best, bestWorth] = [each, worth]
    }
    if (best === undefined) return chosen
    for (const feature of best.left) shown.add(feature)
    chosen.push(best.sample)
  }
}

/** The `features` that are not among `others`. */
export function without(features: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> {
  return new Set([...features].filter((feature) => !others.has(feature)))
}

/** Long values are chosen only if they have many features. */
function weightOf(sample: unknown): number {
  const text = JSON.stringify(sample, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
  return 100 + text.length
}
