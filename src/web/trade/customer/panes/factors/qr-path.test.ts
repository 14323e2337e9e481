import { expect, test } from 'bun:test'
import { qrPath } from './qr-path.ts'

/** The dark squares of a path, as rows of characters. */
function rowsOf({ path, size }: ReturnType<typeof qrPath>): readonly string[] {
  const rows = Array.from({ length: size }, () => Array<string>(size).fill(' '))
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    const row = rows[Number(y)]
    if (row !== undefined) row[Number(x)] = '#'
  }
  return rows.map((row) => row.join(''))
}

test('a QR code has its three corners, and a border of four light squares', () => {
  const code = qrPath('otpauth://totp/Bourse:jo@example.org?issuer=Bourse&secret=JBSWY3DPEHPK3PXP')
  const rows = rowsOf(code)
  const corner = ['#######', '#     #', '# ### #', '# ### #', '# ### #', '#     #', '#######']
  const at = (x: number, y: number) => rows.slice(y, y + 7).map((row) => row.slice(x, x + 7))
  expect(at(4, 4)).toEqual(corner)
  expect(at(code.size - 11, 4)).toEqual(corner)
  expect(at(4, code.size - 11)).toEqual(corner)
  for (const row of [...rows.slice(0, 4), ...rows.slice(-4)]) expect(row.trim()).toBe('')
  for (const row of rows) expect([row.slice(0, 4).trim(), row.slice(-4).trim()]).toEqual(['', ''])
})
