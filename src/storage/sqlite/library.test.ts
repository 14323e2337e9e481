import { expect, test } from 'bun:test'
import { chooseLibrary, newerLibrary } from './library.ts'

const INTEL = '/usr/local/opt/sqlite/lib/libsqlite3.dylib'

function chosen(platform: string, installed: readonly string[]): string[] {
  const used: string[] = []
  chooseLibrary({ platform, exists: (path) => installed.includes(path), use: (path) => used.push(path) })
  return used
}

test("on macOS Homebrew's SQLite is used where it exists, elsewhere the runtime's own", () => {
  expect(chosen('darwin', [INTEL])).toEqual([INTEL])
  expect(chosen('darwin', [])).toEqual([])
  expect(chosen('linux', [INTEL])).toEqual([])
})

test('how to get a newer SQLite is reported where it is possible', () => {
  expect(newerLibrary('darwin')).toContain('brew install sqlite')
  expect(newerLibrary('linux')).toBe('')
})
