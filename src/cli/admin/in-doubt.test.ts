import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Glob } from 'bun'
import { inDoubt } from './in-doubt.ts'
import { findCommand } from './run.ts'
import { ADMIN_COMMANDS } from './sections.ts'

/**
 * Matches `bourse admin`, optionally a directory, and the words of a command; but not
 * `bourse admin <command>` or an option.
 */
const NAMED = /bourse admin (?:--data \S+ )?([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g

function commandsNamedIn(text: string): string[] {
  return [...text.matchAll(NAMED)].map(([, words]) => words as string)
}

describe('a command that an operator is told to use exists', () => {
  test.each(ADMIN_COMMANDS.map(({ name, operation }) => [name, operation] as const))(
    'when %s gets no answer',
    (_name, operation) => {
      const hint = inDoubt(operation)
      const named = commandsNamedIn(hint)
      expect(named.length).toBe(hint.includes('check with') ? 1 : 0)
      for (const words of named) expect(findCommand(words.split(' ')).name).toBe(words)
    },
  )

  test('in every place where the program names one', () => {
    const source = path.join(import.meta.dir, '../..')
    const files = [...new Glob('**/*.ts').scanSync(source)].filter((name) => !name.endsWith('.test.ts'))
    const texts = files.map((name) => readFileSync(path.join(source, name), 'utf8'))
    const examples = ADMIN_COMMANDS.flatMap((command) => command.examples)
    const named = [...texts, ...examples].flatMap(commandsNamedIn)
    expect(named.length).toBeGreaterThan(ADMIN_COMMANDS.length)
    // Some commands have one word, followed by an argument.
    for (const words of new Set(named))
      expect(`${words} `).toStartWith(`${findCommand(words.split(' ')).name} `)
  })
})
