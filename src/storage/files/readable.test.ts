import { expect, test } from 'bun:test'
import { constants } from 'node:fs'
import { type FileAccess, isReadable, requireRoomBeside } from './readable.ts'

/** A file system that fails with this error code; if it is undefined, everything is allowed. */
function access(code: string | undefined): FileAccess & { readonly asked: [string, number][] } {
  const asked: [string, number][] = []
  const check = (path: string, mode: number): void => {
    asked.push([path, mode])
    if (code !== undefined) throw Object.assign(new Error(code), { code })
  }
  return { asked, check, user: () => 'dora' }
}

test('a readable file is found, and a missing one is not', () => {
  const allowed = access(undefined)
  expect(isReadable('/d/journal.sqlite', allowed)).toBe(true)
  expect(allowed.asked).toEqual([['/d/journal.sqlite', constants.R_OK]])
  for (const code of ['ENOENT', 'ENOTDIR']) expect(isReadable('/d/journal.sqlite', access(code))).toBe(false)
})

test('a missing permission is reported with the file and the user', () => {
  for (const code of ['EACCES', 'EPERM']) {
    expect(() => isReadable('/d/journal.sqlite', access(code))).toThrow(
      "permission denied: /d/journal.sqlite cannot be read as user dora; run the command as the node's user",
    )
    expect(() => requireRoomBeside('/d/journal.sqlite', access(code))).toThrow(
      'permission denied: to read /d/journal.sqlite, a file must be created in /d, which is not possible as user dora',
    )
  }
  requireRoomBeside('/d/journal.sqlite', access(undefined))
})
