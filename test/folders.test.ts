/**
 * The size of folders: no folder of the program is too large to find things in, and none exists for two
 * files.
 */
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { RINGS } from '../tools/lib/ring-map.mjs'

const ROOT = path.resolve(import.meta.dir, '..')
const FILES_MAX = 25
const FILES_MIN = 4

/** Folders that are larger, each with its own limit of files: none of them grows. */
const LARGER: Readonly<Record<string, number>> = { 'src/units': 35 }
/** Small folders with a subject of their own. */
const SMALL = ['src/client/access', 'src/core/events', 'src/core/trading/triggers']

const isProduction = (name: string): boolean =>
  /\.tsx?$/.test(name) && !/\.(?:test|contract|fixture|arbitraries|golden|d)\.ts$/.test(name)

type Folder = { readonly folder: string; readonly files: number; readonly folders: number }

function foldersBelow(folder: string): readonly Folder[] {
  const entries = readdirSync(path.join(ROOT, folder), { withFileTypes: true })
  const inner = entries.filter((entry) => entry.isDirectory()).map((entry) => `${folder}/${entry.name}`)
  const files = entries.filter((entry) => entry.isFile() && isProduction(entry.name)).length
  return [{ folder, files, folders: inner.length }, ...inner.flatMap(foldersBelow)]
}

const FOLDERS = foldersBelow('src')
const isRoom = (folder: string): boolean => folder === 'src' || folder.slice('src/'.length) in RINGS

test('no folder of the program has more than 25 files that are no tests', () => {
  expect(FOLDERS.length).toBeGreaterThan(80)
  expect(FOLDERS.filter(({ folder, files }) => files > (LARGER[folder] ?? FILES_MAX))).toEqual([])
})

test('a folder that is allowed to be larger needs it', () => {
  const counted = Object.fromEntries(FOLDERS.map(({ folder, files }) => [folder, files]))
  expect(Object.keys(LARGER).filter((folder) => (counted[folder] ?? 0) <= FILES_MAX)).toEqual([])
})

test('a subject gets a folder of its own with its fourth file', () => {
  const few = FOLDERS.filter(
    ({ folder, files, folders }) => files > 0 && files < FILES_MIN && folders === 0 && !isRoom(folder),
  )
  expect(few.map(({ folder }) => folder).sort()).toEqual(SMALL)
})
