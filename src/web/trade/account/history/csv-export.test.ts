import { describe, expect, test } from 'bun:test'
import { BourseError } from '../../../../client/errors.ts'
import type { SavedFile } from '../../../shared/save-file.ts'
import { CsvExport, type ExportProgress, FILE_ROWS_MAX } from './csv-export.ts'
import type { RowSource } from './paged-list.ts'

type Row = { readonly id: number }

const COLUMNS = [['id', ({ id }: Row) => id]] as const

function busy(retryAfterMs: number): BourseError {
  return new BourseError('REFUSED', 'too many requests', { outcome: 'NOT_DONE', retryAfterMs })
}

function source(count: number, onRead: (before: number) => void = () => {}): RowSource<Row> {
  return {
    read: async (before, limit) => {
      const from = Number(before ?? 0)
      onRead(from)
      const to = Math.min(count, from + limit)
      const rows = Array.from({ length: to - from }, (_, index) => ({ id: from + index }))
      return { rows, next: to < count ? String(to) : undefined }
    },
    placeOf: ({ id }) => String(id),
  }
}

function exporter() {
  const files: SavedFile[] = []
  const waits: number[] = []
  const shown: ExportProgress[] = []
  const csv = new CsvExport<Row>({
    save: (file) => files.push(file),
    wait: async (delayMs) => {
      waits.push(delayMs)
    },
  })
  csv.progress.subscribe((progress) => shown.push(progress))
  const ids = (file: SavedFile | undefined) =>
    file?.parts.join('').split('\r\n').slice(1, -1).map(Number) ?? []
  return { csv, files, waits, shown, ids }
}

describe('a history as a file', () => {
  test('has every row once, page by page, with the names of the columns first', async () => {
    const { csv, files, ids } = exporter()
    await csv.start({ source: source(2_500), columns: COLUMNS, fileName: 'fills' })
    expect(files.map(({ name, type }) => [name, type])).toEqual([['fills.csv', 'text/csv']])
    expect(files[0]?.parts[0]).toBe('id\r\n')
    expect(ids(files[0])).toEqual(Array.from({ length: 2_500 }, (_, id) => id))
    expect(csv.progress.value).toEqual({ kind: 'saved', rows: 2_500, hasRest: false })
  })

  test('ends at the limit and says so; the rest is another file that continues exactly there', async () => {
    const { csv, files, ids } = exporter()
    await csv.start({ source: source(FILE_ROWS_MAX + 1_500), columns: COLUMNS, fileName: 'fills' })
    expect(csv.progress.value).toEqual({ kind: 'saved', rows: FILE_ROWS_MAX, hasRest: true })
    await csv.goOn()
    expect(files.map(({ name }) => name)).toEqual(['fills.csv', 'fills-2.csv'])
    expect([ids(files[1])[0], ids(files[1]).length]).toEqual([FILE_ROWS_MAX, 1_500])
    expect(csv.progress.value).toEqual({ kind: 'saved', rows: 1_500, hasRest: false })
  })

  test('waits where the exchange asks for it, visibly, and continues without a gap', async () => {
    let refusals = 1
    const asked = source(1_500, (from) => {
      if (from > 0 && refusals-- > 0) throw busy(2_500)
    })
    const { csv, files, waits, shown, ids } = exporter()
    await csv.start({ source: asked, columns: COLUMNS, fileName: 'fills' })
    expect(shown.flatMap((at) => (at.kind === 'waiting' ? [[at.rows, at.seconds]] : []))).toEqual([
      [1_000, 3],
      [1_000, 2],
      [1_000, 1],
    ])
    expect(waits.slice(1)).toEqual([1_000, 1_000, 500])
    expect(ids(files[0]).length).toBe(1_500)
  })

  test('that is canceled, or refused permanently, saves nothing', async () => {
    const { csv, files } = exporter()
    await csv.start({
      source: source(5_000, (from) => {
        if (from >= 2_000) csv.cancel()
      }),
      columns: COLUMNS,
      fileName: 'fills',
    })
    expect([csv.progress.value.kind, files.length]).toEqual(['canceled', 0])
    const refused = source(1, () => {
      throw new BourseError('REFUSED', 'not permitted', { outcome: 'NOT_DONE' })
    })
    await csv.start({ source: refused, columns: COLUMNS, fileName: 'fills' })
    expect([csv.progress.value, files.length]).toEqual([{ kind: 'failed', message: 'not permitted' }, 0])
  })

  test('has only the requested rows', async () => {
    const { csv, files, ids } = exporter()
    const even = { ...source(10), accepts: ({ id }: Row) => id % 2 === 0 }
    await csv.start({ source: even, columns: COLUMNS, fileName: 'fills' })
    expect(ids(files[0])).toEqual([0, 2, 4, 6, 8])
  })
})
