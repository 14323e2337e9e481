import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { csvField } from './csv.ts'

/** Cells of a line as a spreadsheet splits it: a quote counts only at the start of a cell. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = []
  let at = 0
  while (at <= line.length) {
    if (line[at] === '"') {
      const end = /"(?!")/g
      end.lastIndex = at + 1
      let close = at + 1
      while (close < line.length && !(line[close] === '"' && line[close + 1] !== '"'))
        close += line[close] === '"' ? 2 : 1
      const next = line.indexOf(separator, close)
      const stop = next < 0 ? line.length : next
      cells.push(line.slice(at + 1, close).replaceAll('""', '"') + line.slice(close + 1, stop))
      at = stop + 1
    } else {
      const next = line.indexOf(separator, at)
      const stop = next < 0 ? line.length : next
      cells.push(line.slice(at, stop))
      at = stop + 1
    }
  }
  return cells
}

const STARTS = [
  '=',
  '+',
  '-',
  '@',
  '\uff1d',
  '\uff0b',
  '\uff0d',
  '\uff20',
  '\t=',
  '\r=',
  '\n=',
  ' =',
  ';=',
  '; +',
  '";=',
  '";"=',
]
const isFormula = (cell: string): boolean =>
  /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(cell) && !/^-?\d+(?:\.\d+)?"*$/.test(cell.trim())

test('no text is a formula, nor contains one after a separator of another language, anywhere in a row', () => {
  const hostile = fc
    .array(
      fc.oneof(
        fc.constantFrom(...STARTS, ';', ',', '"', "'", '|', '1+1', 'x'),
        fc.string({ unit: 'binary' }),
      ),
      {
        minLength: 1,
        maxLength: 6,
      },
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 1, maxLength: 4 }), (texts) => {
      const line = texts.map((text) => csvField(text)).join()
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      for (const separator of [',', ';', '\t'])
        for (const cell of cellsOf(line, separator))
          if (isFormula(cell)) throw new Error(`${separator} ${cell} in ${line}`)
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['=1+1', "'=1+1"],
  [';=1+1', `";'=1+1"`],
  ['a; =1', `"a; '=1"`],
  ['\uff1d1+1', "'\uff1d1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['+1', "'+1"],
  ['-1+1', "'-1+1"],
  ['-1.5', '-1.5'],
  ['a;"=1', `"a;""'=1"`],
  ['a,b', '"a,b"'],
  ['a"b', '"a""b"'],
  ['a\r\n\u001b[2K', 'a\\u000d\\u000a\\u001b[2K'],
  ['\t=1', '\\u0009=1'],
  ['soğuk-cüzdan', 'soğuk-cüzdan'],
])('%j is the field %s', (text, field) => {
  expect(csvField(text)).toBe(field)
})

test('a number is unchanged, and an absent value is empty', () => {
  expect([csvField(-1.5), csvField(0), csvField(undefined)]).toEqual(['-1.5', '0', ''])
})
