/** Checks that the program understands the command lines in the documentation. */
import { expect } from 'bun:test'
import { auditCommand } from '../../src/app/maintenance/verification/run.ts'
import { OPTION_FORMS } from '../../src/app/settings/load.ts'
import { requestOf } from '../../src/cli/admin/request.ts'
import { allForms, findCommand } from '../../src/cli/admin/run.ts'
import { parseArguments } from '../../src/cli/arguments.ts'
import { parseRequest } from '../../src/server/admin/requests.ts'

/**
 * Throws unless `bourse <line>` is a command with valid words and options; the form of an admin request is
 * checked too.
 */
export function expectUnderstood(line: string): void {
  const [verb = '', ...words] = shellWords(line)
  const audit = auditCommand(verb)
  if (verb === 'admin') expectAdmin(words)
  else if (verb === 'top') expect(words).toEqual([])
  else if (audit !== undefined) {
    const [subject, ...rest] = parseArguments(words, audit.forms).words
    expect([audit.subjects ?? [undefined], rest]).toEqual([expect.arrayContaining([subject]), []])
  } else {
    expect(['serve', 'init', 'sandbox', 'config']).toContain(verb)
    parseArguments(words, OPTION_FORMS)
  }
}

function expectAdmin(line: readonly string[]): void {
  const { words, options } = parseArguments(line, allForms())
  const command = findCommand(words)
  const given = { words: words.slice(command.name.split(' ').length), options }
  const request = requestOf(command, given, { userName: 'tester' })
  expect(parseRequest(command.operation, request) as object).toEqual(request)
}

/** The words of a command line, split as by a shell. */
function shellWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}
