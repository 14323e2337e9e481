import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { audit, newRoot, writeDirectory } from '../verification/directory.fixture.ts'
import { KEEP_DEFAULT, keepOf, nextInSeries, pruneSeries } from './backup-series.ts'

const root = newRoot()
const data = path.join(root, 'data')
const into = path.join(root, 'backups')

beforeAll(() => writeDirectory(data))
afterAll(() => rmSync(root, { recursive: true }))

function put(name: string, isFinished: boolean): void {
  mkdirSync(path.join(into, name), { recursive: true })
  writeFileSync(path.join(into, name, isFinished ? 'backup.json' : 'journal.sqlite'), '{}')
}

describe('a series of backups', () => {
  test('a backup is written to a directory named after its time; those beyond --keep are removed once it is complete', async () => {
    for (const name of ['bourse-20200101T000000Z', 'bourse-20200102T000000Z', 'bourse-20200103T000000Z'])
      put(name, true)
    const { code, out } = await audit('backup', '--data', data, '--into', into, '--keep', '2', '--json')
    const { directory, removed } = JSON.parse(out) as { directory: string; removed: string[] }
    expect([code, removed]).toEqual([0, ['bourse-20200102T000000Z', 'bourse-20200101T000000Z']])
    expect(path.basename(directory)).toMatch(/^bourse-\d{8}T\d{6}Z$/)
    expect(readdirSync(into).toSorted()).toEqual(['bourse-20200103T000000Z', path.basename(directory)])
    expect(JSON.parse(readFileSync(path.join(directory, 'backup.json'), 'utf8')).seq).toBeGreaterThan(0)
  })

  test('a failed backup removes nothing', async () => {
    const before = readdirSync(into)
    const { code } = await audit('backup', '--data', path.join(root, 'absent'), '--into', into, '--keep', '1')
    expect([code, readdirSync(into)]).toEqual([2, before])
  })

  test('incomplete backups are removed; a running one and foreign directories stay', () => {
    const series = path.join(root, 'series')
    for (const name of ['bourse-20200101T000000Z', 'bourse-20200105T000000Z', 'notes', 'bourse-old']) {
      mkdirSync(path.join(series, name), { recursive: true })
    }
    mkdirSync(path.join(series, 'bourse-20200103T000000Z'))
    writeFileSync(path.join(series, 'bourse-20200103T000000Z', 'backup.json'), '{}')
    expect(pruneSeries(series, 1)).toEqual(['bourse-20200101T000000Z'])
    expect(existsSync(path.join(series, 'bourse-20200105T000000Z'))).toBe(true)
    expect(readdirSync(series).toSorted()).toEqual([
      'bourse-20200103T000000Z',
      'bourse-20200105T000000Z',
      'bourse-old',
      'notes',
    ])
  })

  test('the directory is accessible to its owner only', () => {
    const made = path.join(root, 'made')
    nextInSeries(made, 0)
    expect(statSync(made).mode & 0o777).toBe(0o700)
  })

  test('names sort in order of time', () => {
    const at = (time: string) => path.basename(nextInSeries(into, Date.parse(time)))
    expect(at('2026-01-31T23:59:59.999Z')).toBe('bourse-20260131T235959Z')
    expect(at('2026-01-31T23:59:59Z') < at('2026-02-01T00:00:00Z')).toBe(true)
  })

  test('--keep is a whole number of at least 1, and places are named once', async () => {
    expect([keepOf(undefined), keepOf('1')]).toEqual([KEEP_DEFAULT, 1])
    for (const text of ['0', '-1', 'x', '1.5']) expect(() => keepOf(text)).toThrow('--keep needs')
    for (const line of [['--to', into, '--into', into], [], ['--to', path.join(root, 'x'), '--keep', '1']]) {
      expect((await audit('backup', '--data', data, ...line)).code).toBe(2)
    }
  })
})
