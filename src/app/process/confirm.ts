/** Asks for confirmation on the terminal; only a plain "yes" confirms. */
import { createInterface } from 'node:readline/promises'
import { printable } from '../../units/printable.ts'

export async function confirmOnTerminal(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${printable(question)} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}
