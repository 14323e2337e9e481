import { expect, test } from 'bun:test'
import path from 'node:path'
import { PROGRAM } from '../../../test/support/program.ts'
import { linesOn } from './log.ts'

const OUTPUT = path.join(import.meta.dir, 'output.ts')
/**
 * Clears a line, sets the clipboard, wipes a row's start with one byte, turns the line around, adds a row.
 */
const HOSTILE = 'a\r\u001b[2K\u001b]52;c;AAAA\u0007\u009b1K\u202e\u200b\u2028\ud800\tb'
const SHOWN = 'a\\u000d\\u001b[2K\\u001b]52;c;AAAA\\u0007\\u009b1K\\u202e\\u200b\\u2028\\ud800\\u0009b'

function outputOf(...command: string[]) {
  const { stdout, stderr } = Bun.spawnSync(command)
  return { out: stdout.toString(), err: stderr.toString() }
}

test('every way of printing shows control characters as escapes, and keeps lines', () => {
  const text = JSON.stringify(HOSTILE)
  const script = `
    const { print, printError, printOrEnd, printPiece } = await import(${JSON.stringify(OUTPUT)})
    print(${text} + '\\nprint'); printOrEnd(${text} + '\\nend'); printPiece(${text} + '\\r\\n'); printError(${text} + '\\nerror')`
  const { out, err } = outputOf(process.execPath, '-e', script)
  expect(out).toBe(`${SHOWN}\nprint\n${SHOWN}\nend\n${SHOWN}\r\n`)
  expect(err).toBe(`${SHOWN}\nerror\n`)
})

test('typed text is repeated on one line of standard error, as plain text', () => {
  const typed = 'x\u001b]52;c;AAAA\u0007\nbourse: done\u202e'
  for (const line of [[typed], ['admin', typed], ['admin', 'credit', '--fraction', typed], ['top', typed]]) {
    const [first = '', ...rest] = outputOf(...PROGRAM, ...line)
      .err.trimEnd()
      .split('\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(first).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
    expect(rest.filter((text) => !text.startsWith('Help: '))).toEqual([])
  }
})

test('a line of the log has control characters as escapes of JSON', () => {
  const written: string[] = []
  linesOn({ write: (text) => written.push(text) }, false).write(`${JSON.stringify({ msg: HOSTILE })}\n`)
  linesOn({ write: (text) => written.push(text) }, true).write(`${JSON.stringify({ msg: HOSTILE })}\n`)
  expect(written[0]).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}](?<!\n)/u)
  expect(JSON.parse(written[0] ?? '')).toEqual({ msg: HOSTILE })
  expect(written[1]).toMatch(/^<\d>\{/)
})
