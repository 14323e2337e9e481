import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { LOOKED_AT_MAX, PAGE_ROWS, PagedList, type RowSource } from './paged-list.ts'

type Row = { readonly id: number; readonly place: string }

/**
 * A list of the exchange, newest first, which grows at its newest end; an answer may have fewer rows than
 * requested.
 */
class GrowingList {
  #rows: Row[] = []
  reads = 0

  /** `isTwin`: the new row has the same place as the one before it. */
  grow(isTwin = false): void {
    const id = this.#rows.length
    const place = isTwin ? (this.#rows[0]?.place ?? `p${id}`) : `p${id}`
    this.#rows = [{ id, place }, ...this.#rows]
  }

  get ids(): readonly number[] {
    return this.#rows.map(({ id }) => id)
  }

  source(accepts?: (row: Row) => boolean, answerMax = Number.POSITIVE_INFINITY): RowSource<Row> {
    return {
      read: async (before, limit) => {
        this.reads++
        const from = before === undefined ? 0 : this.#rows.findLastIndex(({ place }) => place === before) + 1
        let to = Math.min(this.#rows.length, from + Math.min(limit, answerMax))
        while (to > from && this.#rows[to]?.place === this.#rows[to - 1]?.place && to < this.#rows.length)
          to++
        const rows = this.#rows.slice(from, to)
        return { rows, next: to < this.#rows.length ? rows.at(-1)?.place : undefined }
      },
      placeOf: ({ place }) => place,
      accepts,
    }
  }
}

function ids(list: PagedList<Row>): readonly number[] {
  return (list.page.value?.rows ?? []).map(({ id }) => id)
}

describe('a list in pages', () => {
  test('shows every row once from page to page, while new ones are added', async () => {
    const growth = fc.array(fc.boolean(), { maxLength: 250, size: 'max' })
    const later = fc.array(fc.nat(9), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(growth, later, fc.integer({ min: 1, max: 250 }), async (rows, more, answerMax) => {
        const exchange = new GrowingList()
        for (const isTwin of rows) exchange.grow(isTwin)
        const wanted = exchange.ids.filter((id) => id % 3 !== 0)
        const list = new PagedList<Row>()
        await list.start(exchange.source(({ id }) => id % 3 !== 0, answerMax))
        const seen = [...ids(list)]
        for (let step = 0; list.hasNext.value; step++) {
          for (let grown = 0; grown < (more[step] ?? 0); grown++) exchange.grow()
          await list.goNext()
          seen.push(...ids(list))
        }
        expect(seen).toEqual(wanted)
      }),
      { numRuns: 60 },
    )
  })

  test('goes back to the rows that it has shown, without a new request', async () => {
    const exchange = new GrowingList()
    for (let count = 0; count < 2 * PAGE_ROWS + 1; count++) exchange.grow()
    const list = new PagedList<Row>()
    await list.start(exchange.source())
    const first = ids(list)
    await list.goNext()
    const second = ids(list)
    exchange.grow()
    const { reads } = exchange
    list.goPrevious()
    expect(ids(list)).toEqual(first)
    await list.goNext()
    expect(ids(list)).toEqual(second)
    expect(exchange.reads).toBe(reads)
    await list.start(exchange.source())
    expect(ids(list)[0]).toBe(2 * PAGE_ROWS + 1)
  })

  test('reads a bounded number of rows for a page, and continues from there', async () => {
    const exchange = new GrowingList()
    for (let count = 0; count < LOOKED_AT_MAX + 700; count++) exchange.grow()
    const list = new PagedList<Row>()
    await list.start(exchange.source(({ id }) => id === 0))
    expect([ids(list), list.hasNext.value, list.page.value?.lookedAt]).toEqual([[], true, LOOKED_AT_MAX])
    await list.goNext()
    expect([ids(list), list.hasNext.value]).toEqual([[0], false])
  })

  test('shows what it has read once no pointer is pressed, and nothing that another read has replaced', async () => {
    const exchange = new GrowingList()
    exchange.grow()
    const releases: (() => void)[] = []
    const list = new PagedList<Row>(() => new Promise((resolve) => releases.push(resolve)))
    const reads = [list.start(exchange.source(() => false)), list.start(exchange.source())]
    while (releases.length < 2) await Promise.resolve()
    expect([list.page.value, list.isReading.value]).toEqual([undefined, true])
    releases[1]?.()
    await reads[1]
    expect([ids(list), list.isReading.value]).toEqual([[0], false])
    releases[0]?.()
    await reads[0]
    expect(ids(list)).toEqual([0])
  })

  test('keeps its rows and reports the problem where the exchange gives no answer', async () => {
    const exchange = new GrowingList()
    exchange.grow()
    const list = new PagedList<Row>()
    await list.start(exchange.source())
    const lost = () => Promise.reject(new Error('no answer'))
    await list.start({ ...exchange.source(), read: lost })
    expect([ids(list), list.problem.value, list.isReading.value]).toEqual([[0], 'no answer', false])
  })
})
