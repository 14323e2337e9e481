/**
 * The needs of a new contributor: a license, the same everywhere, an editor's settings that agree with the
 * formatter, and pages that are true.
 */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './support/bourse-process.ts'

const LICENCE = 'Apache-2.0'

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8')
}

/** Files of this name that are part of the project, below the root. */
function filesNamed(name: string): string[] {
  const { stdout } = Bun.spawnSync(['git', 'ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  })
  return stdout
    .toString()
    .split('\n')
    .filter((file) => path.basename(file) === name)
}

test('every package names the licence whose full text is in the root', () => {
  const text = read('LICENSE')
  expect(text).toContain('Apache License')
  expect(text).toContain('Version 2.0, January 2004')
  expect(text).toContain('END OF TERMS AND CONDITIONS')
  const packages = filesNamed('package.json').map((file) => [file, JSON.parse(read(file)).license])
  expect(packages.length).toBeGreaterThan(1)
  expect(packages).toEqual(packages.map(([file]) => [file, LICENCE]))
  for (const file of filesNamed('pyproject.toml')) {
    expect([file, (Bun.TOML.parse(read(file)) as { project: { license: unknown } }).project.license]).toEqual(
      [file, { text: LICENCE }],
    )
  }
})

test('the settings for editors are those of the formatter', () => {
  const { formatter } = JSON.parse(read('biome.json')) as {
    readonly formatter: {
      readonly indentStyle: string
      readonly indentWidth: number
      readonly lineWidth: number
    }
  }
  const settings = read('.editorconfig')
  expect(settings).toContain(
    `indent_style = ${formatter.indentStyle}\nindent_size = ${formatter.indentWidth}\n`,
  )
  expect(settings).toContain(`max_line_length = ${formatter.lineWidth}\n`)
})

test('quotes of the page for contributors are in the tree', () => {
  const page = read('CONTRIBUTING.md')
  const [, quoted = ''] = /\n( {4}function waitingOf[\s\S]*?\n {4}\})\n/.exec(page) ?? []
  expect(read('src/cli/admin/commands/webhooks.ts')).toContain(quoted.replaceAll(/^ {4}/gm, ''))
  const [, title = ''] = /\n {4}test\('([^']+)'/.exec(page) ?? []
  expect([title, read('src/cli/admin/run.test.ts').includes(`test('${title}'`)]).toEqual([title, true])
  const scripts = Object.keys(JSON.parse(read('package.json')).scripts)
  const named = [...page.matchAll(/npm (?:run )?(\w+)/g)].map(([, name]) => name ?? '')
  expect(named.filter((name) => !scripts.includes(name))).toEqual([])
})

test('hosted checks run what a maintainer runs, and templates ask for what is needed', () => {
  for (const file of readdirSync(path.join(ROOT, '.github/workflows'))) {
    const { jobs } = Bun.YAML.parse(read(`.github/workflows/${file}`)) as {
      readonly jobs: Record<string, { readonly steps: readonly { readonly run?: string }[] }>
    }
    expect(Object.values(jobs).flatMap(({ steps }) => steps.map(({ run }) => run))).toContain('.ci/run')
  }
  const templates = readdirSync(path.join(ROOT, '.github/ISSUE_TEMPLATE')).filter((file) =>
    file.endsWith('.md'),
  )
  expect(templates.length).toBeGreaterThan(0)
  for (const template of templates)
    expect(read(`.github/ISSUE_TEMPLATE/${template}`)).toMatch(/^---\nname: .+\nabout: .+\n/)
})
