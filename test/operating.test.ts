/**
 * The pages for operators of an exchange: every command on them is valid, and they state which user runs it.
 */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Glob } from 'bun'
import { COMMAND_CODES } from '../src/core/commands/command.ts'
import { RULES_VERSION } from '../src/core/exchange/rules.ts'
import { ROOT } from './support/bourse-process.ts'
import { expectUnderstood } from './support/command-lines.ts'

const PAGES = ['operating', 'recovery', 'alarms']
const OPERATING = PAGES.map((name) => readFileSync(path.join(ROOT, `docs/${name}.md`), 'utf8')).join('\n')

test('operating.md, recovery.md and alarms.md: every command line is valid', () => {
  const blocks = [...OPERATING.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  const lines = blocks.flatMap((block) => [
    ...block.matchAll(
      /^(?:sudo -u bourse |[A-Z_]+=\S+ )?(?:\/usr\/local\/bin\/)?bourse(?:\.new)? (.*?)(?: +#.*)?$/gm,
    ),
  ])
  expect(lines.length).toBeGreaterThan(20)
  for (const [, line = ''] of lines) expectUnderstood(line)
})

test('no page tells an operator to use any but the newest version of the rules', () => {
  const pages = [...new Glob('docs/**/*.md').scanSync(ROOT)]
  const named = pages.flatMap((page) => [
    ...readFileSync(path.join(ROOT, page), 'utf8').matchAll(/rules set (\d+)/g),
  ])
  expect(pages.length).toBeGreaterThan(20)
  expect(named.filter(([, version]) => Number(version) !== RULES_VERSION)).toEqual([])
})

describe('a block of these pages can be pasted into one shell, of the administrator or of the user of the service', () => {
  const blocks = [...OPERATING.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) =>
    block.trim().split('\n'),
  )

  test('no block has commands for both', () => {
    expect(blocks.length).toBeGreaterThan(15)
    for (const lines of blocks) {
      const isOfAdministrator = lines.some((line) => line.startsWith('sudo '))
      const ofService = lines.filter((line) => /^(?:[A-Z_]+=\S+ )?bourse /.test(line))
      expect([lines[0], isOfAdministrator && ofService.length > 0]).toEqual([lines[0], false])
    }
  })

  test('root never runs the program, and gives what it puts into the data directory to the service', () => {
    for (const line of blocks.flat().filter((each) => each.startsWith('sudo '))) {
      expect(line).not.toMatch(/^sudo (?:\/usr\/local\/bin\/)?bourse(?:\.\w+)? /)
      if (/^sudo install .*\/var\/(?:lib|backups)\/bourse(?:\/\S+)?(?: +#.*)?$/.test(line))
        expect(line).toContain(' -o bourse -g bourse ')
    }
  })
})

test('cli-maintenance.md names every kind of command that bourse journal can select', () => {
  const cli = readFileSync(path.join(ROOT, 'docs/reference/cli-maintenance.md'), 'utf8')
  const [, kinds = ''] = /^\| `--kind A,B` \| kinds of commands: (.*) \|$/m.exec(cli) ?? []
  const named = [...kinds.matchAll(/`(\w+)`/g)].map(([, kind]) => kind)
  expect(named.toSorted()).toEqual(Object.keys(COMMAND_CODES).toSorted())
})
