import { expect, test } from 'bun:test'
import { ADMIN_COMMANDS } from './admin/sections.ts'
import { UsageError } from './arguments.ts'
import { runCompletion } from './completion.ts'

function script(...line: string[]): string {
  const printed: string[] = []
  expect(runCompletion(line, { print: (text) => printed.push(text) })).toBe(0)
  return printed.join('\n')
}

test('every command and option of bourse admin can be completed in every shell', () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const text = script(shell)
    for (const { name, options } of ADMIN_COMMANDS) {
      for (const word of name.split(' ')) expect(text).toContain(word)
      for (const option of Object.keys(options)) expect(text).toContain(option)
    }
  }
})

test('bash completes commands, their verbs and their options', () => {
  const ask = (...words: string[]) => {
    const line = `COMP_WORDS=(${words.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=${words.length - 1}; _bourse`
    const run = Bun.spawnSync(['bash', '-c', `${script('bash')}\n${line}; echo "\${COMPREPLY[@]}"`])
    return run.stdout.toString().trim()
  }
  expect(ask('bourse', 'com')).toBe('completion')
  expect(ask('bourse', 'completion', 'f')).toBe('fish')
  expect(ask('bourse', 'report', 'sta')).toBe('statements')
  expect(ask('bourse', 'liabilities', '')).toBe('prove root account')
  expect(ask('bourse', 'report', 'statements', '')).toBe('')
  expect(ask('bourse', 'admin', '--data', 'somewhere', 'wi')).toBe('withdrawal')
  expect(ask('bourse', 'admin', 'withdrawal', 'c')).toBe('claim complete cancel')
  expect(ask('bourse', 'admin', 'asset', 'set', 'BTC', '--cr')).toBe('--credit-max')
  expect(ask('bourse', 'admin', 'credit', 'alice', '--re')).toBe('--reference')
})

test('another shell is a usage error', () => {
  expect(() => script('csh')).toThrow(UsageError)
})
