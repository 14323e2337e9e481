/**
 * The journal's contract is trusted because it detects each of these journals: each breaks one promise, and
 * fails a rule.
 */
import { expect, test } from 'bun:test'
import { type MemoryJournal, MemoryPlace } from '../../../sim/memory/journal.ts'
import { JOURNAL_RULES, type JournalPlace } from '../port/journal.contract.ts'
import { type Journal, type JournalFault, lastSeqOf } from '../port/journal.ts'
import { sealedBy } from './seal.ts'

/** A journal that behaves like `good`, except for `changes`. */
function changed(good: Journal, changes: Partial<Journal>): Journal {
  const journal: Journal = {
    get tail() {
      return good.tail
    },
    append: (batch) => good.append(batch),
    read: (afterSeq, maxBytes) => good.read(afterSeq, maxBytes),
    hashAt: (seq) => good.hashAt(seq),
    quarantined: () => good.quarantined(),
    quarantine: (entry) => good.quarantine(entry),
    maintain: (idle) => good.maintain(idle),
    close: () => good.close(),
  }
  return Object.defineProperties(journal, Object.getOwnPropertyDescriptors(changes)) as Journal
}

/** Opens its journal for every caller, and accepts appends from all of them. */
class CarelessPlace extends MemoryPlace {
  override open(): MemoryJournal {
    this.release()
    return super.open()
  }

  override isHeldBy(): boolean {
    return true
  }
}

/** Opens its journal for every caller, and accepts nothing more from the previous ones. */
class FencedPlace extends MemoryPlace {
  override open(): MemoryJournal {
    this.release()
    return super.open()
  }
}

/** Opens its journal even if the exchange has moved. */
class UnsealedPlace extends MemoryPlace {
  override open(): MemoryJournal {
    const seals = this.batches.splice(this.batches.findIndex(({ kind }) => kind === 'SEAL') >>> 0)
    const journal = super.open()
    this.batches.push(...seals)
    return journal
  }
}

type Defect = { readonly name: string; readonly newPlace: () => JournalPlace; readonly broken: string }

const FORGOTTEN = 'a journal that is closed and opened again has everything'
const TAKES_NO_MORE =
  'a journal that was sealed because the exchange goes on elsewhere takes no more, and is not opened again'
const SURVIVES = 'what append has resolved for survives the end of the process'

/** A place in memory with a defective journal; `end` is the effect of ending its process. */
function defective(
  make: (good: Journal, place: MemoryPlace) => Journal,
  end?: (place: MemoryPlace) => void,
  newPlace = () => new MemoryPlace(),
) {
  return (): JournalPlace => {
    const place = newPlace()
    return {
      open: async () => make(place.open(), place),
      endProcess: async () => {
        end?.(place)
        place.release()
      },
    }
  }
}

const DEFECTS: readonly Defect[] = [
  {
    name: 'resolves before the batch is durable',
    newPlace: defective(
      (good) => good,
      ({ batches }) => void batches.pop(),
    ),
    broken: SURVIVES,
  },
  {
    name: 'resolves before what is quarantined is durable',
    newPlace: defective(
      (good) => good,
      ({ quarantined }) => void quarantined.pop(),
    ),
    broken: SURVIVES,
  },
  {
    name: 'makes durable what was appended only at its housekeeping, and loses the rest',
    newPlace: () => {
      const place = new MemoryPlace()
      let kept = 0
      const keep = async () => {
        kept = place.batches.length
      }
      return {
        open: async () => changed(place.open(), { maintain: keep }),
        endProcess: async () => {
          place.batches.length = kept
          place.release()
        },
      }
    },
    broken: 'housekeeping between two batches takes nothing from what survives',
  },
  {
    name: 'counts the data of its batches alone',
    newPlace: defective((good, { batches }) =>
      changed(good, {
        read: async (afterSeq, maxBytes) => {
          let bytes = 0
          return batches.filter((batch) => {
            if (lastSeqOf(batch) <= afterSeq) return false
            bytes += batch.data.length
            return bytes <= maxBytes
          })
        },
      }),
    ),
    broken:
      'of small batches no more are read than their number allows: each counts with what it takes beside its data',
  },
  {
    name: 'forgets its batches when it is closed',
    newPlace: defective((good, { batches }) =>
      changed(good, {
        close: () => {
          batches.length = 0
          return good.close()
        },
      }),
    ),
    broken: FORGOTTEN,
  },
  {
    name: 'forgets what is quarantined when it is closed',
    newPlace: defective((good, { quarantined }) =>
      changed(good, {
        close: () => {
          quarantined.length = 0
          return good.close()
        },
      }),
    ),
    broken: FORGOTTEN,
  },
  {
    name: 'admits a second writer',
    newPlace: () => {
      const place = new CarelessPlace()
      return { open: async () => place.open(), endProcess: async () => {} }
    },
    broken: 'two writers never both append: the second cannot open, or the first can append nothing more',
  },
  {
    name: 'lets a writer that another has followed go on without noticing',
    newPlace: defective(
      (good) => changed(good, { append: (batch) => good.append(batch).catch(() => {}) }),
      undefined,
      () => new FencedPlace(),
    ),
    broken: 'two writers never both append: the second cannot open, or the first can append nothing more',
  },
  {
    name: 'lets a writer that another has followed quarantine',
    newPlace: defective(
      (good, { quarantined }) => changed(good, { quarantine: async (entry) => void quarantined.push(entry) }),
      undefined,
      () => new FencedPlace(),
    ),
    broken: 'a writer that another has followed quarantines nothing',
  },
  {
    name: 'resolves for a batch that a new writer was faster than',
    newPlace: defective(
      (good) => {
        let appends = 0
        return changed(good, {
          append: async (batch) => {
            for (let i = 0; i < 10; i++) await undefined
            appends += 1
            await good.append(batch).catch((cause) => {
              if (appends !== 2) throw cause
            })
          },
        })
      },
      undefined,
      () => new FencedPlace(),
    ),
    broken: 'of two writers that append at one moment one succeeds at most, and what it was told is there',
  },
  {
    name: 'stores a batch in two steps',
    newPlace: defective((good, place) =>
      changed(good, {
        append: async (batch) => {
          place.batches.push({ ...batch, data: batch.data.subarray(0, batch.data.length / 2) })
          for (let i = 0; i < 10; i++) await undefined
          if (!place.isHeldBy(good as MemoryJournal)) throw new Error('the process has ended')
          place.batches.pop()
          await good.append(batch)
        },
      }),
    ),
    broken: 'a batch that was under way when the process ended is there whole or not at all',
  },
  {
    name: 'takes a batch that leaves a gap',
    newPlace: defective((good, { batches }) =>
      changed(good, { append: async (batch) => void batches.push(batch) }),
    ),
    broken: 'a batch that does not follow the tail is a bug, and changes nothing',
  },
  {
    name: 'takes a batch after its seal',
    newPlace: defective((good, { batches }) =>
      changed(good, {
        append: (batch) =>
          good.append(batch).catch((cause: JournalFault) => {
            if (cause.kind !== 'SEALED') throw cause
            batches.push(batch)
          }),
      }),
    ),
    broken: TAKES_NO_MORE,
  },
  {
    name: 'is opened where the exchange is not any more',
    newPlace: defective(
      (good) => good,
      undefined,
      () => new UnsealedPlace(),
    ),
    broken: TAKES_NO_MORE,
  },
  {
    name: 'is opened nowhere once it was sealed',
    newPlace: defective((good, { batches }) => {
      const seal = batches.find(({ kind }) => kind === 'SEAL')
      if (seal !== undefined) throw sealedBy(seal)
      return good
    }),
    broken: 'where the exchange goes on, the first batch follows the seal',
  },
]

for (const { name, newPlace, broken } of DEFECTS) {
  test(`the contract refuses a journal that ${name}`, async () => {
    const rule = JOURNAL_RULES.find((one) => one.name === broken)
    expect(rule).toBeDefined()
    await expect(rule?.check(newPlace())).rejects.toThrow()
  })
}

test('the contract accepts the journal that the defective ones are made of', async () => {
  for (const { check } of JOURNAL_RULES) {
    await check(defective((good) => changed(good, {}))())
    const fenced = defective(
      (good) => changed(good, {}),
      undefined,
      () => new FencedPlace(),
    )
    await check(fenced())
  }
})
