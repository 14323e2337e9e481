/** The terminal as a screen for drawing, if there is one. */
import type { Screen } from '../../cli/top/run.ts'
import { drawOnOutput } from './output.ts'

const COLUMNS = 80
const ROWS = 24

/** Undefined unless both standard input and output are a terminal. */
export function terminalScreen(): Screen | undefined {
  const { stdin, stdout } = process
  if (!stdin.isTTY || !stdout.isTTY) return undefined
  return {
    write: drawOnOutput,
    size: () => ({ columns: stdout.columns || COLUMNS, rows: stdout.rows || ROWS }),
    onKey: (listener) => {
      const onData = (data: Buffer): void => listener(data.toString('latin1'))
      stdin.setRawMode(true)
      stdin.on('data', onData)
      return () => {
        stdin.off('data', onData)
        stdin.setRawMode(false)
        stdin.pause()
      }
    },
  }
}
