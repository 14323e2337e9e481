import { expect, test } from 'bun:test'
import type { SavedFile } from '../../../shared/save-file.ts'
import { History } from './history.ts'

test('a history is saved as a file although the server does not give its time', async () => {
  const saved: SavedFile[] = []
  const history = new History<string, string>({
    filter: 'all',
    columns: [['row', (row) => row]],
    sourceOf: () => ({ read: async () => ({ rows: ['1', '2'] }), placeOf: (row) => row }),
    nameOf: (filter) => `rows-${filter}`,
    now: () => Promise.reject(new Error('no answer')),
    save: (file) => saved.push(file),
  })
  await history.save()
  expect(saved.map(({ parts }) => parts.join(''))).toEqual(['row\r\n1\r\n2\r\n'])
  expect(history.csv.progress.value).toEqual({ kind: 'saved', rows: 2, hasRest: false })
})
